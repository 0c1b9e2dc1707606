"""Report: turns a summary and the stored results into one HTML page that needs no network.

The page is streamed, so that at most one submission is in memory. The template engine escapes every value; a content
security policy allows only the page's own style and script, by their hashes. So student text can neither run nor load
anything.
"""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from autograder.plain_text import clean
from autograder.regression.comparison import Cause
from autograder.regression.scores import read_diagnosis, read_field
from autograder.regression.store import StoredResult
from autograder.regression.summary import QuestionRow, StudentRow, Summary
from autograder.results import Verdict
from autograder.templates import open_template

OUTPUT_CHARACTERS = 3_000  # for one test; the result's own file has the whole output
_TEXT_CHARACTERS = 10_000
_CHART_HEIGHT = 140
_HERE = Path(__file__).parent
_STATES = {"graded": "graded", "unreadable": "unreadable", "undecided": "not judged"}
_CAUSES = {
    Cause.GRADER: "Same files, changed grader",
    Cause.CODE: "Changed files",
    Cause.UNKNOWN: "Different points",
    Cause.NOTHING: "Not repeatable",
}
_VERDICTS = {
    Verdict.PARTIAL.value: "partly passed",
    Verdict.NOT_WRITTEN.value: "not written yet",
    Verdict.UNDECIDED.value: "not judged (a fault of the grader)",
    Verdict.NOT_RUN.value: "not run",
}
_NOTHING_TO_SAY = "Passed."

Load = Callable[[str], "StoredResult | None"]


@dataclass(frozen=True)
class _TestPart:
    """One test with more to show than "Passed"."""

    number: str
    title: str
    verdict: str
    points: str
    diagnosis: tuple[str, ...]
    output: str


@dataclass(frozen=True)
class _QuestionPart:
    """One question of one submission; `passed`: the numbers of tests that just passed."""

    title: str
    score: float
    max_score: float
    tests: tuple[_TestPart, ...]
    passed: tuple[str, ...]


@dataclass(frozen=True)
class _StudentPart:
    """One submission; `output`: the text of its result, if it was not graded."""

    position: int
    row: StudentRow
    questions: tuple[_QuestionPart, ...]
    output: str


@dataclass(frozen=True)
class _Answer:
    """One submission's written answer to one question."""

    name: str
    text: str


@dataclass(frozen=True)
class _AnswerSheet:
    """One written question; `answers` reads the answers anew at each call."""

    number: str
    title: str
    answers: Callable[[], Iterator[_Answer]]


def render_report(run: Summary, load: Load) -> Iterator[str]:
    """Render the page in pieces; `load` returns the stored result of a submission."""
    style, script = (_HERE.joinpath(name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    stream = open_template(_HERE / "report.html.jinja").stream(
        style=Markup(style),  # noqa: S704  (a file of ours)
        script=Markup(script),  # noqa: S704  (a file of ours)
        style_hash=_hash(style),
        script_hash=_hash(script),
        words=lambda diagnosis: diagnosis.replace("_", " "),
        count=_count,
        causes=_CAUSES,
        states=_STATES,
        **_collect_contents(run, load),
    )
    stream.enable_buffering(100)
    yield from stream


def _collect_contents(run: Summary, load: Load) -> dict[str, Any]:
    """Collect the values for the template."""
    sheets = list(_build_sheets(run, load))
    labels = {student.name: student.label for student in run.students}
    return {
        "run": run,
        "conclusion": conclude(run),
        "reuse": describe_reuse(run),
        "parts": _list_parts(run, sheets),
        "position": {student.name: position for position, student in enumerate(run.students, 1)},
        "label_of": lambda name: labels.get(name, name),
        "bins": _build_bins(run),
        "changes": _collect_changes(run),
        "any_published": any(student.published is not None for student in run.students),
        "any_named": any(student.people for student in run.students),
        "student_parts": _build_student_parts(run, load),
        "sheets": sheets,
    }


def conclude(run: Summary) -> str:
    """Summarise the result of the run in one line."""
    told = []
    unstable = {each.name for found in (run.baseline, run.repeats) if found for each in found.unstable}
    if unstable:
        told.append(
            f"{_count(len(unstable), 'score')} changed although nothing else did: the grader is not repeatable."
        )
    if run.baseline is not None:
        moved, compared = len(run.baseline.differences), _count(run.baseline.compared, "score")
        share = f"{moved} of {compared} differ{'s' if moved == 1 else ''}" if moved else f"None of {compared} differs"
        told.append(f"{share} from {run.baseline.against}.")
    if run.disagreements:
        told.append("Reused results are different when they are graded again: run with --no-reuse.")
    if run.undecided:
        told.append(f"The grader failed on {_count(len(run.undecided), 'submission')}.")
    if not told:
        told.append(f"{_count(len(run.students), 'submission')}; not compared with another run.")
    return " ".join(told)


def describe_reuse(run: Summary) -> str:
    """Describe in one line how many questions were reused, and how many of these were graded again."""
    timing = run.timing
    told = "No question was reused"
    if timing.reused:
        told = f"Reused from an earlier run: {timing.reused} of {_count(timing.questions, 'question')}"
    again = f"; graded again, to check what was reused: {timing.rechecked}" if timing.rechecked else ""
    return f"{told}{again}."


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _list_parts(run: Summary, sheets: Sequence[_AnswerSheet]) -> list[tuple[str, str]]:
    """List the parts of this page, for the links at the top."""
    found = [
        ("undecided", "Not judged", run.undecided),
        ("repeats", "Graded again", run.repeats),
        ("differences", "Differences", run.baseline),
        ("overview", "The class", True),
        ("mistakes", "Misunderstandings", run.diagnoses),
        ("tests", "Tests", True),
        ("students", "Submissions", True),
        ("published", "Compared with the published scores", run.published),
        ("texts", "Written answers", sheets),
        ("parts", "Each submission", True),
    ]
    return [(anchor, title) for anchor, title, is_present in found if is_present]


def _build_bins(run: Summary) -> list[dict[str, Any]]:
    """Build the bars of the histogram of totals."""
    if run.distribution is None:
        return []
    counts, most = run.distribution.counts, max(run.distribution.counts)
    return [
        {
            "count": count,
            "height": round(count / most * _CHART_HEIGHT, 1),
            "lowest": f"{run.max_score * number / len(counts):.3g}",
        }
        for number, count in enumerate(counts)
    ]


def _collect_changes(run: Summary) -> dict[str, float]:
    """Return the change of each total by name, against the baseline or else against the published scores."""
    found = run.baseline or run.published
    return {each.name: each.change for each in (*found.unstable, *found.differences)} if found else {}


def _build_student_parts(run: Summary, load: Load) -> Iterator[_StudentPart]:
    titles = {question.stem: question for question in run.questions}
    for position, row in enumerate(run.students, 1):
        stored = load(row.name)
        if stored is None:
            continue
        output = clean(str(stored.fields.get("output") or ""), OUTPUT_CHARACTERS) if row.state != "graded" else ""
        yield _StudentPart(position, row, tuple(_build_question_parts(stored, titles)), output)


def _build_question_parts(stored: StoredResult, titles: Mapping[str, QuestionRow]) -> Iterator[_QuestionPart]:
    by_question: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for test in _list_tests(stored):
        by_question[str((test.get("extra_data") or {}).get("question"))].append(test)
    for stem, tests in by_question.items():
        told = [test for test in tests if not _is_plain_pass(test)]
        yield _QuestionPart(
            title=titles[stem].title if stem in titles else stem,
            score=sum(test.get("score") or 0.0 for test in tests),
            max_score=sum(test.get("max_score") or 0.0 for test in tests),
            tests=_merge_unwritten([_build_test_part(test) for test in told]),
            passed=tuple(str(test.get("number") or test.get("name")) for test in tests if _is_plain_pass(test)),
        )


def _merge_unwritten(tests: list[_TestPart]) -> tuple[_TestPart, ...]:
    """Merge consecutive tests that are not written yet and have the same output."""
    merged: list[_TestPart] = []
    for test in tests:
        last = merged[-1] if merged else None
        is_alike = last is not None and (last.verdict, last.output) == (test.verdict, test.output)
        if last is not None and is_alike and test.verdict == _VERDICTS[Verdict.NOT_WRITTEN.value]:
            merged[-1] = replace(last, number=f"{last.number}, {test.number}", title="", points="")
        else:
            merged.append(test)
    return tuple(merged)


def _build_test_part(test: Mapping[str, Any]) -> _TestPart:
    extra = test.get("extra_data") or {}
    verdict, score, most = str(extra.get("verdict") or ""), test.get("score"), test.get("max_score")
    output = str(test.get("output") or "") + (f"\n\nFor staff:\n{extra['fault']}" if extra.get("fault") else "")
    return _TestPart(
        number=str(test.get("number") or ""),
        title=str(test.get("name") or ""),
        verdict=_VERDICTS.get(verdict, verdict or "for a person to read"),
        points="" if score is None or most is None else f"{score:g} of {most:g} points",
        diagnosis=read_diagnosis(extra),
        output=clean(output, OUTPUT_CHARACTERS),
    )


def _is_plain_pass(test: Mapping[str, Any]) -> bool:
    verdict = (test.get("extra_data") or {}).get("verdict")
    return verdict == Verdict.PASSED.value and test.get("output") == _NOTHING_TO_SAY


def _build_sheets(run: Summary, load: Load) -> Iterator[_AnswerSheet]:
    """Yield a sheet for each text of the assignment, as listed by the first graded submission."""
    graded = (stored for row in run.students if row.state == "graded" and (stored := load(row.name)) is not None)
    first = next(graded, None)
    for test in _list_tests(first) if first is not None else ():
        if _read_text(test) is not None:
            number, title = str(test.get("number") or ""), str(test.get("name") or "")
            yield _AnswerSheet(number, title, lambda title=title: _collect_answers(run, load, title))  # type: ignore[misc]


def _collect_answers(run: Summary, load: Load, title: str) -> Iterator[_Answer]:
    for row in run.students:
        stored = load(row.name)
        for test in _list_tests(stored) if stored is not None else ():
            text = _read_text(test)
            if text is not None and test.get("name") == title:
                yield _Answer(row.name, clean(text, _TEXT_CHARACTERS))


def _read_text(test: Mapping[str, Any]) -> str | None:
    """Return the written answer of a test that only shows a text; None for every other test."""
    text = (test.get("extra_data") or {}).get("text")
    return str(read_field(text, "answer") or "") if isinstance(text, Mapping) else None


def _list_tests(stored: StoredResult) -> list[Mapping[str, Any]]:
    return [test for test in stored.fields.get("tests") or () if isinstance(test, Mapping)]
