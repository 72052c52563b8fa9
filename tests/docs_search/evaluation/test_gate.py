import pytest

from docs_search.evaluation.gate import parse_threshold, shortfalls
from docs_search.evaluation.metrics import Scores


@pytest.mark.parametrize(
    ("text", "threshold"),
    [
        ("ndcg@10=0.7", ("ndcg_at_10", 0.7)),
        ("nDCG@10 = .7", ("ndcg_at_10", 0.7)),
        ("hit@1=0", ("hit_at_1", 0.0)),
        ("MRR@10=1", ("mrr_at_10", 1.0)),
        ("recall@10=0.5", ("recall_at_10", 0.5)),
    ],
)
def test_a_threshold_is_a_measure_and_its_least_value(text: str, threshold: tuple[str, float]) -> None:
    assert parse_threshold(text) == threshold


@pytest.mark.parametrize("text", ["ndcg=0.7", "", "=1", "ndcg@5=0.7"])
def test_an_unknown_measure_names_those_that_there_are(text: str) -> None:
    with pytest.raises(ValueError, match="known are hit@1, hit@5, recall@10, mrr@10, ndcg@10"):
        parse_threshold(text)


@pytest.mark.parametrize("text", ["ndcg@10", "ndcg@10=", "ndcg@10=70", "ndcg@10=-1", "ndcg@10=nan", "ndcg@10=x"])
def test_a_value_is_a_number_from_0_to_1(text: str) -> None:
    with pytest.raises(ValueError, match="give a number from 0 to 1"):
        parse_threshold(text)


def test_what_is_missed_is_told_and_what_is_just_reached_is_not() -> None:
    scores = Scores(0.5, 0.8, 0.9, 0.61234, 0.7)
    assert shortfalls(scores, {"ndcg_at_10": 0.7, "mrr_at_10": 0.62, "hit_at_1": 0.6}) == [
        "MRR@10 is 0.6123, less than 0.62",
        "hit@1 is 0.5000, less than 0.6",
    ]
