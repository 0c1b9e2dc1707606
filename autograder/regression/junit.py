"""JUnit: turns a summary into XML for continuous integration: a case for each submission, failed if it changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.plain_text import clean_line
from autograder.regression.summary import Cause, Difference, StudentRow, Summary
from autograder.templates import open_template

_NAME_CHARACTERS = 200


@dataclass(frozen=True)
class _Case:
    """One submission; it passed unless a field says otherwise."""

    name: str
    failure: str = ""
    detail: str = ""
    error: str = ""
    skipped: str = ""


def render_junit(run: Summary) -> str:
    """Render the XML text."""
    found = [each for each in (run.repeats, run.baseline) if each is not None]
    moved = {each.name: each for comparison in found for each in (*comparison.differences, *comparison.unstable)}
    appeared = run.baseline.appeared if run.baseline else ()
    cases = [_build_case(student, moved.get(student.name), is_new=student.name in appeared) for student in run.students]
    return open_template(Path(__file__).with_name("junit.xml.jinja")).render(
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
