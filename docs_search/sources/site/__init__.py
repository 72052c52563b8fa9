"""Websites as sources: what a site links to, what its sitemap lists, or what its llms.txt names."""
