import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.sources import SourceError, SourceOptions, open_source
from docs_search.sources.unpacking import UnpackLimits, unpack
from tests.archives import tar_archive, zip_archive
from tests.corpora import corpus_archive, corpus_files

FILES = {"product-1.2/LICENSE.txt": b"terms", "product-1.2/docs/a.md": b"# A", "product-1.2/docs/b/c.md": b"# C"}


@pytest.mark.parametrize("mode", ["w:", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_archive_is_read_below_its_single_top_folder(tmp_path: Path, mode: str) -> None:
    archive = tar_archive(tmp_path / "docs.archive", FILES, mode=mode)
    with open_source(archive) as source:
        assert source.paths() == ["LICENSE.txt", "docs/a.md", "docs/b/c.md"]
        assert source.read("docs/b/c.md") == b"# C"


def test_a_zip_archive_is_restricted_to_a_subfolder(tmp_path: Path) -> None:
    archive = zip_archive(tmp_path / "docs.zip", {**FILES, "__MACOSX/._x": b""})
    with open_source(archive, SourceOptions(subfolder="docs")) as source:
        assert source.paths() == ["a.md", "b/c.md"]


def test_an_archive_without_a_top_folder_is_read_as_it_is(tmp_path: Path) -> None:
    with open_source(zip_archive(tmp_path / "docs.zip", {"a.md": b"A", "b/c.md": b"C"})) as source:
        assert source.paths() == ["a.md", "b/c.md"]


def test_the_unpacked_files_are_gone_when_the_source_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with open_source(tar_archive(tmp_path / "docs.tar.xz", FILES)):
        assert len(list((tmp_path / "temporary").iterdir())) == 1
    assert list((tmp_path / "temporary").iterdir()) == []


def test_links_inside_the_archive_are_kept_and_others_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    links = {
        "p/refs/a.md": "../docs/a.md",
        "p/refs/out.md": "../../../secret.md",
        "p/refs/absolute.md": str(tmp_path / "secret.md"),
        "p/refs/loop.md": "loop.md",
        "p/refs/gone.md": "gone-too.md",
        "p/up": "../..",
    }
    archive = tar_archive(tmp_path / "docs.tar", {"p/docs/a.md": b"# A"}, links, mode="w:")
    with open_source(archive) as source:
        assert source.paths() == ["docs/a.md", "refs/a.md"]
        assert source.read("refs/a.md") == b"# A"
        assert [warning.page for warning in source.warnings()] == [
            "p/refs/out.md",
            "p/refs/absolute.md",
            "p/refs/loop.md",
            "p/refs/gone.md",
            "p/up",
        ]
        assert {warning.message for warning in source.warnings()} == {
            "is a link that leads out of the archive or to nothing in it, and was left out"
        }


def test_a_link_whose_name_is_not_utf_8_is_told_of_in_characters_that_can_be_stored(tmp_path: Path) -> None:
    archive = tar_archive(tmp_path / "docs.tar", {"a.md": b"# A"}, {"caf\udce9.md": "gone.md"}, mode="w:")
    with open_source(archive) as source:
        assert [warning.page for warning in source.warnings()] == ["caf?.md"]


def test_an_archive_of_many_links_warns_of_the_first_hundred(tmp_path: Path) -> None:
    links = {f"{number:03}.md": "gone.md" for number in range(150)}
    with open_source(tar_archive(tmp_path / "docs.tar", {"a.md": b"# A"}, links, mode="w:")) as source:
        assert [warning.page for warning in source.warnings()] == [f"{number:03}.md" for number in range(100)]


def test_no_member_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    target = tmp_path / "target"
    target.mkdir()
    path = tmp_path / "docs.tar"
    with tarfile.open(path, "w") as archive:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "../outside"
        archive.addfile(link)
        info = tarfile.TarInfo("link/evil.md")
        info.size = 4
        archive.addfile(info, io.BytesIO(b"evil"))
    unpack(path, target)
    assert list((tmp_path / "outside").iterdir()) == []
    assert (target / "link" / "evil.md").read_bytes() == b"evil"


@pytest.mark.parametrize("name", ["../evil.md", "/etc/evil.md", "a/../../evil.md", "..\\evil.md", "C:\\evil.md"])
def test_a_member_that_would_leave_the_target_refuses_the_archive(tmp_path: Path, name: str) -> None:
    for archive in (
        tar_archive(tmp_path / "docs.tar.gz", {name: b"x"}, mode="w:gz"),
        zip_archive(tmp_path / "docs.zip", {name: b"x"}),
    ):
        with pytest.raises(SourceError, match=r"would leave its folder .* Pack it with relative paths"):
            unpack(archive, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs.tar.gz", "docs.zip"]


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (UnpackLimits(members=2), "more than 2 members"),
        (UnpackLimits(total_bytes=1500), "unpacks to too much at 'b.md'"),
        (UnpackLimits(file_bytes=999), "unpacks to too much at 'a.md'"),
    ],
)
def test_an_archive_beyond_the_limits_is_refused(tmp_path: Path, limits: UnpackLimits, message: str) -> None:
    files = {"a.md": b"x" * 1000, "b.md": b"x" * 1000, "c.md": b""}
    for archive in (tar_archive(tmp_path / "docs.tar.xz", files), zip_archive(tmp_path / "docs.zip", files)):
        target = tmp_path / f"from-{archive.name}"
        target.mkdir()
        with pytest.raises(SourceError, match=message):
            unpack(archive, target, limits)


def test_a_bomb_in_a_tar_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "docs.tar.xz"
    with tarfile.open(path, "w:xz", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a.md")
        info.pax_headers = {"comment": "x" * 5_000_000}
        archive.addfile(info)
    with pytest.raises(SourceError, match="unpacks to too much"):
        unpack(path, tmp_path, UnpackLimits(members=10, total_bytes=1_000_000))


def test_a_zip_whose_header_lies_about_a_size_is_refused(tmp_path: Path) -> None:
    path = zip_archive(tmp_path / "docs.zip", {"a.md": b"x" * 100_000})
    path.write_bytes(path.read_bytes().replace((100_000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    target = tmp_path / "target"
    target.mkdir()
    with pytest.raises(SourceError, match="damaged"):
        unpack(path, target, UnpackLimits(file_bytes=1000))


def test_a_damaged_archive_says_so(tmp_path: Path) -> None:
    whole = tar_archive(tmp_path / "whole.tar.xz", {"a.md": b"x" * 100_000}).read_bytes()
    (tmp_path / "docs.tar.xz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceError, match=r"docs\.tar\.xz is damaged .* Download or pack it again"):
        unpack(tmp_path / "docs.tar.xz", tmp_path)


COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "tar": bytes,
    "tar.gz": gzip.compress,
    "tar.bz2": bz2.compress,
    "tar.xz": lzma.compress,
}


def _tar(*, end: bool = True) -> bytearray:
    """A tar of three members of 1,024 bytes each, header included; without its end mark on demand."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name in ("a.md", "b.md", "c.md"):
            info = tarfile.TarInfo(name)
            info.size = 100
            archive.addfile(info, io.BytesIO(name[:1].encode() * 100))
    return bytearray(stream.getvalue()[: None if end else 3 * 1024])


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_a_tar_that_is_cut_or_broken_between_members_is_refused(tmp_path: Path, suffix: str) -> None:
    broken_header, lone_zeros = _tar(), _tar()
    broken_header[1024] ^= 1
    lone_zeros[1024:1536] = bytes(512)
    cuts = [_tar()[:size] for size in (512, 1024, 1300, 1536, 2048, 3072)]
    path = tmp_path / f"docs.{suffix}"
    for data in (broken_header, lone_zeros, *cuts):
        path.write_bytes(COMPRESSIONS[suffix](bytes(data)))
        with pytest.raises(SourceError, match=r"docs\.tar.* is damaged \(.*Download or pack it again"):
            unpack(path, tmp_path)


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_a_tar_may_end_with_a_single_block_of_zeros(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"docs.{suffix}"
    path.write_bytes(COMPRESSIONS[suffix](bytes(_tar(end=False) + bytes(512))))
    with open_source(path) as source:
        assert source.paths() == ["a.md", "b.md", "c.md"]


@pytest.mark.parametrize(("suffix", "from_end"), [("tar.gz", 8), ("tar.bz2", 4), ("tar.xz", 40)])
def test_a_checksum_behind_the_end_of_the_tar_is_verified(tmp_path: Path, suffix: str, from_end: int) -> None:
    data = bytearray(COMPRESSIONS[suffix](bytes(_tar()) + bytes(500_000)))
    data[-from_end] ^= 1
    path = tmp_path / f"docs.{suffix}"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"is damaged|cannot be unpacked"):
        unpack(path, tmp_path)


def test_a_tar_of_unix_version_7_is_read(tmp_path: Path) -> None:
    data = _tar()
    for header in (0, 1024, 2048):
        data[header + 257 : header + 265] = bytes(8)  # magic and version
        data[header + 148 : header + 156] = b" " * 8
        data[header + 148 : header + 156] = b"%06o\0 " % sum(data[header : header + 512])
    (tmp_path / "docs.tar").write_bytes(data)
    with open_source(tmp_path / "docs.tar") as source:
        assert source.paths() == ["a.md", "b.md", "c.md"]
        assert source.read("b.md") == b"b" * 100


def test_a_zip_behind_a_program_is_read(tmp_path: Path) -> None:
    path = zip_archive(tmp_path / "docs.zip", {"a.md": b"A", "b.md": b"B"})
    path.write_bytes(b"#!/bin/sh\nexec unzip $0\n" + path.read_bytes())
    with open_source(path) as source:
        assert source.paths() == ["a.md", "b.md"]
        assert source.read("b.md") == b"B"


def test_an_encrypted_zip_says_so(tmp_path: Path) -> None:
    path = zip_archive(tmp_path / "docs.zip", {"a.md": b"x"})
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(SourceError, match="without a password"):
        unpack(path, tmp_path)


def test_members_whose_name_no_file_can_have_are_left_out_with_a_warning(tmp_path: Path) -> None:
    bad = {"a.md/below.md": b"", "folder": b"", "n" * 300: b"", "d/" * 100 + "e.md": b"", "": b""}
    archive = tar_archive(tmp_path / "docs.tar", {"a.md": b"# A", "folder/b.md": b"# B"} | bad, mode="w:")
    with open_source(archive) as source:
        assert source.paths() == ["a.md", "folder/b.md"]
        assert [warning.page for warning in source.warnings()] == [str(PurePosixPath(name)) for name in bad]
        assert {warning.message for warning in source.warnings()} == {
            "has a name that no file can have here (too long, too deep, or taken), and was left out"
        }


def test_folders_far_below_one_another_leave_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python removes a tree by calling itself for each level."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with tarfile.open(tmp_path / "docs.tar", "w", format=tarfile.GNU_FORMAT) as archive:
        for level in range(1, 1500):
            folder = tarfile.TarInfo("a/" * level)
            folder.type = tarfile.DIRTYPE
            archive.addfile(folder)
        archive.addfile(tarfile.TarInfo("b.md"))
    with open_source(tmp_path / "docs.tar") as source:
        assert source.paths() == ["b.md"]
    assert list(temporary.iterdir()) == []


def test_a_link_to_nothing_and_a_hard_link_to_a_folder_are_left_out(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "docs.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("folder/a.md"))
        for name, kind, target in (
            ("empty.md", tarfile.SYMTYPE, ""),
            ("hard", tarfile.LNKTYPE, "folder"),
            ("again.md", tarfile.LNKTYPE, "folder/a.md"),
            ("again.md", tarfile.SYMTYPE, "folder/a.md"),
        ):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = kind, target
            archive.addfile(link)
    with open_source(tmp_path / "docs.tar") as source:
        assert source.paths() == ["again.md", "folder/a.md"]
        assert [warning.page for warning in source.warnings()] == ["empty.md", "hard", "again.md"]


def _packed() -> list[bytes]:
    streams = [io.BytesIO() for _ in range(3)]
    with zipfile.ZipFile(streams[0], "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.md", "text" * 50)
        archive.writestr("b/c.md", "")
    for stream, kind in zip(streams[1:], (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT), strict=True):
        with tarfile.open(fileobj=stream, mode="w", format=kind) as tar:
            for name in ("a.md", "n" * 120 + ".md"):
                tar.addfile(tarfile.TarInfo(name))
    return [stream.getvalue() for stream in streams]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(_packed()), st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=6)), max_size=5))
def test_whatever_is_broken_is_an_error_of_the_source(whole: bytes, changes: list[tuple[int, bytes]]) -> None:
    data = bytearray(whole)
    for place, change in changes:
        data[place % len(data) : place % len(data) + len(change)] = change
    with TemporaryDirectory() as folder:
        archive = Path(folder, "docs.archive")
        archive.write_bytes(data)
        with suppress(SourceError):
            unpack(archive, Path(folder))


def test_an_empty_archive_holds_no_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "docs.zip", "w"):
        pass
    with pytest.raises(SourceError, match="holds no files"), open_source(tmp_path / "docs.zip"):
        pass


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("corpus", "version"), [("metabase", "v0.63"), ("pg-aiguide", "0.5.1"), ("timescale", "2024-10-23")]
)
def test_real_archives_open_with_every_file_that_is_not_hidden(corpus: str, version: str) -> None:
    files = {path: data for path, data in corpus_files(corpus, version).items() if not path.startswith(".")}
    visible = {path: data for path, data in files.items() if "/." not in path}
    with open_source(corpus_archive(corpus, version)) as source:
        read = {path: source.read(path) for path in source.paths()}
    assert {path: read[path] for path in visible} == visible
