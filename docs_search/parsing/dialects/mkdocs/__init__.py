"""Markdown for MkDocs and its extensions."""
