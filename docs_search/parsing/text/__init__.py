"""What every format shares: bytes as text, normalised Markdown and what it says."""
