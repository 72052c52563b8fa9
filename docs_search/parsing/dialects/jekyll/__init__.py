"""Markdown with Liquid templates: Jekyll and what is built like it."""
