"""Markdown with components: MDX, VitePress, and documentation made of them."""
