"""From one raw document to a page: one module per format, and its dialects."""
