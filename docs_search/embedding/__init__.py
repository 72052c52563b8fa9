"""Turning texts into vectors, and keeping them."""
