"""Folders and files of a repository that are no documentation of its product."""

import posixpath
import re

NEVER = frozenset({"node_modules", "bower_components", "__pycache__", "site-packages"})
"""Folders that hold what others wrote, wherever they stand."""

TESTS = frozenset(
    """
    vendor third_party third-party test tests testdata __tests__ fixtures __fixtures__ __mocks__ e2e benchmarks
    """.split()
)
"""Folders of a program's repository, in lower case, whose documents are none of its manual."""

BESIDE_DOCS = TESTS | frozenset(
    """
    spec specs example examples examplesite demo demos template templates starters sample samples
    versioned_docs i18n locale locales
    """.split()
)
"""Folders of a repository whose documents and configuration do not tell where its manual is."""

_COMMUNITY = re.compile(
    r"(?:README|CHANGE(?:S|LOG)|HISTORY|NEWS|CONTRIBUT(?:ING|ORS)|CODE[_-]OF[_-]CONDUCT|SECURITY|SUPPORT|GOVERNANCE"
    r"|MAINTAINERS|AUTHORS|CREDITS|ROADMAP|TODO|LICEN[CS]E|COPYING|NOTICE|AGENTS|CLAUDE|UPGRADING|RELEAS(?:E|ES|ING))"
    r"(?:[._-].*)?",
    re.IGNORECASE,
)
_PROJECT_FILES = frozenset(
    """
    package.json pyproject.toml setup.py setup.cfg Cargo.toml go.mod pom.xml build.gradle build.gradle.kts
    CMakeLists.txt Makefile composer.json Gemfile mix.exs project.clj Package.swift meson.build configure.ac WORKSPACE
    """.split()
)


def has_part(path: str, names: frozenset[str]) -> bool:
    """Whether one of a file's folders has one of these names, in whatever case."""
    return not names.isdisjoint(path.lower().split("/")[:-1])


def is_community_file(path: str) -> bool:
    """Whether a file is one for those who look at a repository: a README, a changelog, a licence."""
    return _COMMUNITY.fullmatch(posixpath.basename(path)) is not None


def is_repository(paths: frozenset[str]) -> bool:
    """Whether a source looks like the repository of a program, not like its documents alone."""
    return not _PROJECT_FILES.isdisjoint(paths)
