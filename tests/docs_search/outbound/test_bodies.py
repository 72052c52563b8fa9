import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.outbound.bodies import BodyTooLarge, BodyUnreadable, bounded_body

TEXT = b"A line of text.\n" * 1000


def _chunks(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_a_compressed_body_is_undone_in_whatever_portions_it_comes(size: int) -> None:
    assert b"".join(bounded_body(_chunks(TEXT, size), "", len(TEXT))) == TEXT
    assert b"".join(bounded_body(_chunks(gzip.compress(TEXT), size), "GZIP", len(TEXT))) == TEXT
    members = gzip.compress(TEXT[:500]) + gzip.compress(TEXT[500:]) + bytes(20)
    assert b"".join(bounded_body(_chunks(members, size), "x-gzip", len(TEXT))) == TEXT


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_one_byte_too_many_is_too_large(encoding: str) -> None:
    data = gzip.compress(TEXT) if encoding == "gzip" else TEXT
    with pytest.raises(BodyTooLarge):
        list(bounded_body([data], encoding, len(TEXT) - 1))


def test_a_bomb_is_unpacked_no_further_than_the_limit() -> None:
    compressed = iter([gzip.compress(bytes(1_000_000)) for _ in range(50)])
    with pytest.raises(BodyTooLarge):
        list(bounded_body(compressed, "gzip", 10_000))
    assert len(list(compressed)) == 49


def test_a_bomb_of_many_members_ends_at_the_limit() -> None:
    with pytest.raises(BodyTooLarge):
        list(bounded_body([gzip.compress(bytes(1000)) * 1000], "gzip", 10_000))


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (gzip.compress(TEXT)[:-5], "gzip"),
        (b"no gzip at all", "gzip"),
        (gzip.compress(gzip.compress(TEXT)), "gzip, gzip"),
        (b"", "br"),
    ],
)
def test_a_body_that_is_not_what_its_header_says_cannot_be_read(data: bytes, encoding: str) -> None:
    with pytest.raises(BodyUnreadable):
        list(bounded_body([data], encoding, 1_000_000))


def test_no_bytes_are_an_empty_body_in_every_encoding() -> None:
    assert list(bounded_body([], "gzip", 10)) == []


@settings(max_examples=100, deadline=None)
@given(
    st.binary(max_size=200), st.sampled_from(["", "gzip", "identity", "gzip, gzip"]), st.integers(0, 300), st.booleans()
)
def test_whatever_comes_is_bounded_or_one_of_two_errors(data: bytes, encoding: str, limit: int, packed: bool) -> None:
    sent = gzip.compress(data) if packed else data
    try:
        body = b"".join(bounded_body(_chunks(sent, 9), encoding, limit))
    except (BodyTooLarge, BodyUnreadable):
        return
    assert len(body) <= limit
    if packed or encoding != "gzip":
        assert body == (data if encoding == "gzip" else sent)
