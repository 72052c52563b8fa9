"""Markdown documents and their dialects."""
