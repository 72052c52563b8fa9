"""From a location to a published version."""
