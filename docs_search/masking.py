"""Take secrets and personal data out of what readers type, before it is stored.

Readers paste connection strings, configuration files and error logs into a search box. Masking is by shape and errs
on the side of masking, but leaves what a documentation is asked about: names of settings, error codes, versions.
"""

import re
from collections.abc import Callable
from ipaddress import ip_address

SECRET, EMAIL, ADDRESS, NUMBER = "[secret]", "[email]", "[address]", "[number]"

# Every expression takes linear time: what can match in several ways is bounded, or ends the match. Possessive repeats
# (`?+`) and atomic groups keep what stands before a value from giving way, so that a masked value is not masked again.
_NAMES = (
    r"password|passwd|passphrase|(?<![a-z])pass|(?<![a-z])pwd|secret|token|credentials?"
    r"|(?:api|access|secret|private|encryption|signing|license|auth|account)[_-]?key"
)
_VALUE = r"""(?!\[secret\])(?:"[^"\n]*"?|'[^'\n]*'?|[^\s"',;&)}\]]+)"""
_TOKENS = (
    r"sk-[\w-]{16,}",  # OpenAI, Anthropic
    r"[spr]k_(?:live|test)_\w{10,}",  # Stripe
    r"gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}",
    r"xox[a-z]-[\w-]{10,}",  # Slack
    r"(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}",  # AWS, Google
    r"(?:npm|hf)_[0-9A-Za-z]{30,}|pypi-[\w-]{30,}|dckr_pat_[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}",
    r"mb_[0-9A-Za-z+/]{30,}={0,2}",  # Metabase
    r"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?",  # JSON Web Token
)


def mask_secrets(text: str) -> str:
    """`text` with passwords, keys, tokens, e-mail and public IP addresses and card numbers replaced, in linear time."""
    for pattern, replacement in _MASKS:
        text = pattern.sub(replacement, text)
    return text


def _mask_random(match: re.Match[str]) -> str:
    """Long runs that mix cases and digits are keys; words joined by separators, as in paths and settings, are not."""
    for piece in re.split(r"[+/_-]", match[0]):
        classes = (r"[a-z]", r"[A-Z]", r"[0-9].*[0-9]")
        if len(piece) >= 16 and all(re.search(one, piece) for one in classes):
            return SECRET
    return match[0]


def _mask_ip_address(match: re.Match[str]) -> str:
    """Private and loopback addresses say nothing about a reader, and 1.50.21.3 or `a::` are hardly hosts."""
    try:
        is_global = ip_address(match[0]).is_global
    except ValueError:
        return match[0]
    is_likely = len(re.findall(r"[0-9a-fA-F]+", match[0])) >= 3 and not match[0].startswith("1.")
    return ADDRESS if is_global and is_likely else match[0]


def _mask_card_number(match: re.Match[str]) -> str:
    """Card numbers have a Luhn check digit."""
    digits = [int(digit) for digit in match[0] if digit.isdecimal()]
    doubled = (digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2])
    return NUMBER if (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0 else match[0]


_Replacement = str | Callable[[re.Match[str]], str]
_MASKS: list[tuple[re.Pattern[str], _Replacement]] = [
    (re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}KEY-----|\Z)", re.DOTALL), SECRET),
    (re.compile(r"(://[^\s:/@]{0,200}:)[^\s/]{1,300}@"), rf"\1{SECRET}@"),
    (
        re.compile(
            r"(authorization[\"']?\s{0,3}[:=]\s{0,3}+[\"']?+(?>(?:(?:bearer|basic|token|apikey)\s{1,3})?))" + _VALUE,
            re.IGNORECASE,
        ),
        rf"\1{SECRET}",
    ),
    (re.compile(r"(\b(?:bearer|basic)\s{1,3})(?=[^\s\d]{0,300}\d)[\w.~+/=-]{16,}", re.IGNORECASE), rf"\1{SECRET}"),
    (re.compile(rf"((?:{_NAMES})[\"']?\s{{0,3}}(?>=>|:=|=|:)\s{{0,3}}+){_VALUE}", re.IGNORECASE), rf"\1{SECRET}"),
    (re.compile(rf"(--(?:{_NAMES})\s{{1,3}}+){_VALUE}", re.IGNORECASE), rf"\1{SECRET}"),
    (re.compile(r"((?:password|identified by)\s{1,3})'[^'\n]*'?", re.IGNORECASE), rf"\1{SECRET}"),
    (re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(_TOKENS)})"), SECRET),
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{32,}\b", re.IGNORECASE), SECRET),
    (re.compile(r"[0-9A-Za-z+/_-]{24,}={0,2}"), _mask_random),
    (re.compile(r"[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"), EMAIL),
    (re.compile(r"(?<![\w.])[3-6](?:[ -]?\d){12,18}(?![\w.])", re.ASCII), _mask_card_number),
    (re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)", re.ASCII), _mask_ip_address),
    (re.compile(r"(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:.])", re.IGNORECASE), _mask_ip_address),
]
