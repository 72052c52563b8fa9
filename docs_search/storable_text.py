"""Text from outside that PostgreSQL would refuse."""


def storable(text: str) -> str:
    """The text without what PostgreSQL stores in no column: NUL, and half of a surrogate pair."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode()
