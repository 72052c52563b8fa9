"""Indexing: over bare embedding, again unchanged, a further version, and its peak memory."""

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command

from docs_search.embedding.embedder import get_embedder
from docs_search.models import Passage


@dataclass(frozen=True, slots=True)
class Run:
    """One `manage.py ingest` in a process of its own. Seconds; mebibytes."""

    seconds: float
    peak: float
    embedded: int
    passages: int


def ingest(corpus: str, version: str, archive: Path) -> Run:
    """Run the command as an operator would, and measure it from outside."""
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "manage.py", "ingest", corpus, version, "--from", str(archive)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"COLUMNS": "200", "DATABASE_POOL_SIZE": "0"},
    ) as process:
        assert process.stdout
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begun
    if process.returncode:
        sys.exit(output)
    counts = [int(number) for number in re.findall(r"\d+", _row(output))]
    return Run(seconds, usage.ru_maxrss / 1024, embedded=counts[2], passages=counts[1])


def _row(output: str) -> str:
    """The numbers of the closing table: pages, passages, embedded, reused, unchanged, removed, warnings."""
    return next(line for line in output.splitlines() if re.fullmatch(r"[│|]( *\d+ *[│|]){7}", line.strip()))


def time_indexing(corpus: str, first: tuple[str, Path], further: tuple[str, Path]) -> None:
    call_command("migrate", verbosity=0)
    call_command("load_corpora", verbosity=0)
    version, archive = first
    fresh = ingest(corpus, version, archive)
    again = ingest(corpus, version, archive)
    texts = dict(
        Passage.objects.filter(version__name=version).order_by("content_hash").values_list("content_hash", "text")
    )
    begun = time.perf_counter()
    embedder = get_embedder()
    for start in range(0, len(texts), 64):
        embedder.embed(list(texts.values())[start : start + 64])
    bare = time.perf_counter() - begun
    more = ingest(corpus, *further)
    others = set(
        Passage.objects.filter(version__corpus__slug=corpus, version__name=further[0])
        .values_list("content_hash", flat=True)
    )  # fmt: skip
    print(f"indexing {corpus} {version}: {fresh.passages} passages, {fresh.embedded} embedded in {fresh.seconds:.0f} s")
    print(f"  over bare embedding of the same texts  {fresh.seconds / bare:.2f}   (aim <= 1.2)")
    print(f"  again, unchanged                       {again.seconds / fresh.seconds:.3f}  (aim <= 0.10), "
          f"embedded {again.embedded} (aim 0)")  # fmt: skip
    print(f"  {corpus} {further[0]} afterwards: embedded {more.embedded} of {more.passages}; "
          f"texts that differ {len(others - texts.keys())}")  # fmt: skip
    print(f"  peak memory                            {max(fresh.peak, again.peak, more.peak):.0f} MiB (aim <= 1024)")
