"""Curated guides for coding agents, in the Agent Skills format."""
