"""Regular expressions keep to what every Python from 3.11.0 on matches correctly.

Up to Python 3.11.4 (Debian 12 has 3.11.2) a possessive repeat of a group goes wrong where the group fails after some
of its characters matched: `(?:ab?c)++` takes all of "aca", not its first two characters
(https://github.com/python/cpython/issues/106052). Several later versions raise SystemError where such a group captures
(https://github.com/python/cpython/issues/101955). Possessive repeats of one character or class, and atomic groups, are
right in all. Best, make the alternatives in a group exclude each other and what follows it: a plain repeat then matches
the same, in linear time.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Escapes and classes are consumed, so that their parentheses are not taken for groups; `()` alone is no pattern.
_PART = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\)|(?P<fault>\)(?:[*+?]|\{\d*,?\d*\})\+)|.",
    re.DOTALL,
)


def _strings(source: str) -> Iterator[tuple[int, str]]:
    """Every string of a module with its line. What an f-string fills in counts as a group."""
    tree = ast.parse(source)
    nested = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (str(part.value) if isinstance(part, ast.Constant) else "(?:_)" for part in node.values)
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in nested:
            yield node.lineno, node.value


def _faults(source: str) -> list[tuple[int, str]]:
    """Line and text of each possessive repeat of a group."""
    return [
        (line, match["fault"])
        for line, string in _strings(source)
        for match in _PART.finditer(string)
        if match["fault"] is not None
    ]


def test_no_pattern_repeats_a_group_possessively() -> None:
    folders = [path for path in ROOT.glob("[!.]*/") if not (path / "pyvenv.cfg").exists()]
    paths = [path for folder in folders for path in folder.rglob("*.py") if path != Path(__file__)]
    found = {str(path.relative_to(ROOT)): _faults(path.read_text(encoding="utf-8")) for path in paths}
    assert "docs_search/parsing/text/plain_text.py" in found
    assert {path: faults for path, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('r"(?:ab?c)*+"', ")*+"),
        ('r"(ab?c)++"', ")++"),
        ('r"(?:ab?c)?+"', ")?+"),
        ('r"(?:ab?c){1,3}+"', "){1,3}+"),
        ('r"(?:ab?c){2}+"', "){2}+"),
        ('r"(?:[^)]|b)*+"', ")*+"),
        ('rf"(?:{A}|b)++"', ")++"),
        ('rf"{A}*+"', ")*+"),
        ('r"(?:a" r"b)" r"*+"', ")*+"),
    ],
)
def test_a_possessive_group_is_found(source: str, fault: str) -> None:
    assert _faults(f"x = 1\ny = {source}\n") == [(2, fault)]


@pytest.mark.parametrize(
    "source",
    [
        r'r"\w*+[^x]++`{3,}+"',
        r'r"\(\)*+"',
        r'r"[()*+]++"',
        r'r"(?:a)*"',
        r'r"(?:a)+?\+"',
        r'r"(?>(?:ab?c)*)"',
        '''"!$&'()*+,;="''',
    ],
)
def test_other_repeats_are_left_alone(source: str) -> None:
    assert _faults(f"x = {source}\n") == []
