"""What can be wrong with a request, as the domain raises it; `error_responses` gives each the API's Error shape."""

from collections.abc import Sequence


class DocentError(Exception):
    """Something the caller can mend. `code` is for machines; the message says what to do."""

    code = "invalid_request"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidRequest(DocentError):
    """An argument is missing, malformed or contradicts another."""


class UnknownCorpus(DocentError):
    code = "unknown_corpus"


class UnknownSection(DocentError):
    code = "unknown_section"


class UnknownVersion(DocentError):
    """The text is no version of this corpus, or none of it is indexed. `versions` are what can be asked for."""

    code = "unknown_version"

    def __init__(self, message: str, versions: Sequence[str]) -> None:
        super().__init__(message)
        self.versions = list(versions)


class PageNotFound(DocentError):
    """No page of the index has this address. The message names the nearest page where there is one."""

    code = "not_found"
