from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from docs_search.corpora import CorporaError, CorpusDeclaration, LoadReport, load_corpora, parse_corpora
from docs_search.models import Corpus
from docs_search.pages.addresses import Address, page_url, parse_url
from tests.corpora import corpus_files
from tests.factories import make_version

HANDBOOK = """
[handbook]
title = "Handbook"
url = "https://handbook.example.org/{version}/{path}"
parser = "markdown"
version_scheme = "major.minor"
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "corpora.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_declaration_has_the_fields_of_a_corpus() -> None:
    text = (
        HANDBOOK
        + """
source = "manuals/{version}.zip"
subfolder = "docs"
url_aliases = ["https://old.example.org/{path}"]
index_path = "start"
plans = ["pro", "enterprise"]
cloud_prefixes = ["cloud/"]
shared_prefixes = ["legal/"]
url_exceptions = {"3.3" = "https://handbook.example.org/manual-3.3/{path}", cloud = "https://cloud.example.org/{path}"}
"""
    )
    assert parse_corpora(text) == [
        CorpusDeclaration(
            slug="handbook",
            title="Handbook",
            url="https://handbook.example.org/{version}/{path}",
            parser="markdown",
            version_scheme="major.minor",
            source="manuals/{version}.zip",
            subfolder="docs",
            url_exceptions={
                "3.3": "https://handbook.example.org/manual-3.3/{path}",
                "cloud": "https://cloud.example.org/{path}",
            },
            url_aliases=["https://old.example.org/{path}"],
            index_path="start",
            plans=["pro", "enterprise"],
            cloud_prefixes=["cloud/"],
            shared_prefixes=["legal/"],
        )
    ]


def test_a_corpus_may_leave_its_parser_open() -> None:
    (declared,) = parse_corpora(HANDBOOK.replace('parser = "markdown"\n', ""))
    assert declared.parser == "auto"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HANDBOOK + 'pasrer = "x"', "[handbook] pasrer: unknown key 'pasrer'; did you mean 'parser'?"),
        (HANDBOOK + "subfolder = 3", '[handbook] subfolder: expected a text, like "…"'),
        (HANDBOOK + 'plans = "pro"', '[handbook] plans: expected a list of texts, like ["…", "…"]'),
        (
            HANDBOOK + "url_exceptions = []",
            '[handbook] url_exceptions: expected a table of patterns by version, like {"3.3" = "https://…/{path}"}',
        ),
        (HANDBOOK.replace('title = "Handbook"', ""), "[handbook] title: missing"),
        ('handbook = "x"', "[handbook] expected a table with the keys of one corpus"),
        (HANDBOOK.replace("{path}", ""), "[handbook] url: needs one {path}, after a slash, or {folder}/ and {rest}"),
        (HANDBOOK.replace("{version}/", ""), "[handbook] url: lacks {version}"),
        (
            HANDBOOK.replace('"markdown"', '"markdwn"'),
            "[handbook] parser: unknown parser 'markdwn'; did you mean 'markdown'?",
        ),
        (
            HANDBOOK.replace('"major.minor"', '"semantic"'),
            "[handbook] version_scheme: unknown scheme 'semantic';"
            " known are none, metabase, major, major.minor, numbers; 'numbers' reads releases such as 1.2.3",
        ),
        (
            HANDBOOK.replace("[handbook]", "[Hand_book]"),
            "[Hand_book] slug: a corpus is named with a-z, 0-9 and -, beginning with a letter",
        ),
        (
            HANDBOOK + 'url_exceptions = {"v3" = "https://x.org/{path}"}',
            "[handbook] url_exceptions: 'v3' is not the name of a version under the scheme 'major.minor'",
        ),
        (
            HANDBOOK + 'url_exceptions = {"3.3" = "https://x.org/"}',
            "[handbook] url_exceptions: 3.3: needs one {path}, after a slash, or {folder}/ and {rest}",
        ),
        (
            HANDBOOK + 'url_aliases = ["x.org/{path}"]',
            "[handbook] url_aliases: x.org/{path}: must start with http:// or https:// and a host, or with {server}/",
        ),
        (
            HANDBOOK + 'source = "{release}.zip"',
            "[handbook] source: unknown placeholder {release}; known are {site}, {tag}, {version}",
        ),
        (
            HANDBOOK + 'source = "git+https://reader:secret@git.example.com/docs"',
            "[handbook] source: an address is stored and shown, so it is given without user name and password; see"
            " GIT_TOKENS",
        ),
        (
            HANDBOOK + 'cloud_prefixes = ["/cloud"]',
            "[handbook] cloud_prefixes: a prefix is the beginning of a page's path, without a slash before it",
        ),
        (
            HANDBOOK.replace('"Handbook"', f'"{"x" * 201}"'),
            "[handbook] title: Ensure this value has at most 200 characters (it has 201).",
        ),
        ("[handbook", "Expected ']' at the end of a table declaration (at end of document)"),
    ],
)
def test_fault_is_named_with_file_table_and_key(text: str, message: str) -> None:
    with pytest.raises(CorporaError) as refused:
        parse_corpora(text)
    prefix = "corpora.toml: "
    assert str(refused.value).splitlines()[0] == prefix + message


def test_all_faults_of_a_file_are_told_at_once() -> None:
    with pytest.raises(CorporaError) as refused:
        parse_corpora('[one]\ntitle = "One"\nparser = "markdown"\n[two]\ncolour = "red"', name="mine.toml")
    assert [line.split(";")[0] for line in str(refused.value).splitlines()] == [
        "mine.toml: [one] url: missing",
        "mine.toml: [two] colour: unknown key 'colour'",
        "mine.toml: [two] title: missing",
        "mine.toml: [two] url: missing",
    ]
    with pytest.raises(CorporaError) as refused:
        parse_corpora('[Two]\nurl = "https://docs.example.com/{pth}"\nparser = "markdwn"\nsource = 3')
    assert [line.split(";")[0] for line in str(refused.value).splitlines()] == [
        'corpora.toml: [Two] source: expected a text, like "…"',
        "corpora.toml: [Two] title: missing",
        "corpora.toml: [Two] slug: a corpus is named with a-z, 0-9 and -, beginning with a letter",
        "corpora.toml: [Two] parser: unknown parser 'markdwn'",
        "corpora.toml: [Two] url: unknown placeholder {pth}",
    ]


@pytest.mark.django_db
def test_missing_corpora_are_created(tmp_path: Path) -> None:
    report = load_corpora(write(tmp_path, HANDBOOK))
    assert report == LoadReport(created=["handbook"])
    corpus = Corpus.objects.get()
    assert (corpus.slug, corpus.title, corpus.version_scheme) == ("handbook", "Handbook", "major.minor")


@pytest.mark.django_db
def test_database_rules_once_a_corpus_exists(tmp_path: Path) -> None:
    file = write(tmp_path, HANDBOOK)
    load_corpora(file)
    assert load_corpora(file) == LoadReport(unchanged=["handbook"])
    Corpus.objects.update(title="Edited")
    assert load_corpora(file) == LoadReport(kept=["handbook"])
    assert Corpus.objects.get().title == "Edited"


@pytest.mark.django_db
def test_force_takes_the_declaration_and_keeps_the_index(tmp_path: Path) -> None:
    file = write(tmp_path, HANDBOOK)
    load_corpora(file)
    Corpus.objects.update(title="Edited", embedding_model="minilm", embedding_dimension=384)
    before = Corpus.objects.get().pk
    assert load_corpora(file, force=True) == LoadReport(updated=["handbook"])
    corpus = Corpus.objects.get()
    assert (corpus.pk, corpus.title, corpus.embedding_model) == (before, "Handbook", "minilm")


@pytest.mark.django_db
def test_force_changes_the_scheme_only_where_no_version_is_named_by_it(tmp_path: Path) -> None:
    load_corpora(write(tmp_path, HANDBOOK))
    changed = write(tmp_path, HANDBOOK.replace("major.minor", "major").replace("Handbook", "Renamed"))
    version = make_version(Corpus.objects.get(), "5.2")

    with pytest.raises(CorporaError, match=r"corpora\.toml: \[handbook\] version_scheme: is 'major\.minor', by which"):
        load_corpora(changed, force=True)
    assert Corpus.objects.get().title == "Handbook"

    version.delete()
    assert load_corpora(changed, force=True) == LoadReport(updated=["handbook"])


@pytest.mark.django_db
def test_corpus_that_left_the_file_stays(tmp_path: Path) -> None:
    load_corpora(write(tmp_path, HANDBOOK))
    assert load_corpora(write(tmp_path, ""), force=True) == LoadReport()
    assert Corpus.objects.count() == 1


@pytest.mark.django_db
def test_wrong_file_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(CorporaError):
        load_corpora(write(tmp_path, HANDBOOK + "[other]"))
    assert not Corpus.objects.exists()


def test_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorporaError, match=r"nothing\.toml: cannot be read: "):
        load_corpora(tmp_path / "nothing.toml")


@pytest.mark.django_db
def test_command_reports_what_it_did(tmp_path: Path) -> None:
    file = write(tmp_path, HANDBOOK)
    output = StringIO()
    call_command("load_corpora", file=file, stdout=output)
    Corpus.objects.update(title="Edited")
    call_command("load_corpora", file=file, stdout=output)
    call_command("load_corpora", file=file, force=True, stdout=output)
    call_command("load_corpora", file=file, stdout=output)
    call_command("load_corpora", file=file, stdout=output, verbosity=0)
    assert output.getvalue().splitlines() == [
        "created: handbook",
        "kept as the database has them: handbook (--force takes them from the file)",
        "updated: handbook",
        "unchanged: handbook",
    ]


def test_command_fails_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"corpora\.toml: \[broken\] title: missing"):
        call_command("load_corpora", file=write(tmp_path, "[broken]"))


SHIPPED = {
    "docent": ("markdown", "none"),
    "metabase": ("metabase", "metabase"),
    "postgres": ("docbook", "major"),
    "postgis": ("docbook", "major.minor"),
}
# Without what the owner of the checkout has added to the file.
DECLARED = {
    corpus.slug: corpus
    for corpus in parse_corpora((settings.BASE_DIR / "corpora.toml").read_text("utf-8"))
    if corpus.slug in SHIPPED
}


def test_the_products_and_the_manual_are_declared() -> None:
    assert {slug: (corpus.parser, corpus.version_scheme) for slug, corpus in DECLARED.items()} == SHIPPED


@pytest.mark.parametrize(
    ("corpus", "version", "path", "url"),
    [
        ("metabase", "v0.63", "permissions/data", "https://www.metabase.com/docs/v0.63/permissions/data"),
        ("metabase", "v0.63", "index", "https://www.metabase.com/docs/v0.63/"),
        ("metabase", "cloud", "cloud/storage", "https://www.metabase.com/docs/latest/cloud/storage"),
        ("postgres", "17", "sql-copy.html", "https://www.postgresql.org/docs/17/sql-copy.html"),
        ("postgres", "17", "index.html", "https://www.postgresql.org/docs/17/index.html"),
        ("postgis", "3.5", "ST_DWithin.html", "https://postgis.net/docs/manual-3.5/en/ST_DWithin.html"),
        ("postgis", "3.3", "ST_DWithin.html", "https://postgis.net/docs/manual-3.3/ST_DWithin.html"),
    ],
)
def test_pages_of_the_products_stand_where_they_are_published(corpus: str, version: str, path: str, url: str) -> None:
    assert page_url(DECLARED[corpus], version, path) == url


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://metabase.com/docs/latest/permissions/data.html", Address("metabase", None, "permissions/data.html")),
        (
            "https://www.metabase.com/docs/v0.63/permissions/data.md",
            Address("metabase", "v0.63", "permissions/data.md"),
        ),
        ("https://www.metabase.com/docs/permissions/data", Address("metabase", None, "permissions/data")),
        ("https://www.metabase.com/docs/v0.63", Address("metabase", "v0.63", "")),
        ("http://www.postgresql.org/docs/9.6/static/sql-copy.html", Address("postgres", "9", "sql-copy.html")),
        (
            "https://www.postgresql.org/docs/current/interactive/sql-copy.html",
            Address("postgres", None, "sql-copy.html"),
        ),
        ("https://postgis.net/docs/manual-3.3/ST_DWithin.html", Address("postgis", "3.3", "ST_DWithin.html")),
        ("https://postgis.net/docs/manual-3.6/ST_DWithin.html", Address("postgis", "3.6", "ST_DWithin.html")),
        ("https://postgis.net/docs/en/ST_DWithin.html", Address("postgis", None, "ST_DWithin.html")),
        ("https://postgis.net/docs/ST_DWithin.html", Address("postgis", None, "ST_DWithin.html")),
    ],
)
def test_addresses_that_pages_of_the_products_had_are_known(url: str, address: Address) -> None:
    assert parse_url(url, DECLARED.values())[0] == address


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("corpus", "archive", "version"),
    [("postgres", "postgresql", "17"), ("postgis", "postgis", "3.3"), ("postgis", "postgis", "3.6")],
)
def test_every_real_page_is_found_by_its_own_address(corpus: str, archive: str, version: str) -> None:
    declaration = DECLARED[corpus]
    paths = list(corpus_files(archive, version))
    found = [parse_url(page_url(declaration, version, path), DECLARED.values())[0] for path in paths]
    assert found == [Address(corpus, version, path) for path in paths]
