"""The body of a response, decompressed as it arrives and no further than a limit."""

import zlib
from collections.abc import Iterable, Iterator

_GZIP = zlib.MAX_WBITS | 16


class BodyTooLarge(Exception):
    """More bytes, after decompression, than the limit."""


class BodyUnreadable(Exception):
    """Not compressed in the way that the header says, or in one that was not asked for."""


def bounded_body(chunks: Iterable[bytes], encoding: str, limit: int) -> Iterator[bytes]:
    """Pieces of the body with `encoding` (the Content-Encoding header) undone, at most `limit` bytes in all.

    What is decompressed at once has at most `limit` bytes and one, so that a bomb ends there as well. Raises
    BodyTooLarge and BodyUnreadable.
    """
    match encoding.strip().lower():
        case "" | "identity":
            pieces = iter(chunks)
        case "gzip" | "x-gzip":
            pieces = _gunzip(chunks, limit)
        case other:
            raise BodyUnreadable(f"its encoding {other[:40]!r} was not asked for")
    for piece in pieces:
        limit -= len(piece)
        if limit < 0:
            raise BodyTooLarge
        yield piece


def _gunzip(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """Decompressed pieces of up to `limit` + 1 bytes; several gzip members may follow one another."""
    decoder = zlib.decompressobj(_GZIP)
    started = False
    for chunk in chunks:
        data = chunk
        while data:
            if decoder.eof:
                if not data.startswith(b"\x1f"):  # padding behind the end, which every decoder passes over
                    return
                decoder = zlib.decompressobj(_GZIP)
            started = True
            try:
                piece = decoder.decompress(data, limit + 1)
            except zlib.error as error:
                raise BodyUnreadable(f"it is not compressed as it says: {error}") from error
            data = decoder.unused_data if decoder.eof else decoder.unconsumed_tail
            if piece:
                yield piece
    if started and not decoder.eof:
        raise BodyUnreadable("its compressed form is cut off")
