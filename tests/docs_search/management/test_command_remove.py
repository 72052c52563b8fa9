from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from docs_search.models import Corpus, Page, Version
from tests.factories import make_corpus, make_page, make_version

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _corpus() -> None:
    corpus = make_corpus("manual")
    make_page(make_version(corpus, "16"))
    make_page(make_version(corpus, "17"))


def remove(*arguments: str) -> str:
    output = StringIO()
    call_command("remove", *arguments, stdout=output)
    return output.getvalue().strip()


def test_a_version_is_removed_at_once() -> None:
    assert remove("manual", "16") == "removed manual_16 (1 pages)"
    assert [page.version.source for page in Page.objects.all()] == ["manual_17"]


def test_a_corpus_is_removed_only_with_yes() -> None:
    with pytest.raises(CommandError, match=r"corpus manual, with its versions 17, 16\. If it is meant, add --yes"):
        remove("manual")
    assert Version.objects.count() == 2

    assert remove("manual", "--yes") == "removed manual_17, manual_16, the corpus manual (2 pages)"
    assert not Corpus.objects.exists()


def test_what_is_not_there_ends_in_an_error() -> None:
    with pytest.raises(CommandError, match="has no version '18'"):
        remove("manual", "18")
    with pytest.raises(CommandError, match="There is no corpus 'other'"):
        remove("other", "--yes")
