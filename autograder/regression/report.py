"""Report: turns a summary and the stored results into HTML pages that need no network, a picture, and JUnit's XML.

The page on the class is streamed, so that at most one submission is in memory. The template engine escapes every value;
a content security policy allows only a page's own style and script, by their hashes. So student text can neither run
nor load anything. The page of a question and the picture name no submission, so that they can be shown to others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from autograder.plain_text import clean_line, count
from autograder.regression.comparison import ChangedWords
from autograder.regression.item_analysis import SHOWN_HARD, HardCheck, compute_distribution
from autograder.regression.scores import TestScore
from autograder.regression.store import Load
from autograder.regression.student_parts import build_student_parts, collect_answers, list_texts
from autograder.regression.summary import Cause, Difference, Distribution, StudentRow, Summary
from autograder.templates import open_template, read_inline

_HERE = Path(__file__).parent
_SHOWN_MISTAKES = 10  # in the picture
_LINE_CHARACTERS = 74
_LEFT, _WIDTH, _HEIGHT = 20.0, 410.0, 140.0  # of the plot of a chart, in units of its view box of 440 by 200
_WIDE = 14.0  # of a bar with its count above it
_TICKS = 4
_NAME_CHARACTERS = 200  # in the XML
_STATES = {"graded": "graded", "unreadable": "unreadable", "undecided": "not judged"}
_CAUSES = {
    Cause.GRADER: "Same files, changed grader",
    Cause.CODE: "Changed files",
    Cause.UNKNOWN: "Different points",
    Cause.NOTHING: "Not repeatable",
}


def render_report(
    run: Summary, load: Load, hard: Sequence[HardCheck], changed: Sequence[ChangedWords] = ()
) -> Iterator[str]:
    """Render the page in pieces; `load` returns the stored result of a submission; `hard`: the hardest checks.

    `changed`: the words of checks that differ from the baseline's.
    """
    stream = open_template(_HERE / "report.html.jinja").stream(
        causes=_CAUSES,
        states=_STATES,
        changed=changed,
        **_read_page_style(),
        **_collect_contents(run, load, hard),
    )
    stream.enable_buffering(100)
    yield from stream


def render_question_pages(run: Summary, hard: Sequence[HardCheck]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each question."""
    template, page_style = open_template(_HERE / "question.html.jinja"), _read_page_style()
    for question in run.questions:
        stem = question.stem
        points = [student.questions.get(stem, 0.0) for student in run.students if student.state == "graded"]
        distribution = compute_distribution(points, question.max_score)
        yield (
            name_question_page(stem),
            template.render(
                run=run,
                question=question,
                distribution=distribution,
                histogram=build_histogram(distribution, question.max_score),
                hard=[(item, failures) for item, failures in hard if item.question == stem],
                diagnoses=[each for each in run.diagnoses if each.question == stem],
                tests=[item for item in run.tests if item.question == stem],
                **page_style,
            ),
        )


def name_question_page(stem: str) -> str:
    """Name the file of a question's page, in the folder of the report."""
    return f"report-{stem}.html"


def draw_misunderstandings(run: Summary) -> str:
    """Draw a bar for each of the commonest mistakes: the share of the graded submissions that make it."""
    graded = sum(student.state == "graded" for student in run.students)
    titles = {question.stem: question.title for question in run.questions}
    rows = [
        {
            "title": _shorten(f"{titles.get(each.question, each.question)}: {each.diagnosis.replace('_', ' ')}"),
            "story": _shorten(each.story),
            "percent": round(100 * len(each.students) / graded),
            "count": len(each.students),
        }
        for each in run.diagnoses[:_SHOWN_MISTAKES]
    ]
    template = open_template(_HERE / "misunderstandings.svg.jinja")
    return template.render(rows=rows, title=run.title, graded=graded, height=96 + 62 * max(1, len(rows)))


def _shorten(text: str) -> str:
    first = text.partition("\n")[0]
    return first if len(first) <= _LINE_CHARACTERS else f"{first[: _LINE_CHARACTERS - 1]}…"


def _read_page_style() -> dict[str, Any]:
    """Return the values of the templates that all pages need."""
    (style, style_hash), (script, script_hash) = (read_inline(_HERE / name) for name in ("report.css", "report.js"))
    return {
        "style": style,
        "script": script,
        "style_hash": style_hash,
        "script_hash": script_hash,
        "words": lambda diagnosis: diagnosis.replace("_", " "),
        "count": count,
    }


def _collect_contents(run: Summary, load: Load, hard: Sequence[HardCheck]) -> dict[str, Any]:
    """Collect the values for the template."""
    texts = list_texts(run, load)
    labels = {student.name: student.label for student in run.students}
    found = run.baseline or run.published
    return {
        "run": run,
        "conclusion": conclude(run),
        "reuse": describe_reuse(run),
        "parts": _list_parts(run, texts, hard),
        "hard": hard[:SHOWN_HARD],
        "name_question_page": name_question_page,
        "position": {student.name: position for position, student in enumerate(run.students, 1)},
        "label_of": lambda name: labels.get(name, name),
        "histogram": build_histogram(run.distribution, run.max_score),
        "changes": {each.name: each.change for each in (*found.unstable, *found.differences)} if found else {},
        "any_published": any(student.published is not None for student in run.students),
        "any_late": any(student.late is not None for student in run.students),
        "any_named": any(student.people for student in run.students),
        "student_parts": build_student_parts(run, load),
        "texts": texts,
        "find_answers": partial(collect_answers, run, load),
    }


def conclude(run: Summary) -> str:
    """Summarise the result of the run in one line."""
    told = []
    unstable = {each.name for found in (run.baseline, run.repeats) if found for each in found.unstable}
    if unstable:
        told.append(f"{count(len(unstable), 'score')} changed although nothing else did: the grader is not repeatable.")
    if run.baseline is not None:
        moved, compared = len(run.baseline.differences), count(run.baseline.compared, "score")
        share = f"{moved} of {compared} differ{'s' if moved == 1 else ''}" if moved else f"None of {compared} differs"
        told.append(f"{share} from {run.baseline.against}.")
    if run.disagreements:
        told.append("Reused results are different when they are graded again: run with --no-reuse.")
    if run.undecided:
        told.append(f"The grader failed on {count(len(run.undecided), 'submission')}.")
    if not told:
        told.append(f"{count(len(run.students), 'submission')}; not compared with another run.")
    return " ".join(told)


def describe_reuse(run: Summary) -> str:
    """Describe in one line how many questions were reused, and how many of these were graded again."""
    timing = run.timing
    told = "No question was reused" if timing.graded else "No submission had to be graded"
    if timing.reused:
        told = f"Reused from an earlier run: {timing.reused} of {count(timing.questions, 'question')}"
    again = f"; graded again, to check what was reused: {timing.rechecked}" if timing.rechecked else ""
    return f"{told}{again}."


def _list_parts(run: Summary, texts: Sequence[TestScore], hard: Sequence[HardCheck]) -> list[tuple[str, str]]:
    """List the parts of this page, for the links at the top."""
    found = [
        ("undecided", "Not judged", run.undecided),
        ("repeats", "Graded again", run.repeats is not None and run.repeats.is_different),
        ("differences", "Differences", run.baseline),
        ("overview", "The class", True),
        ("mistakes", "Misunderstandings", run.diagnoses),
        ("hard", "Hardest checks", hard),
        ("tests", "Tests", True),
        ("students", "Submissions", True),
        ("repeats", "Graded again", run.repeats is not None and not run.repeats.is_different),
        ("published", "Compared with the published scores", run.published),
        ("texts", "Written answers", texts),
        ("parts", "Each submission", True),
    ]
    return [(anchor, title) for anchor, title, is_present in found if is_present]


@dataclass(frozen=True)
class Bar:
    """One bar, whose area stands for its `count`; `label`: what it counts."""

    x: float
    width: float
    height: float
    count: int
    label: str

    @property
    def is_wide(self) -> bool:
        """Whether the count fits above it."""
        return self.width >= _WIDE


@dataclass(frozen=True)
class Histogram:
    """The chart: its bars, the ticks of its axis with their texts, and whether each bar has about a tenth of all."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    has_quantiles: bool


def build_histogram(distribution: Distribution | None, max_score: float) -> Histogram | None:
    """Build the chart of the points; None if there are none."""
    if distribution is None:
        return None
    most = max(max_score, distribution.edges[-1]) or 1.0
    bins = [
        (low, high, count) for (low, high), count in zip(pairwise(distribution.edges), distribution.counts, strict=True)
    ]
    densest = max(count / (high - low) for low, high, count in bins)
    bars = tuple(_build_bar(each, most, densest) for each in bins)
    marks = (max_score * number / _TICKS for number in range(_TICKS + 1))
    ticks = tuple((_place(mark, most), f"{mark:.3g}") for mark in marks)
    return Histogram(bars, ticks, distribution.has_quantiles)


def _build_bar(each: Sequence[float], most: float, densest: float) -> Bar:
    low, high, count = each
    x, right = _place(low, most), _place(high, most)
    height = round(count / (high - low) / densest * _HEIGHT, 1)
    label = f"{count:g} from {low:.4g} to {high:.4g} points"
    return Bar(x, round(max(1.0, right - x - 2), 1), height, int(count), label)


def _place(points: float, most: float) -> float:
    return round(_LEFT + _WIDTH * points / most, 1)


@dataclass(frozen=True)
class _Case:
    """One submission; it passed unless a field says otherwise."""

    name: str
    failure: str = ""
    detail: str = ""
    error: str = ""
    skipped: str = ""


def render_junit(run: Summary) -> str:
    """Render the XML text for continuous integration: a case for each submission, failed if it changed."""
    found = [each for each in (run.repeats, run.baseline) if each is not None]
    moved = {each.name: each for comparison in found for each in (*comparison.differences, *comparison.unstable)}
    appeared = run.baseline.appeared if run.baseline else ()
    cases = [_build_case(student, moved.get(student.name), is_new=student.name in appeared) for student in run.students]
    return open_template(_HERE / "junit.xml.jinja").render(
        run=run,
        cases=cases,
        failures=sum(bool(case.failure) for case in cases),
        skipped=sum(bool(case.skipped) for case in cases),
    )


def _build_case(student: StudentRow, moved: Difference | None, *, is_new: bool) -> _Case:
    shown = clean_line(student.name, _NAME_CHARACTERS)
    if student.state == "undecided":
        reason = f": {student.fault}" if student.fault else ""
        return _Case(shown, error=f"the grader failed on this submission{reason}")
    if moved is not None:
        why = "not repeatable: " if moved.cause is Cause.NOTHING else ""
        lines = [f"{move.test} {move.title}: {move.before} to {move.after}" for move in moved.moves]
        return _Case(shown, failure=f"{why}{moved.before} to {moved.after} points", detail="\n".join(lines))
    return _Case(shown, skipped="not in the baseline") if is_new else _Case(shown)
