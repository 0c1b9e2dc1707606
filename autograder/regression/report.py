"""Report: turns a summary and the stored results into one HTML page that needs no network.

The page is streamed, so that at most one submission is in memory. The template engine escapes every value; a content
security policy allows only the page's own style and script, by their hashes. So student text can neither run nor load
anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from autograder.plain_text import count
from autograder.regression.answer_sheets import AnswerSheet, build_sheets
from autograder.regression.comparison import Cause
from autograder.regression.hard_checks import SHOWN, HardCheck
from autograder.regression.histogram import build_histogram
from autograder.regression.page_style import read_page_style
from autograder.regression.question_page import name_question_page
from autograder.regression.store import Load
from autograder.regression.student_parts import build_student_parts
from autograder.regression.summary import Summary
from autograder.templates import open_template

_HERE = Path(__file__).parent
_STATES = {"graded": "graded", "unreadable": "unreadable", "undecided": "not judged"}
_CAUSES = {
    Cause.GRADER: "Same files, changed grader",
    Cause.CODE: "Changed files",
    Cause.UNKNOWN: "Different points",
    Cause.NOTHING: "Not repeatable",
}


def render_report(run: Summary, load: Load, hard: Sequence[HardCheck]) -> Iterator[str]:
    """Render the page in pieces; `load` returns the stored result of a submission; `hard`: the hardest checks."""
    stream = open_template(_HERE / "report.html.jinja").stream(
        causes=_CAUSES,
        states=_STATES,
        **read_page_style(),
        **_collect_contents(run, load, hard),
    )
    stream.enable_buffering(100)
    yield from stream


def _collect_contents(run: Summary, load: Load, hard: Sequence[HardCheck]) -> dict[str, Any]:
    """Collect the values for the template."""
    sheets = list(build_sheets(run, load))
    labels = {student.name: student.label for student in run.students}
    return {
        "run": run,
        "conclusion": conclude(run),
        "reuse": describe_reuse(run),
        "parts": _list_parts(run, sheets, hard),
        "hard": hard[:SHOWN],
        "name_question_page": name_question_page,
        "position": {student.name: position for position, student in enumerate(run.students, 1)},
        "label_of": lambda name: labels.get(name, name),
        "histogram": build_histogram(run.distribution, run.max_score),
        "changes": _collect_changes(run),
        "any_published": any(student.published is not None for student in run.students),
        "any_late": any(student.late is not None for student in run.students),
        "any_named": any(student.people for student in run.students),
        "student_parts": build_student_parts(run, load),
        "sheets": sheets,
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


def _list_parts(run: Summary, sheets: Sequence[AnswerSheet], hard: Sequence[HardCheck]) -> list[tuple[str, str]]:
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
        ("texts", "Written answers", sheets),
        ("parts", "Each submission", True),
    ]
    return [(anchor, title) for anchor, title, is_present in found if is_present]


def _collect_changes(run: Summary) -> dict[str, float]:
    """Return the change of each total by name, against the baseline or else against the published scores."""
    found = run.baseline or run.published
    return {each.name: each.change for each in (*found.unstable, *found.differences)} if found else {}
