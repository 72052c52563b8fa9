"""Markdown for Hugo."""
