"""Odd documents next to a good one: they cost a warning, never the run."""

import random
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_search.indexing.ingest import IndexReport, ingest
from docs_search.models import Corpus, Page, Passage
from docs_search.sources import SourceError
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = pytest.mark.django_db(transaction=True)

GOOD = "# Backup\n\nRun the dump every night, and copy the file to another building in another town.\n"
# Letters that no compression makes short enough for an index.
NOISE = "".join(random.Random(1).choices(string.ascii_lowercase, k=50_000))
ESCAPES = r"\0\uD800\uDFFF\x01"


@pytest.fixture(autouse=True)
def _scripted_embedder() -> Iterator[None]:
    with use_embedder(ScriptedEmbedder()):
        yield


def _ingest(folder: Path, parser: str = "markdown") -> IndexReport:
    corpus = Corpus.objects.first() or make_corpus("manual", parser=parser)
    return ingest(corpus, "17", location=str(folder))


def _warnings(report: IndexReport) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for warning in report.warnings:
        found.setdefault(warning.page, []).append(warning.message)
    return found


@pytest.mark.parametrize("parser", ["markdown", "metabase"])
def test_escapes_in_front_matter_do_not_reach_the_index(tmp_path: Path, parser: str) -> None:
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "odd.md").write_text(
        f'---\ntitle: "Odd{ESCAPES}"\nsummary: "Sum{ESCAPES}"\nredirect_from: ["old{ESCAPES}", "{ESCAPES}"]\n'
        f'"x{ESCAPES}": "{ESCAPES}"\n---\n{{{{ page.x }}}} &#0; &#xD800; %00 [a](%00) [b](good.md#%00)\n\n{GOOD}'
    )

    report = _ingest(tmp_path, parser)

    assert report.pages_written == ["good", "odd"]
    assert _warnings(report) == {"odd.md": ["front matter has escapes of characters that are no text"]}
    page = Page.objects.get(path="odd")
    assert (page.title, page.aliases, page.links) == ("Odd", ["old"], ["good"])


def test_paths_beyond_what_an_index_holds_are_left_out_with_a_warning(tmp_path: Path) -> None:
    folder = tmp_path / "/".join(NOISE[start : start + 200] for start in range(0, 1000, 200))
    folder.mkdir(parents=True)
    (folder / "deep.md").write_text(GOOD)
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "aliased.md").write_text(f"---\nredirect_from:\n  - {NOISE}\n  - /old\n---\n{GOOD}")

    report = _ingest(tmp_path)

    assert report.pages_written == ["aliased", "good"]
    assert Page.objects.get(path="aliased").aliases == ["old"]
    deep = (folder / "deep.md").relative_to(tmp_path).as_posix()
    assert _warnings(report) == {
        "aliased.md": ["an old path is longer than 1000 bytes, and was left out"],
        deep: ["has a path of more than 1000 bytes, and was left out"],
    }


def test_the_longest_paths_that_are_kept_fit_into_the_indexes(tmp_path: Path) -> None:
    folder = tmp_path / "/".join(NOISE[start : start + 199] for start in range(0, 995, 199))
    folder.mkdir(parents=True)
    path = f"{folder.relative_to(tmp_path).as_posix()}/"
    (folder / "index.md").write_text(GOOD)
    (tmp_path / "page.md").write_text(f"---\nredirect_from: {NOISE[:1000]}\n---\n{GOOD}\n[deep]({path}index.md)\n")

    report = _ingest(tmp_path)

    assert (report.pages, report.warnings) == (2, [])
    assert Page.objects.get(path="page").links == [path.removesuffix("/")]


@pytest.mark.parametrize(
    ("document", "warning"),
    [
        (f"## {'long heading ' * 17_000}\n\n", "a heading is longer than 400 characters, and was shortened"),
        (f"---\ntitle: {'long ' * 10_000}\n---\n", "the title is longer than 400 characters, and was shortened"),
        (f"# {NOISE}\n\n", "a heading is longer than 400 characters, and was shortened"),
    ],
)
def test_a_huge_heading_is_not_repeated_in_every_passage_below_it(tmp_path: Path, document: str, warning: str) -> None:
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "odd.md").write_text(document + "".join(f"### S {number}\n\n{GOOD[10:]}\n" for number in range(100)))

    report = _ingest(tmp_path)

    assert report.pages_written == ["good", "odd"]
    assert warning in _warnings(report)["odd.md"]
    paths = Passage.objects.filter(page__path="odd").values_list("heading_path", flat=True)
    assert len(paths) > 100
    assert max(len("".join(path)) for path in paths) < 900


@pytest.mark.parametrize(
    "text",
    [
        NOISE,
        NOISE * 40,
        "x" * 2_000_000,
        "é" * 500_000,
        f"`{NOISE}`",
        f"[{NOISE}]({NOISE})",
        f"| {NOISE} |\n|-|\n",
        "\\",
    ],
    ids=["word", "long word", "one letter", "two bytes", "code", "link", "table", "backslash"],
)
def test_words_without_an_end_are_indexed(tmp_path: Path, text: str) -> None:
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "odd.md").write_text(f"{GOOD}\n\n{text}\n")
    assert _ingest(tmp_path).pages_written == ["good", "odd"]


def test_a_name_that_no_address_can_have_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "back\\slash.md").write_text(GOOD)
    (tmp_path / "two\nlines.md").write_text(GOOD)
    message = "has a backslash or a control character in its name, and cannot be asked for by its address"

    report = _ingest(tmp_path)

    assert (report.pages, _warnings(report)) == (3, {"back\\slash.md": [message], "two\nlines.md": [message]})


def test_a_document_that_cannot_be_read_ends_the_run_and_removes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "other.md").write_text(GOOD)
    _ingest(tmp_path)
    read_bytes = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "other.md":
            raise OSError(5, "Input/output error")
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(SourceError, match=r"other\.md cannot be read: Input/output error"):
        _ingest(tmp_path)
    assert Page.objects.count() == 2


def test_documents_of_several_formats_are_read_and_of_one_address_markdown_is_kept(tmp_path: Path) -> None:
    (tmp_path / "pond.rst").write_text(
        "Pond\n====\n\nThe other pond, about which nobody has to know anything at all.\n"
    )
    (tmp_path / "pond.md").write_text(GOOD)
    (tmp_path / "shore.rst").write_text("Shore\n=====\n\n.. note::\n\n   Keep to the path along the water at night.\n")
    (tmp_path / "openapi.yaml").write_text(
        "openapi: 3.1.0\ninfo: {title: Fish, version: '1'}\npaths:\n  /fish:\n    get:\n      summary: List all fish\n"
        "      responses: {'200': {description: The fish of the pond in the order of their names}}\n"
    )

    report = _ingest(tmp_path, "auto")

    assert report.pages_written == ["openapi", "pond", "shore"]
    assert _warnings(report) == {"pond.rst": ["has the same address as pond.md, and was left out"]}
    assert Page.objects.get(path="pond").title == "Backup"
