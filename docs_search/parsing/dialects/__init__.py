"""Dialects of Markdown, each a `MarkdownParser` that resolves its own syntax first."""
