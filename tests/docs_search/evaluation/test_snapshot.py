import json

import pytest

from docs_search.evaluation.snapshot import differences, snapshot
from docs_search.retrieval import fusion
from docs_search.scope import resolve_scope
from tests.factories import make_version
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = pytest.mark.django_db


def test_a_snapshot_tells_what_differs_from_another(monkeypatch: pytest.MonkeyPatch) -> None:
    version = make_version()
    make_version(version.corpus, "cloud", publication=3)
    with use_embedder(ScriptedEmbedder()):
        before = snapshot({"postgres": resolve_scope("postgres")})
        monkeypatch.setattr(fusion, "RRF_K", 10)
        version.publication = 2
        version.save()
        after = snapshot({"postgres": resolve_scope("postgres")})

    assert json.loads(json.dumps(before)) == before
    assert differences(before, after) == [
        ("ranking: RRF_K", 60, 10),
        ("publications: postgres_17", "1+3", "2+3"),
    ]


def test_a_setting_that_only_one_of_two_has_is_told() -> None:
    assert differences({"a": {"x": 1}}, {"a": {"x": 1, "y": 0}, "b": {"z": 2}}) == [
        ("a: y", None, 0),
        ("b: z", None, 2),
    ]
