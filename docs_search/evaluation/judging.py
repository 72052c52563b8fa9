"""Which pages of an index are the ones that a question is judged to be answered by."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from docs_search.evaluation.questions import Question
from docs_search.models import Page
from docs_search.pages.addresses import lookup_path

EXTENSIONS = ("", ".html", ".md")  # under which a page may have an old path
BATCH = 1000


@dataclass(frozen=True, slots=True)
class Judgments:
    """The judgments of one question for one index.

    `grades` are all of them by the path that was judged, those which the index lacks included. `judged` gives the
    path for the id of a page that is indexed; `missing` are those without such a page.
    """

    grades: Mapping[str, int]
    judged: Mapping[int, str]
    missing: tuple[str, ...]

    def of(self, ranking: Iterable[int]) -> list[int]:
        """The grade of each page of a ranking. Of pages that are one to the judges, only the first counts."""
        seen: set[str] = set()
        grades = []
        for page in ranking:
            path = self.judged.get(page)
            grades.append(0 if path is None or path in seen else self.grades[path])
            seen.update([] if path is None else [path])
        return grades


class PageIndex:
    """The pages of an index by the names that questions use for them, read in a few queries for all questions."""

    def __init__(
        self,
        questions: Iterable[Question],
        *,
        version_ids: Sequence[int],
        aliases: Mapping[str, Sequence[str]],
    ) -> None:
        paths = sorted({path for question in questions for path in (*question.relevant, *question.left_out)})
        names = {path: (path, *aliases.get(path, ())) for path in paths}
        pages = _Pages(version_ids, {name for some in names.values() for name in some})
        self._own = {path: pages.at(path) for path in paths}
        self._all = {path: pages.named(some) for path, some in names.items()}

    def judgments(self, question: Question) -> Judgments:
        """The judgments of a question.

        A page that is judged by its own path is not also the page of another path that has its path as an alias. Paths
        that are one page here count once, with the highest of their grades.
        """
        grades = dict(question.relevant)
        judged: dict[int, str] = {}
        missing = []
        for pages in (self._own, self._all):
            for path in grades:
                for page in pages[path]:
                    judged.setdefault(page, path)
        for path in grades.keys() - judged.values():
            if not self._all[path]:
                missing.append(path)
                continue
            other = judged[min(self._all[path])]
            grades[other] = max(grades[other], grades.pop(path))
        return Judgments(grades, judged, tuple(sorted(missing)))

    def left_out(self, question: Question) -> set[int]:
        """The ids of pages that are taken out of the question's ranking."""
        return {page for path in question.left_out for page in self._all[path]}


class _Pages:
    """Ids of pages by their paths and, as far as there is no page at a path, by their old ones."""

    def __init__(self, version_ids: Sequence[int], names: Collection[str]) -> None:
        self._by_path: dict[str, set[int]] = {}
        self._by_alias: dict[str, set[int]] = {}
        lookups = sorted({lookup_path(name) for name in names})
        for start in range(0, len(lookups), BATCH):
            some = lookups[start : start + BATCH]
            old = [f"{lookup}{extension}" for lookup in some for extension in EXTENSIONS]
            pages = Page.objects.filter(
                Q(lookup_path__in=some) | Q(aliases__overlap=old), version_id__in=list(version_ids)
            )
            for page, lookup, aliases in pages.values_list("pk", "lookup_path", "aliases"):
                self._by_path.setdefault(lookup, set()).add(page)
                for alias in aliases:
                    self._by_alias.setdefault(lookup_path(alias), set()).add(page)

    def at(self, path: str) -> set[int]:
        """The pages at a path now."""
        return self._by_path.get(lookup_path(path), set())

    def named(self, names: Sequence[str]) -> set[int]:
        """The pages at any of the paths; where there are none, those that once were there."""
        here = set().union(*map(self.at, names))
        return here or set().union(*(self._by_alias.get(lookup_path(name), ()) for name in names))
