import lzma
import tarfile
import zlib
from pathlib import Path

import pytest

from docs_search.sources import SourceError, open_source
from tests.archives import tar_archive


def test_xz_of_several_streams_with_padding_is_read(tmp_path: Path) -> None:
    data = tar_archive(tmp_path / "docs.tar", {"a.md": b"A" * 200_000, "b.md": b"B"}, mode="w:").read_bytes()
    parts = [lzma.compress(data[:100_000]), bytes(200_000), lzma.compress(data[100_000:]), bytes(8)]
    (tmp_path / "docs.tar.xz").write_bytes(b"".join(parts))
    with open_source(tmp_path / "docs.tar.xz") as source:
        assert (len(source.read("a.md")), source.read("b.md")) == (200_000, b"B")


def test_xz_that_asks_for_much_memory_is_refused(tmp_path: Path) -> None:
    """The header of a block names the memory that unpacking takes: here as byte 16, in a scale up to 40 for 4 GiB."""
    path = tar_archive(tmp_path / "docs.tar.xz", {"a.md": b"A"})
    data = bytearray(path.read_bytes())
    end = 12 + (data[12] + 1) * 4 - 4
    for scale, accepted in ((28, True), (36, False), (40, False)):
        data[16] = scale
        data[end : end + 4] = zlib.crc32(data[12:end]).to_bytes(4, "little")
        path.write_bytes(data)
        if accepted:
            with open_source(path) as source:
                assert source.read("a.md") == b"A"
        else:
            with pytest.raises(SourceError, match=r"is damaged \(Memory usage limit exceeded\)"):
                open_source(path).__enter__()


@pytest.mark.parametrize("end", [-20, -1])
def test_xz_that_is_cut_off_is_damage(tmp_path: Path, end: int) -> None:
    path = tar_archive(tmp_path / "docs.tar.xz", {"a.md": b"A"})
    path.write_bytes(path.read_bytes()[:end])
    with pytest.raises(SourceError, match="is damaged"), open_source(path):
        pass


def test_what_follows_the_end_of_xz_must_be_xz(tmp_path: Path) -> None:
    path = tar_archive(tmp_path / "docs.tar.xz", {"a.md": b"A"})
    path.write_bytes(path.read_bytes() + b"something else" + bytes(tarfile.BLOCKSIZE))
    with pytest.raises(SourceError, match="is damaged"), open_source(path):
        pass
