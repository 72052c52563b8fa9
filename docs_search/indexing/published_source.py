"""Documents that were fetched from where they are published, under the paths that their pages have there."""

from collections.abc import Callable

from docs_search.documents import PageWarning, Source

INDEX = "index.html"  # the path of the start page where the corpus does not name it
MARKDOWN = ".md"  # what a source adds to the path of Markdown whose address does not say so


class PublishedSource:
    """A source whose documents are named by their addresses, as the corpus's patterns read them.

    `path_of` gives the page path for an address, None where it is none of this version. Documents without such an
    address are left out with a warning: they would be published at an address that does not exist.
    """

    def __init__(self, source: Source, path_of: Callable[[str], str | None], index_path: str) -> None:
        self._source = source
        self._files: dict[str, str] = {}
        self._warnings: list[PageWarning] = []
        for file in source.paths():
            address = source.address(file)
            path = None if address is None else path_of(address)
            if path is None:
                self._warnings.append(
                    PageWarning(file, "was left out: the corpus's url pattern has no place for its address")
                )
                continue
            path = path or index_path or INDEX
            if file.endswith(MARKDOWN) and not path.endswith(MARKDOWN):
                path += MARKDOWN
            if path in self._files:
                self._warnings.append(PageWarning(file, f"has the same path as {self._files[path]}, and was left out"))
            self._files.setdefault(path, file)

    def paths(self) -> list[str]:
        return sorted(self._files)

    def read(self, path: str) -> bytes:
        if path not in self._files:
            raise FileNotFoundError(path)
        return self._source.read(self._files[path])

    def address(self, path: str) -> str | None:
        return self._source.address(self._files[path]) if path in self._files else None

    def warnings(self) -> list[PageWarning]:
        return [*self._source.warnings(), *self._warnings]


def as_fetched(url: str, address: str | None) -> str:
    """The address of a page as its site writes it, with or without a slash at its end.

    `url` is what the corpus's pattern makes of the page's path, and `address` where the page was fetched from. That is
    another page, or a copy elsewhere, where they differ in more.
    """
    return address if address is not None and address.rstrip("/") == url.rstrip("/") else url


def as_published(source: Source, path_of: Callable[[str], str | None], index_path: str) -> Source:
    """The source under its published paths; itself where no document has an address of this version.

    The latter are files, or a copy of the site in another place: paths are then as the copy has them.
    """
    addresses = (source.address(path) for path in source.paths())
    if any(address is not None and path_of(address) is not None for address in addresses):
        return PublishedSource(source, path_of, index_path)
    return source
