"""The least that a run must reach, for a CI that is to fail below it."""

from collections.abc import Mapping, Sequence

from docs_search.evaluation.metrics import LABELS, Scores

_MEASURES = {label.lower(): name for name, label in LABELS.items()}


def parse_threshold(text: str) -> tuple[str, float]:
    """The measure and the least value in `ndcg@10=0.7`. Raises ValueError that says what is wrong."""
    label, _, number = text.partition("=")
    measure = _MEASURES.get(label.strip().lower())
    if measure is None:
        raise ValueError(f"{label.strip()!r} is no measure; known are {', '.join(_MEASURES)}")
    try:
        value = float(number)
    except ValueError:
        value = float("nan")
    if not 0 <= value <= 1:
        raise ValueError(f"{number.strip()!r} is no value of {label.strip()}: give a number from 0 to 1")
    return measure, value


def shortfalls(scores: Scores, thresholds: Mapping[str, float]) -> Sequence[str]:
    """What a run misses, a sentence for each measure."""
    return [
        f"{LABELS[measure]} is {getattr(scores, measure):.4f}, less than {least:g}"
        for measure, least in thresholds.items()
        if getattr(scores, measure) < least
    ]
