import bz2
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from docs_search.sources import SourceError, open_source
from docs_search.sources.unpacking import UnpackLimits, unpack
from tests.archives import zip_archive


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_compression_without_a_bound_to_its_memory_is_refused(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "docs.zip", "w", method) as archive:
        archive.writestr("a.md", "text")
    with pytest.raises(SourceError, match=rf"\('a\.md' is compressed by method {method}\)\. Pack it again with"):
        open_source(tmp_path / "docs.zip").__enter__()


def test_a_bomb_behind_a_link_is_not_unpacked(tmp_path: Path) -> None:
    """Links are read whole, and 700 bytes of bzip2 hold a gigabyte."""
    path = tmp_path / "docs.zip"
    link = zipfile.ZipInfo("link.md")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, bz2.compress(bytes(50_000_000)))
    data = bytearray(path.read_bytes())
    for start in (8, data.index(b"PK\x01\x02") + 10):
        data[start : start + 2] = zipfile.ZIP_BZIP2.to_bytes(2, "little")
    path.write_bytes(data)
    tracemalloc.start()
    with pytest.raises(SourceError, match="is compressed by method 12"):
        unpack(path, tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_a_list_of_too_many_members_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = zip_archive(tmp_path / "docs.zip", {f"{number}.md": b"" for number in range(5_000)})
    tracemalloc.start()
    with pytest.raises(SourceError, match=r"^docs\.zip has more than 4,999 members\. Pack only the documents\.$"):
        unpack(path, tmp_path, UnpackLimits(members=4_999))
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()
    with open_source(path) as source:
        assert len(source.paths()) == 5_000


def test_a_list_that_is_too_long_for_its_members_is_refused(tmp_path: Path) -> None:
    path = zip_archive(tmp_path / "docs.zip", {"n" * 3_000 + ".md": b"", "b.md": b""})
    with pytest.raises(SourceError, match="more than 2 members"):
        unpack(path, tmp_path, UnpackLimits(members=2))


def test_a_member_without_a_name_is_left_out(tmp_path: Path) -> None:
    path = zip_archive(tmp_path / "docs.zip", {"x.md": b"x", "a.md": b"A"})
    path.write_bytes(path.read_bytes().replace(b"x.md", b"\0.md"))  # a name ends with the first zero byte
    with open_source(path) as source:
        assert source.paths() == ["a.md"]
        assert [warning.page for warning in source.warnings()] == ["."]


def test_a_header_that_is_cut_off_is_damage(tmp_path: Path) -> None:
    path = zip_archive(tmp_path / "docs.zip", {"a.md": b"A"})
    data = bytearray(path.read_bytes())
    place = data.index(b"PK\x01\x02") + 42  # where the member begins
    data[place : place + 4] = (len(data) - 10).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"^docs\.zip is damaged"):
        unpack(path, tmp_path)


def test_devices_count_as_members_and_are_not_unpacked(tmp_path: Path) -> None:
    device = zipfile.ZipInfo("device")
    device.external_attr = 0o020666 << 16
    with zipfile.ZipFile(tmp_path / "docs.zip", "w") as archive:
        archive.writestr(device, "")
        archive.writestr("a.md", "A")
    with open_source(tmp_path / "docs.zip") as source:
        assert source.paths() == ["a.md"]
