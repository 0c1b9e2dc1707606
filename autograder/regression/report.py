"""Report: turns a summary and the stored results into one HTML page that needs no network.

The page is streamed, so that at most one submission is in memory. The template engine escapes every value; a content
security policy allows only the page's own style and script, by their hashes. So student text can neither run nor load
anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from autograder.plain_text import count
from autograder.regression.scores import TestScore
from autograder.regression.store import Load
from autograder.regression.student_parts import build_student_parts, collect_answers, list_texts
from autograder.regression.summary import Cause, Distribution, Summary
from autograder.templates import open_template, read_inline

_HERE = Path(__file__).parent
_LEFT, _WIDTH, _HEIGHT = 20.0, 410.0, 140.0  # of the plot of a chart, in units of its view box of 440 by 200
_TICKS = 4
_STATES = {"graded": "graded", "unreadable": "unreadable", "undecided": "not judged"}
_CAUSES = {
    Cause.GRADER: "Same files, changed grader",
    Cause.CODE: "Changed files",
    Cause.UNKNOWN: "Different points",
    Cause.NOTHING: "Not repeatable",
}


def render_report(run: Summary, load: Load) -> Iterator[str]:
    """Render the page in pieces; `load` returns the stored result of a submission."""
    (style, style_hash), (script, script_hash) = (read_inline(_HERE / name) for name in ("report.css", "report.js"))
    stream = open_template(_HERE / "report.html.jinja").stream(
        causes=_CAUSES,
        states=_STATES,
        style=style,
        script=script,
        style_hash=style_hash,
        script_hash=script_hash,
        words=lambda diagnosis: diagnosis.replace("_", " "),
        count=count,
        **_collect_contents(run, load),
    )
    stream.enable_buffering(100)
    yield from stream


def _collect_contents(run: Summary, load: Load) -> dict[str, Any]:
    """Collect the values for the template."""
    texts = list_texts(run, load)
    labels = {student.name: student.label for student in run.students}
    found = run.baseline or run.published
    return {
        "run": run,
        "conclusion": conclude(run),
        "parts": _list_parts(run, texts),
        "position": {student.name: position for position, student in enumerate(run.students, 1)},
        "label_of": lambda name: labels.get(name, name),
        "histogram": build_histogram(run.distribution, run.max_score),
        "changes": {each.name: each.change for each in (*found.unstable, *found.differences)} if found else {},
        "any_published": any(student.published is not None for student in run.students),
        "any_named": any(student.people for student in run.students),
        "student_parts": build_student_parts(run, load),
        "texts": texts,
        "find_answers": partial(collect_answers, run, load),
    }


def conclude(run: Summary) -> str:
    """Summarise the result of the run in one line."""
    told = []
    unstable = {each.name for found in (run.baseline, run.twins) if found for each in found.unstable}
    if unstable:
        told.append(f"{count(len(unstable), 'score')} changed although nothing else did: the grader is not repeatable.")
    if run.baseline is not None:
        moved, compared = len(run.baseline.differences), count(run.baseline.compared, "score")
        share = f"{moved} of {compared} differ{'s' if moved == 1 else ''}" if moved else f"None of {compared} differs"
        told.append(f"{share} from {run.baseline.against}.")
    if run.undecided:
        told.append(f"The grader failed on {count(len(run.undecided), 'submission')}.")
    if not told:
        told.append(f"{count(len(run.students), 'submission')}; not compared with another run.")
    return " ".join(told)


def _list_parts(run: Summary, texts: Sequence[TestScore]) -> list[tuple[str, str]]:
    """List the parts of this page, for the links at the top."""
    found = [
        ("undecided", "Not judged", run.undecided),
        ("twins", "Same files", run.twins is not None and run.twins.is_different),
        ("differences", "Differences", run.baseline),
        ("overview", "The class", True),
        ("mistakes", "Misunderstandings", run.diagnoses),
        ("tests", "Tests", True),
        ("students", "Submissions", True),
        ("published", "Compared with the published scores", run.published),
        ("texts", "Written answers", texts),
        ("parts", "Each submission", True),
    ]
    return [(anchor, title) for anchor, title, is_present in found if is_present]


@dataclass(frozen=True)
class Bar:
    """One bar of the chart, whose height stands for its `count`; `label`: what it counts."""

    x: float
    width: float
    height: float
    count: int
    label: str


@dataclass(frozen=True)
class Histogram:
    """The chart: its bars, and the ticks of its axis with their texts."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]


def build_histogram(distribution: Distribution | None, max_score: float) -> Histogram | None:
    """Build the chart of the points; None if there are none."""
    if distribution is None:
        return None
    most = distribution.edges[-1]
    highest = max(distribution.counts)
    bars = []
    for (low, high), number in zip(pairwise(distribution.edges), distribution.counts, strict=True):
        left, right = _place(low, most), _place(high, most)
        label = f"{number} from {low:.4g} to {high:.4g} points"
        bars.append(Bar(left, round(right - left - 2, 1), round(number / highest * _HEIGHT, 1), number, label))
    marks = (max_score * number / _TICKS for number in range(_TICKS + 1))
    return Histogram(tuple(bars), tuple((_place(mark, most), f"{mark:.3g}") for mark in marks))


def _place(points: float, most: float) -> float:
    return round(_LEFT + _WIDTH * points / most, 1)
