"""Markdown of Microsoft Learn and DocFX."""
