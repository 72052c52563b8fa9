"""Documentation in many versions: read, parse, cut, index and search it."""
