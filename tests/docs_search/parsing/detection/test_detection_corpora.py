import pytest

from docs_search.parsing.detection.detect import detect
from docs_search.parsing.detection.families import Family
from tests.corpora import corpus_files


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("corpus", "version", "family", "parser", "root"),
    [
        ("metabase", "v0.48", Family.MARKDOWN, "metabase", "docs/"),
        ("metabase", "v0.63", Family.MARKDOWN, "metabase", "docs/"),
        ("timescale", "2024-10-23", Family.MARKDOWN, "tiger", ""),
        ("pg-aiguide", "0.5.1", Family.MARKDOWN, "markdown", ""),
        ("postgresql", "17", Family.HTML, "html", ""),
        ("postgis", "3.3", Family.HTML, "html", ""),
        ("postgis", "3.6", Family.HTML, "html", ""),
        ("django", "5.2", Family.HTML, "html", ""),
    ],
)
def test_real_documentation_is_known(corpus: str, version: str, family: Family, parser: str, root: str) -> None:
    files = corpus_files(corpus, version)
    detection = detect(sorted(files), files.get)
    assert (detection.parsers, detection.root) == ({family: parser}, root)


@pytest.mark.corpora
@pytest.mark.parametrize("folder", ["questions/", "embedding/", "configuring-metabase/", "permissions/"])
def test_folders_of_real_documentation_are_known_without_the_rest(folder: str) -> None:
    files = {
        path.removeprefix(f"docs/{folder}"): data
        for path, data in corpus_files("metabase", "v0.63").items()
        if path.startswith(f"docs/{folder}")
    }
    assert detect(sorted(files), files.get).parsers == {Family.MARKDOWN: "metabase"}
