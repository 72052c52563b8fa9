"""Votes on answers, their review, and what they say about the documentation."""
