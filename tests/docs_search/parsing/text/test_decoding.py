import pytest

from docs_search.parsing.text.decoding import decode


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_the_encoding(encoding: str) -> None:
    assert decode("naïve ✓ text\n".encode(encoding)) == ("naïve ✓ text\n", ())


def test_bytes_that_are_no_utf_8_are_read_as_windows_1252_with_a_warning() -> None:
    assert decode("“naïve” ".encode("cp1252") + "✓".encode()) == ("“naïve” ✓", ("not valid UTF-8 at byte 0",))


def test_a_cut_utf_16_document_is_read_with_a_warning() -> None:
    assert decode("text".encode("utf-16")[:-1]) == ("tex�", ("not valid UTF-16-LE at byte 6",))


def test_line_ends_become_newlines_and_control_characters_go() -> None:
    assert decode(b"a\r\nb\rc\x00\x07\x0cd\te\xef\xbb\xbf") == ("a\nb\ncd\te", ())


def test_hints_where_a_line_may_break_are_no_part_of_a_name() -> None:
    assert decode("a_\u200blong_\u00adname &shy;".encode())[0] == "a_long_name &shy;"
