"""Bytes to an element tree, whatever state they are in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.parsing.html.document import parse_html, text_of


def _read(data: bytes) -> tuple[str, list[str]]:
    root, warnings = parse_html(data)
    assert root is not None
    return " ".join(text_of(root).split()), warnings


def test_xhtml_without_a_charset_is_utf8() -> None:
    data = '<?xml version="1.0" encoding="UTF-8" standalone="no"?><!DOCTYPE html><html><body>Größe → 1</body></html>'
    assert _read(data.encode()) == ("Größe → 1", [])


def test_elements_written_as_empty_are_empty() -> None:
    root, _ = parse_html(b'<html><body><div class="titlepage"/><p>x</p></body></html>')
    assert root is not None
    assert [element.tag for element in root.iter()] == ["html", "body", "div", "p"]
    assert [len(element) for element in root.iter("div")] == [0]


def test_another_declared_encoding_is_read_with_it() -> None:
    head = '<html><head><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"></head><body>'
    assert _read(f"{head}検索</body></html>".encode("shift_jis")) == ("検索", [])


def test_undeclared_bytes_that_are_no_utf8_are_read_as_windows_1252_with_a_warning() -> None:
    assert _read(b"<html><body>caf\xe9</body></html>") == ("café", ["not valid UTF-8 at byte 15"])


def test_valid_utf8_wins_over_a_wrong_declaration() -> None:
    assert _read('<html><head><meta charset="latin-1"></head><body>café</body></html>'.encode()) == ("café", [])


def test_a_declaration_of_no_known_encoding_is_ignored() -> None:
    text, warnings = _read(b'<html><head><meta charset="hex"></head><body>caf\xe9</body></html>')
    assert (text, len(warnings)) == ("café", 1)


def test_a_byte_order_mark_decides() -> None:
    assert _read("\ufeff<html><body>Größe</body></html>".encode("utf-16-le")) == ("Größe", [])


def test_a_truncated_document_keeps_what_there_is_and_warns() -> None:
    assert _read(b"<html><body><p>one</p><p>tw") == ("onetw", ["ends without </html>, so it may be truncated"])


def test_what_is_lost_to_too_deep_nesting_is_warned_of() -> None:
    _, warnings = _read(b"<html><body>" + b"<div>x" * 5000 + b"</body></html>")
    assert warnings == ["elements are nested too deeply: what follows is left out"]


@pytest.mark.parametrize("data", [b"", b" \n", b"<!-- only a comment", b'<?xml version="1.0"?>'])
def test_nothing_to_read_gives_no_tree(data: bytes) -> None:
    assert parse_html(data)[0] is None


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(data: bytes) -> None:
    root, _ = parse_html(data)
    assert root is None or "\x00" not in text_of(root)


def test_hints_where_a_line_may_break_are_no_part_of_a_name() -> None:
    data = b"<html><body>a_&#8203;very_&#x200B;long_&shy;name&ZeroWidthSpace;_<wbr>end&#xad;s &amp;shy;</body></html>"
    assert _read(data) == ("a_very_long_name_ends &shy;", [])
