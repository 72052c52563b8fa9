import pytest

from docs_search.parsing.rst.configuration import Configuration, read_configuration


def test_plain_values_are_read() -> None:
    configuration = read_configuration(
        b"""
extlinks = {"Issue": ("https://issues.example/%s", "issue %s"), "man": ("https://man.example/%s", None), "bad": "x"}
rst_epilog = '''
.. |x| replace:: y
'''
source_suffix = {".rst": "restructuredtext", ".txt": "restructuredtext"}
default_role = "any"
primary_domain = None
highlight_language = "c"
"""
    )
    assert configuration == Configuration(
        epilog="\n.. |x| replace:: y\n",
        external_links={"issue": ("https://issues.example/%s", "issue %s"), "man": ("https://man.example/%s", "")},
        default_role="any",
        primary_domain="",
        language="c",
        suffixes=(".rst", ".txt"),
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"def broken(:\n",
        b"rst_epilog = open('/etc/passwd').read()\nextlinks = dict(a=1)\nexclude_patterns += ['x']\n",
        b"rst_epilog, x = 'a', 'b'\nhighlight_language = 7\n",
        b"rst_prolog = " + b"(" * 5_000,
        b"rst_prolog = '\x00'\n\xff",
    ],
)
def test_what_only_running_the_file_would_tell_has_its_default(data: bytes) -> None:
    assert read_configuration(data) == Configuration()


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("drafts", "drafts/a.rst", True),
        ("drafts/", "drafts/deep/a.rst", True),
        ("*.inc.rst", "a.inc.rst", True),
        ("*.inc.rst", "deep/a.inc.rst", False),
        ("**/a.rst", "deep/er/a.rst", True),
        ("**/a.rst", "a.rst", True),
        ("x?.rst", "xy.rst", True),
        ("a.rst", "a.rst.rst", False),
    ],
)
def test_globs_exclude_what_sphinx_would(glob: str, path: str, expected: bool) -> None:
    (pattern,) = read_configuration(f"exclude_patterns = [{glob!r}]".encode()).excluded
    assert (pattern.fullmatch(path) is not None) is expected
