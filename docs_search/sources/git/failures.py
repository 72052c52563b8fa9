"""What git's messages mean, said so that the reader knows what to do."""

import re

from docs_search.sources.base import SourceError
from docs_search.sources.git.location import GitLocation
from docs_search.sources.git.process import GitError

_PASSING = (
    (
        r"Could not resolve|Failed to connect|Connection (?:refused|reset|timed out)|Couldn't connect|timed? ?out"
        r"|Operation too slow|Empty reply|unreachable",
        "cannot be reached. Try it later",
    ),
    (r"error: (?:429|5\d\d)", "cannot be had at the moment. Try it later"),
    (r"hung up|early EOF|RPC failed|unexpected disconnect|bad pack header|SSL|TLS", "broke off. Try it later"),
)
_LASTING = (
    (
        r"could not read (?:Username|Password)|Authentication failed|terminal prompts disabled|error: 40[13]",
        "does not exist, or is not public. For the latter set GIT_TOKENS={host}=TOKEN, with a token that may read it",
    ),
    (r"not found|error: 404", "does not exist. Check the location"),
    (r"error: 30\d|unable to update url base from redirection", "leads to another address. Give that one"),
    (r"certificate", "has a certificate that is not trusted. For one of your own set SSL_CERT_FILE"),
    (r"couldn't find remote ref|not our ref|unadvertised object", "does not have this commit, or does not give it"),
    (r"No space left", "does not fit on the disk. Free some of it, or set TMPDIR"),
    (r"[Oo]ut of memory|malloc failed|mmap failed", "needs too much memory. Name the subfolder of its documents"),
)


def source_error(error: GitError, location: GitLocation) -> SourceError:
    """A message about the repository that tells what to do, and what git said."""
    said = str(error).rstrip(".")
    for meanings, retryable in ((_LASTING, False), (_PASSING, True)):
        for pattern, meaning in meanings:
            if re.search(pattern, said):
                return SourceError(
                    f"The repository {location.url} {meaning.format(host=location.host)} (git: {said}).",
                    retryable=retryable,
                )
    return SourceError(f"The repository {location.url} cannot be read (git: {said}).")
