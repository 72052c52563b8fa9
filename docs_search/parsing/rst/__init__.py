"""reStructuredText, with what Sphinx adds to it."""
