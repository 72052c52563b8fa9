import io
import tarfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from docs_search.sources import SourceError, open_source, tar_members
from docs_search.sources.unpacking import UnpackLimits, unpack
from tests.archives import tar_archive

END = bytes(2 * tarfile.BLOCKSIZE)


def _header(name: str, type: bytes = tarfile.REGTYPE, content: bytes = b"") -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size = type, len(content)
    return info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % tarfile.BLOCKSIZE)


def _pax(**records: str) -> bytes:
    """An extended header for the next member. Its records have less than 100 bytes."""
    lines = [f" {key.replace('_', '.')}={value}\n".encode() for key, value in records.items()]
    return _header("pax", tarfile.XHDTYPE, b"".join(b"%d" % (len(line) + 2) + line for line in lines))


@pytest.fixture
def archive(tmp_path: Path) -> Callable[..., Path]:
    def written(*parts: bytes) -> Path:
        path = tmp_path / "docs.tar"
        path.write_bytes(b"".join(parts) + END)
        return path

    return written


@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names_and_links_are_read_in_every_format(tmp_path: Path, format: int) -> None:
    """Of 140 characters: more than the old header holds, and what the formats extend it by."""
    folder, name = "f" * 90, "n" * 40 + "\u00e9.md"
    with tarfile.open(tmp_path / "docs.tar", "w", format=format) as tar:
        info = tarfile.TarInfo(f"{folder}/{name}")
        info.size = 3
        tar.addfile(info, io.BytesIO(b"# A"))
        link = tarfile.TarInfo("link.md")
        link.type, link.linkname = tarfile.SYMTYPE, info.name if format != tarfile.USTAR_FORMAT else folder
        tar.addfile(link)
    with open_source(tmp_path / "docs.tar") as source:
        linked = [] if format == tarfile.USTAR_FORMAT else ["link.md"]
        assert source.paths() == [info.name, *linked]
        assert {source.read(path) for path in source.paths()} == {b"# A"}


def test_an_extended_header_counts_for_the_next_member_alone(archive: Callable[..., Path]) -> None:
    path = archive(_pax(path="a.md"), _header("x"), _header("b.md"), _pax(path="c.md"), _pax(mtime="1"), _header("y"))
    with open_source(path) as source:
        assert source.paths() == ["a.md", "b.md", "c.md"]


def test_a_long_chain_of_extended_headers_is_read(archive: Callable[..., Path]) -> None:
    with open_source(archive(_pax(mtime="1") * 3000, _header("a.md"))) as source:
        assert source.paths() == ["a.md"]


def test_extended_headers_have_a_bound_together(archive: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tar_members, "_MAX_EXTENDED", 10_000)
    for parts in ([_header("pax", tarfile.XHDTYPE, bytes(10_000))], [_pax(mtime="1"), _header("a.md")] * 20):
        with pytest.raises(SourceError, match="its extended headers are too large"), open_source(archive(*parts)):
            pass


def test_headers_for_all_members_are_not_kept_for_each_of_them(archive: Callable[..., Path]) -> None:
    records = b"".join(b"14 key%06d=\n" % number for number in range(20_000))
    path = archive(_header("all", tarfile.XGLTYPE, records), *(_header(f"{number}.md") for number in range(500)))
    tracemalloc.start()
    with open_source(path) as source:
        assert len(source.paths()) == 500
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    "content", [b"1" * 200_000, b"2 " * 100_000 + b"=", b"9 a=b", b"0 a=b\n", b"5 =b\n", b"99999 a=b\n", b"x a=b\n"]
)
def test_a_broken_extended_header_is_refused_at_once(archive: Callable[..., Path], content: bytes) -> None:
    started = time.monotonic()
    with (
        pytest.raises(SourceError, match="an extended header in it is broken"),
        open_source(archive(_header("pax", tarfile.XHDTYPE, content), _header("a.md"))),
    ):
        pass
    assert time.monotonic() - started < 1


def test_sparse_files_are_refused(archive: Callable[..., Path]) -> None:
    for parts in (
        [_header("a.md", tarfile.GNUTYPE_SPARSE)],
        [_pax(GNU_sparse_major="1", GNU_sparse_minor="0"), _header("a.md", content=b"900000000\n" + b"1\n" * 100)],
    ):
        with (
            pytest.raises(SourceError, match=r"\(it holds sparse files\)\. Pack it again .* without .* sparse files"),
            open_source(archive(*parts)),
        ):
            pass


def test_a_size_that_two_headers_tell_differently_or_below_zero_is_refused(archive: Callable[..., Path]) -> None:
    with pytest.raises(SourceError, match=r"the size of 'a\.md' is not that of its header"):
        open_source(archive(_pax(size="5"), _header("a.md"))).__enter__()
    negative = bytearray(_header("a.md"))
    negative[124:136] = b"\xff" * 12
    negative[148:156] = b" " * 8
    negative[148:156] = b"%06o\0 " % sum(negative)
    with pytest.raises(SourceError, match="less than no content"):
        open_source(archive(bytes(negative))).__enter__()


def test_devices_and_pipes_count_as_members(archive: Callable[..., Path], tmp_path: Path) -> None:
    path = archive(_header("a.md"), *(_header("pipe", kind) for kind in (tarfile.FIFOTYPE, tarfile.CHRTYPE, b"Z")))
    with open_source(path) as source:
        assert source.paths() == ["a.md"]
    with pytest.raises(SourceError, match="more than 3 members"):
        unpack(path, tmp_path, UnpackLimits(members=3))


def test_a_name_that_is_not_utf_8_is_kept(tmp_path: Path) -> None:
    path = tar_archive(tmp_path / "docs.tar", {"a.md": b"", "caf\udce9/b.md": b""}, mode="w:")
    with open_source(path) as source:
        assert source.paths() == ["a.md"]
        assert [warning.message for warning in source.warnings()] == ["has a name that is not UTF-8, and was left out"]
