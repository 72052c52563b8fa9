"""Pages by their addresses, and pages near them."""
