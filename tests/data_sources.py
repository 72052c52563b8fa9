"""Sources of documents in tests/data, as the files that a source has."""

from pathlib import Path

_DATA = Path(__file__).parent / "data"


def data_files(name: str) -> dict[str, bytes]:
    """Every file below a folder of tests/data, by its path there."""
    folder = _DATA / name
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
