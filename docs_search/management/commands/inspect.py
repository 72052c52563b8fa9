"""`manage.py inspect LOCATION [VERSION] [--parser NAME] [--page PATH] [--passages]`."""

import re
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.markup import escape
from rich.rule import Rule
from rich.table import Table

from docs_search.documents import Chunk
from docs_search.indexing.findings import Finding
from docs_search.indexing.inspection import Inspection, SamplePage, inspect
from docs_search.management.console import INTERRUPTED, ConsoleProgress, console_on, find_corpus, readable_faults
from docs_search.parsing.registry import PARSER_NAMES

SHOWN_LINES = 120  # of a page, unless it was asked for
SHOWN_FINDINGS = 20

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")


class Command(BaseCommand):
    help = "Try a source without storing anything: its format, sample pages, passages, and what looks wrong."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("location", help="what to read: a folder, an archive, a git repository or a website")
        parser.add_argument("version", nargs="?", default="", help="version of the docs that it holds")
        parser.add_argument("--parser", choices=PARSER_NAMES, metavar="NAME", help="format to read it as")
        parser.add_argument("--subfolder", metavar="FOLDER", help="folder of the source that holds the docs")
        parser.add_argument("--corpus", metavar="SLUG", help="corpus to take addresses, parser and subfolder from")
        parser.add_argument("--page", metavar="PATH", help="page to show, by its path or that of its document")
        parser.add_argument("--pages", type=int, default=3, metavar="N", help="how many pages to show")
        parser.add_argument("--passages", action="store_true", help="show pages as the passages they are cut into")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._inspect(options)
        except KeyboardInterrupt:
            raise CommandError("Interrupted.", returncode=INTERRUPTED) from None

    def _inspect(self, options: dict[str, Any]) -> None:
        console = console_on(self.stdout)
        with readable_faults(), ConsoleProgress(console, shown=options["verbosity"] > 0) as progress:
            inspection = inspect(
                options["location"],
                corpus=find_corpus(options["corpus"]) if options["corpus"] else None,
                parser=options["parser"],
                subfolder=options["subfolder"],
                version=options["version"],
                page=options["page"],
                pages=max(0, options["pages"]),
                progress=progress,
            )
        every = options["verbosity"] > 1
        _show_summary(console, inspection)
        _show_findings(console, "Warnings", inspection.warnings, every=every)
        _show_findings(console, "What looks wrong", inspection.problems, every=every)
        for page in inspection.samples:
            _show_page(console, page, whole=every or bool(options["page"]), passages=options["passages"])


def _show_summary(console: Console, inspection: Inspection) -> None:
    console.print(Rule(f"[bold]{escape(inspection.location)}", align="left"))
    _line(console, f"read as {' and '.join(inspection.formats)}{'' if inspection.reasons else ', as asked for'}")
    for reason in inspection.reasons:
        _line(console, f"  - {reason}")
    table = Table()
    for name in ("files", "documents", "partials", "pages", "passages", "tokens", "largest"):
        table.add_column(name, justify="right")
    table.add_row(
        f"{inspection.files:,}",
        f"{inspection.documents:,}",
        f"{inspection.partials:,}",
        f"{inspection.pages:,}",
        f"{inspection.passages:,}",
        f"{inspection.tokens:,}",
        f"{inspection.longest:,}",
    )
    console.print(table)


def _show_findings(console: Console, title: str, findings: Sequence[Finding], *, every: bool) -> None:
    """Each kind of finding with its count, and its first examples below it."""
    if not findings:
        return
    console.print(Rule(f"[bold]{title}", align="left"))
    for finding in findings if every else findings[:SHOWN_FINDINGS]:
        _line(console, f"{finding.count:,} × {finding.message}")
        for page, detail in finding.examples:
            _line(console, f"    {page}: {detail}" if detail else f"    {page}")
    if not every and len(findings) > SHOWN_FINDINGS:
        _line(console, f"… and {len(findings) - SHOWN_FINDINGS} more kinds; -v 2 shows all")


def _show_page(console: Console, page: SamplePage, *, whole: bool, passages: bool) -> None:
    console.print(Rule(f"[bold]{escape(page.title)}", align="left"))
    _line(console, f"document  {page.document}")
    _line(console, f"path      {page.path}")
    _line(console, f"address   {page.url}")
    if page.summary:
        _line(console, f"summary   {page.summary}")
    if passages:
        for number, chunk in enumerate(page.chunks, start=1):
            _show_passage(console, number, len(page.chunks), chunk)
        return
    lines = page.markdown.splitlines()
    console.print()
    for line in lines if whole else lines[:SHOWN_LINES]:
        _line(console, line)
    if not whole and len(lines) > SHOWN_LINES:
        _line(console, f"… and {len(lines) - SHOWN_LINES} more lines; --page {page.path} shows all")
    console.print(_table_of_passages(page.chunks))


def _table_of_passages(chunks: Sequence[Chunk]) -> Table:
    table = Table(title="1 passage" if len(chunks) == 1 else f"{len(chunks)} passages", title_justify="left")
    table.add_column("heading path", ratio=3)
    table.add_column("anchor", ratio=2)
    table.add_column("kind")
    table.add_column("tokens", justify="right")
    for chunk in chunks:
        path = " › ".join(map(_visible, chunk.heading_path))
        table.add_row(escape(path), escape(chunk.anchor or "–"), _kind(chunk), str(chunk.token_count))
    return table


def _show_passage(console: Console, number: int, total: int, chunk: Chunk) -> None:
    anchor = f"#{chunk.anchor}" if chunk.anchor else "no anchor"
    facts = f"{_kind(chunk)}, {chunk.token_count} tokens, {anchor}"
    console.print(Rule(f"passage {number} of {total}: {escape(facts)}", align="left", style="dim"))
    console.print(" › ".join(map(_visible, chunk.heading_path)), style="bold", markup=False, soft_wrap=True)
    for line in chunk.markdown.splitlines():
        _line(console, line)


def _kind(chunk: Chunk) -> str:
    return f"{chunk.kind.value} ({chunk.plan})" if chunk.plan else chunk.kind.value


def _line(console: Console, text: str) -> None:
    console.print(_visible(text), markup=False, soft_wrap=True)


def _visible(text: str) -> str:
    """Text of documents without what would drive a terminal."""
    return _CONTROL.sub("�", text)
