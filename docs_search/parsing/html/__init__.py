"""HTML documents."""
