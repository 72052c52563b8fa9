"""Markdown for Quarto and Pandoc."""
