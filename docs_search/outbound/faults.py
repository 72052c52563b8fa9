"""Which faults of a provider may pass, for callers that ask one again."""

import httpx

RETRYABLE_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
# What the same request meets again: an address, a key or a text that cannot be sent, a reply that cannot be unpacked.
LASTING_FAULTS = (
    httpx.InvalidURL,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    httpx.DecodingError,
    httpx.TooManyRedirects,
    UnicodeEncodeError,
)
