"""The real documentation archives and questions about them, where a checkout has them beside it.

Tests that want them say so when it has not.
"""

import tarfile
from functools import cache
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPORA = SHARED / "corpora"


def corpus_archive(corpus: str, version: str) -> Path:
    """The archive of one version. Skips the calling test, naming the archive, where it is absent."""
    archive = CORPORA / corpus / f"{version}.tar.xz"
    if not archive.exists():
        pytest.skip(f"real documentation absent: {corpus}/{version}.tar.xz")
    return archive


def evaluation_file(name: str) -> Path:
    """A file of judged questions, or the folder of a test collection. Skips the calling test where it is absent."""
    file = SHARED / "eval" / name
    if not file.exists():
        pytest.skip(f"judged questions absent: {name}")
    return file


@cache
def corpus_files(corpus: str, version: str) -> dict[str, bytes]:
    """Every file of an archive by its path below the version's top folder."""
    with tarfile.open(corpus_archive(corpus, version), "r:xz") as archive:
        return {
            member.name.split("/", 1)[1]: file.read()
            for member in archive
            if member.isfile() and (file := archive.extractfile(member))
        }
