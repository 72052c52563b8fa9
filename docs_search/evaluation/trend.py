"""The course of scores from run to run, as the lines of a chart: pure arithmetic, in units of the drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from docs_search.evaluation.metrics import LABELS

WIDTH, HEIGHT = 720, 220
LEFT, RIGHT, TOP, BOTTOM = 36, 76, 10, 14  # room for the scale, the names of lines, and dots at the edges
LABEL_GAP = 14
SHOWN = ("hit_at_1", "hit_at_5", "mrr_at_10", "ndcg_at_10")


@dataclass(frozen=True, slots=True)
class Dot:
    x: str
    y: str
    title: str


@dataclass(frozen=True, slots=True)
class Line:
    """One measure: its dots from left to right, and where its name stands at the end."""

    measure: str
    label: str
    dots: tuple[Dot, ...]
    label_y: str

    @property
    def points(self) -> str:
        """As an SVG polyline takes them."""
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots)


@dataclass(frozen=True, slots=True)
class Trend:
    lines: tuple[Line, ...]
    scale: tuple[Dot, ...]

    width = WIDTH
    height = HEIGHT
    left = LEFT
    right = WIDTH - RIGHT


def trend(runs: Sequence[tuple[str, dict[str, float]]]) -> Trend:
    """The chart of runs, the oldest first, each a name and its scores by measure. Raises ValueError for none."""
    if not runs:
        raise ValueError("there are no runs to draw")
    values = [scores[measure] for _, scores in runs for measure in SHOWN]
    # In tenths, so that the scale has round numbers and the lines fill most of the height.
    low, high = floor(min(values) * 10), ceil(max(values) * 10)
    low, high = (low - 1 if high == 10 else low, high if high == 10 else high + 1) if low == high else (low, high)

    def y_of(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value * 10) / (high - low)

    step = (WIDTH - LEFT - RIGHT) / max(1, len(runs) - 1)
    ends = _spread({measure: y_of(runs[-1][1][measure]) for measure in SHOWN})
    lines = tuple(
        Line(
            measure=measure,
            label=LABELS[measure],
            dots=tuple(
                Dot(
                    f"{LEFT + place * step:.1f}",
                    f"{y_of(scores[measure]):.1f}",
                    f"{name}: {LABELS[measure]} {scores[measure]:.4f}",
                )
                for place, (name, scores) in enumerate(runs)
            ),
            label_y=f"{ends[measure]:.1f}",
        )
        for measure in SHOWN
    )
    return Trend(
        lines, tuple(Dot(str(LEFT), f"{y_of(tenth / 10):.1f}", f"{tenth / 10:.1f}") for tenth in range(low, high + 1))
    )


def _spread(heights: dict[str, float]) -> dict[str, float]:
    """Heights of labels, moved down as far as needed for none to cover another, and up where they leave the drawing."""
    placed: dict[str, float] = {}
    last = float("-inf")
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        last = placed[name] = max(height, last + LABEL_GAP)
    excess = max(0.0, last - (HEIGHT - BOTTOM / 2))
    return {name: height - excess for name, height in placed.items()}
