"""How well search finds the pages that answer judged questions."""
