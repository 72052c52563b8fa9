"""In which format a source is written, found out from its files."""
