"""The real documentation archives, where a checkout has them beside it; tests that want them say so when it has not."""

import tarfile
from functools import cache
from pathlib import Path

import pytest

CORPORA = Path(__file__).resolve().parents[2] / "shared" / "corpora"


def corpus_archive(corpus: str, version: str) -> Path:
    """The archive of one version. Skips the calling test, naming the archive, where it is absent."""
    archive = CORPORA / corpus / f"{version}.tar.xz"
    if not archive.exists():
        pytest.skip(f"real documentation absent: {corpus}/{version}.tar.xz")
    return archive


@cache
def corpus_files(corpus: str, version: str) -> dict[str, bytes]:
    """Every file of an archive by its path below the version's top folder."""
    with tarfile.open(corpus_archive(corpus, version), "r:xz") as archive:
        return {
            member.name.split("/", 1)[1]: file.read()
            for member in archive
            if member.isfile() and (file := archive.extractfile(member))
        }
