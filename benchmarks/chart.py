"""Chart: turns comparisons into one SVG chart: bars of each quantity by grader, with values and ratios.

It has its own background and follows the reader's light or dark mode, so that it is readable on any page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from benchmarks.comparison import Comparison, Measure

_NAMES_WIDTH, _COLUMN, _GAP = 196, 216, 20
_BAR, _ROW, _LABELS = 16, 28, 96  # height of a bar and of a row, width of the longest label
_TIMES = "\N{MULTIPLICATION SIGN}"
_TITLE, _HEAD, _AFTER, _EDGE = 30, 26, 26, 22


@dataclass(frozen=True)
class _Text:
    x: float
    y: float
    text: str
    kind: str


@dataclass(frozen=True)
class _Bar:
    x: float
    y: float
    width: float
    kind: str


def chart(comparisons: Sequence[Comparison], *, caption: str) -> str:
    """Render the chart; every text is escaped."""
    texts: list[_Text] = []
    bars: list[_Bar] = []
    top = float(_EDGE)
    for comparison in comparisons:
        top = _lay_out(comparison, top, texts, bars)
    columns = max(len(comparison.measures) for comparison in comparisons)
    texts.append(_Text(_EDGE, top + 4, caption, "note"))
    folder = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(loader=folder, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.get_template("chart.svg.jinja").render(
        texts=texts,
        bars=bars,
        bar_height=_BAR,
        width=2 * _EDGE + _NAMES_WIDTH + columns * (_COLUMN + _GAP) - _GAP,
        height=top + _EDGE,
        title="; ".join(
            f"{each.title}, {', '.join(measure.title for measure in each.measures)}" for each in comparisons
        ),
    )


def _lay_out(of: Comparison, top: float, texts: list[_Text], bars: list[_Bar]) -> float:
    """Add one comparison; return the top of the next."""
    texts.append(_Text(_EDGE, top + 12, of.title, "title"))
    rows = top + _TITLE + _HEAD
    for row, name in enumerate(of.names):
        texts.append(_Text(_EDGE, _baseline(rows, row), name, _kind(of, name)))
    for column, measure in enumerate(of.measures):
        left = _EDGE + _NAMES_WIDTH + column * (_COLUMN + _GAP)
        texts.append(_Text(left, top + _TITLE + 8, measure.title, "head"))
        scale = (_COLUMN - _LABELS) / max(map(measure.value, of.names))
        for row, name in enumerate(of.names):
            width = max(1.0, measure.value(name) * scale)
            bars.append(_Bar(left, rows + row * _ROW, round(width, 1), _kind(of, name)))
            texts.append(
                _Text(round(left + width + 6, 1), _baseline(rows, row), _label(measure, name, of.base), "value")
            )
    return rows + len(of.names) * _ROW + _AFTER


def _baseline(rows: float, row: int) -> float:
    return rows + row * _ROW + _BAR - 3.5


def _kind(of: Comparison, name: str) -> str:
    return "ours" if name == of.ours else "other"


def _label(measure: Measure, name: str, base: str) -> str:
    value = f"{measure.value(name):.{measure.digits}f}"
    if name == base:
        return f"{value}  (1)"
    ratio = measure.ratio(name, base).middle
    digits = 2 if ratio < 1 else 1 if ratio < 10 else 0
    return f"{value}  ({ratio:.{digits}f}{_TIMES})"
