"""The HTTP API and what every view for readers shares."""
