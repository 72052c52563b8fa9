import io

from django.core.management.base import OutputWrapper
from rich.console import Console

from docs_search.management.console import ConsoleProgress, console_on


def test_a_bar_counts_what_is_added_to_a_stage() -> None:
    output = io.StringIO()
    with ConsoleProgress(Console(file=output, force_terminal=True, width=100)) as progress:
        progress.grow(1)  # of no stage
        progress.stage("fetch", 1)
        progress.grow(2)
        progress.advance()
    assert "1/3" in output.getvalue()


def test_nothing_is_shown_where_there_is_no_terminal() -> None:
    output = io.StringIO()
    with ConsoleProgress(console_on(OutputWrapper(output))) as progress:
        progress.stage("fetch", 1)
        progress.grow(2)
        progress.advance(3)
    assert output.getvalue() == ""
