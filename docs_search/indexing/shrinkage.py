"""A guard for the pages of a website that has lost its links: nothing but the links says which pages there are."""

from docs_search.documents import Source
from docs_search.indexing.publish import Changes
from docs_search.models import Version

MAX_SHARE = 0.5  # of a version's published pages that one run may delete
UNGUARDED = 20  # pages that any run may delete


def shrinkage(source: Source, version: Version, changes: Changes) -> str | None:
    """What is wrong with a run that would delete most of a version's pages, None where it may.

    That is for the pages of a website alone. Files are there or not, and an archive is what somebody made.
    """
    gone = len(changes.gone)
    if gone <= max(UNGUARDED, MAX_SHARE * version.page_count):
        return None
    if not any(source.address(path) is not None for path in source.paths()[:1]):
        return None
    return (
        f"{gone:,} of the {version.page_count:,} published pages of {version.source} were not found any longer, and"
        " would be deleted. If the site is being worked on, try again later. If it has changed for good, run it again"
        " with --allow-shrink."
    )
