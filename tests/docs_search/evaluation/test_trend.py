from itertools import pairwise

import pytest

from docs_search.evaluation.metrics import MEASURES
from docs_search.evaluation.trend import BOTTOM, HEIGHT, LABEL_GAP, LEFT, RIGHT, SHOWN, TOP, WIDTH, trend


def scores(value: float, **others: float) -> dict[str, float]:
    return dict.fromkeys(MEASURES, value) | others


def test_lines_go_from_run_to_run_over_the_whole_drawing() -> None:
    chart = trend([("one", scores(0.6)), ("two", scores(0.7)), ("three", scores(0.8))])

    assert [line.measure for line in chart.lines] == list(SHOWN)
    middle = f"{(LEFT + WIDTH - RIGHT) / 2:.1f}"
    assert [dot.x for dot in chart.lines[0].dots] == [f"{LEFT:.1f}", middle, f"{WIDTH - RIGHT:.1f}"]
    assert [dot.y for dot in chart.lines[0].dots] == [
        f"{HEIGHT - BOTTOM:.1f}",
        f"{(TOP + HEIGHT - BOTTOM) / 2:.1f}",
        f"{TOP:.1f}",
    ]
    assert chart.lines[3].dots[1].title == "two: nDCG@10 0.7000"
    assert chart.lines[0].points.split()[0] == f"{LEFT:.1f},{HEIGHT - BOTTOM:.1f}"
    assert [tick.title for tick in chart.scale] == ["0.6", "0.7", "0.8"]


@pytest.mark.parametrize(("value", "ticks"), [(0.0, ["0.0", "0.1"]), (0.5, ["0.5", "0.6"]), (1.0, ["0.9", "1.0"])])
def test_equal_scores_are_drawn_on_a_scale(value: float, ticks: list[str]) -> None:
    assert [tick.title for tick in trend([("one", scores(value))]).scale] == ticks


@pytest.mark.parametrize("value", [0.0, 0.55, 1.0])
def test_names_of_lines_do_not_cover_each_other_and_stay_inside(value: float) -> None:
    heights = sorted(float(line.label_y) for line in trend([("one", scores(value, hit_at_1=value / 2))]).lines)
    assert all(after - before >= LABEL_GAP - 0.1 for before, after in pairwise(heights))
    assert heights[0] >= 0
    assert heights[-1] <= HEIGHT


def test_there_is_no_chart_of_nothing() -> None:
    with pytest.raises(ValueError, match="no runs"):
        trend([])
