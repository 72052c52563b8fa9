import os
from pathlib import Path
from typing import ClassVar

import pytest

from docs_search.sources import SourceError
from tests.git_server import GitHandler, Served, opened
from tests.loopback import serving, write_certificate

pytestmark = pytest.mark.usefixtures("temporary")


def test_only_what_may_pass_is_worth_another_attempt(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(GitHandler):
        status: ClassVar[int]

        def do_GET(self) -> None:
            self.answer(self.status)

    outcomes = {}
    with serving(Failing, Path(os.environ["SSL_CERT_FILE"])) as address:
        for status in (403, 404, 429, 500, 503):
            Failing.status = status
            with pytest.raises(SourceError) as caught:
                opened(f"{address}/docs.git").__enter__()
            outcomes[status] = caught.value.retryable
    assert outcomes == {403: False, 404: False, 429: True, 500: True, 503: True}
    for address in ("https://127.0.0.1:1/docs.git", "https://nowhere.invalid/docs.git"):
        with pytest.raises(SourceError) as caught:
            opened(address).__enter__()
        assert caught.value.retryable


def test_an_untrusted_certificate_is_refused(server: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(write_certificate(tmp_path / "other.pem")))
    with pytest.raises(SourceError, match="has a certificate that is not trusted"):
        opened(server.url).__enter__()


def test_a_server_that_is_out_of_reach_or_unknown_says_so() -> None:
    with pytest.raises(SourceError, match=r"cannot be reached\. Try it later"):
        opened("https://127.0.0.1:1/docs.git").__enter__()
    with pytest.raises(SourceError, match=r"The host nowhere\.invalid is not known"):
        opened("https://nowhere.invalid/docs.git").__enter__()


def test_a_path_without_a_repository_says_so(server: Served) -> None:
    with pytest.raises(SourceError, match=r"other\.git does not exist. Check the location"):
        opened(server.url.replace("docs.git", "other.git")).__enter__()
