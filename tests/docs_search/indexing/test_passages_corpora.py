"""Cutting real manuals, where they are at hand, with the tokens of the bundled model."""

from pathlib import Path

import pytest

from docs_search.documents import ParseContext, ParsedPage, Parser
from docs_search.embedding.minilm import MiniLM
from docs_search.indexing.navigation import is_navigation, is_stub
from docs_search.indexing.passages import cut
from docs_search.parsing.dialects.jekyll.metabase import MetabaseParser
from docs_search.parsing.docbook.parser import DocBookParser
from docs_search.parsing.text.plain_text import plain_text
from tests.corpora import corpus_files

pytestmark = pytest.mark.corpora


def pages(corpus: str, version: str, parser: Parser) -> list[ParsedPage]:
    files = corpus_files(corpus, version)
    context = ParseContext(version, frozenset(files), files.get, lambda path: f"https://docs.example/{path}")
    parsed = (parser.parse(path, files[path], context) for path in sorted(files) if parser.is_page(path))
    return [page for page in parsed if page]


@pytest.mark.parametrize(
    ("corpus", "version", "parser"),
    [
        ("postgresql", "17", DocBookParser()),
        ("postgis", "3.5", DocBookParser()),
        ("metabase", "v0.63", MetabaseParser()),
    ],
)
def test_a_manual_is_cut_within_the_window_and_without_loss(
    corpus: str, version: str, parser: Parser, tmp_path: Path
) -> None:
    embedder = MiniLM(tmp_path, threads=1)
    without_passages = []
    for page in pages(corpus, version, parser):
        chunks = cut(page, count_tokens=embedder.count_tokens, max_tokens=embedder.max_tokens)
        if not chunks:
            without_passages.append(page)
            continue
        texts = [chunk.text for chunk in chunks]
        assert embedder.count_tokens(texts) == [chunk.token_count for chunk in chunks], page.path
        assert max(chunk.token_count for chunk in chunks) <= embedder.max_tokens, page.path
        found = {word for text in texts for word in text.split()}
        for section in page.sections:
            if not is_navigation(section):
                read = {word for block in section.blocks for word in plain_text(block.markdown).split()}
                # Longer ones may have been cut, and code without a letter or digit is no passage.
                lost = {word for word in read - found if word.isalnum() and len(word) < 100}
                assert not lost, (page.path, section.heading)
    assert all(is_stub(page) or all(map(is_navigation, page.sections)) for page in without_passages)
