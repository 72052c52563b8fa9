"""Titles without the names of sites and the numbers of chapters, and descriptions that are about one page."""

import pytest
from lxml.etree import _Element

from docs_search.parsing.html.document import parse_html
from docs_search.parsing.html.titles import announces, document_summary, document_title, without_number


def _document(head: str) -> _Element:
    root, _ = parse_html(
        f"<html><head>{head}</head><body><svg><title>Icon</title></svg><p>x</p></body></html>".encode()
    )
    assert root is not None
    return root


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("19.4. Resource Consumption", "Resource Consumption"),
        ("Chapter 3. Ponds", "Ponds"),
        ("Appendix B: Units", "Units"),
        ("A.1. Codes", "Codes"),
        ("1. Introduction", "Introduction"),
        ("7 ways to fill a pond", "7 ways to fill a pond"),
        ("2. parties agree", "2. parties agree"),
        ("3.11 Changes", "3.11 Changes"),
        ("C#", "C#"),
    ],
)
def test_headings_lose_the_numbers_of_chapters(heading: str, expected: str) -> None:
    assert without_number(heading) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<title>Ponds | Water | Site</title>", "Ponds"),
        ("<title>Ponds - how to - Site</title>", "Ponds - how to"),
        ("<title>4.2.\n Ponds &#8212; Site 2.0 documentation</title>", "Ponds"),
        ('<title>Site: Ponds</title><meta property="og:site_name" content="Site">', "Ponds"),
        ('<title>Ponds: small ones</title><meta property="og:site_name" content="Site">', "Ponds: small ones"),
        ('<title>Ponds · Site</title><meta property="og:title" content="Ponds">', "Ponds"),
        ('<meta property="og:title" content="Ponds">', "Ponds"),
        ("<title>Ponds (The Book 1.2)</title>", "Ponds"),
        ("<title>ponds(1)</title>", "ponds(1)"),
        ("<title>Ponds</title>", "Ponds"),
        ("", ""),
    ],
)
def test_the_head_gives_a_title_without_the_name_of_the_site(head: str, expected: str) -> None:
    assert document_title(_document(head)) == expected


def test_a_heading_is_announced_by_a_part_of_the_title_in_the_head() -> None:
    assert announces("Site » 3. Ponds — Handbook", "Ponds")
    assert not announces("Small Ponds — Handbook", "Ponds")
    assert announces("Handbook: Class: Pond", "Class: Pond")
    assert announces("Ponds (The Book 1.2)", "Ponds")


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("How to fill ponds.", "How to fill ponds."),
        ("Water goes into a hole", "Water goes into a hole"),
        ("Pondworks, the handbook of all that lives", None),
        ("", None),
        ("Ponds", None),
        ("Ponds | Pondworks", None),
        ("declaration: package: org.pond, class: Ponds", None),
    ],
)
def test_a_description_of_the_whole_site_is_no_summary(description: str, expected: str | None) -> None:
    document = _document(f'<title>Ponds | Pondworks</title><meta name="description" content="{description}">')
    assert document_summary(document, "Ponds", "Water goes into the hole by a hose.") == expected
