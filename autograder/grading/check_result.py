"""Check result: turns the end of the last attempt at a hidden test into the result that is reported."""

from __future__ import annotations

from autograder.grading import explain
from autograder.grading.attempt import Tried
from autograder.grading.ending import Ending, Failed, NotRun, NoValue, Ours, Partial, Passed, find_failure
from autograder.grading.hidden_test import HiddenTest
from autograder.plain_text import clean
from autograder.results import CheckResult, Visibility
from autograder.sandbox.limits import STANDARD, Limits

_FAULT_CHARACTERS = 10_000
_NOTE_CHARACTERS = 500
_OF_TEST = ("test_id", "stem", "functions", "title", "number", "points", "visibility", "is_robustness", "is_advice")
_NOT_JUDGED = "Not judged: the grader itself failed here. This is not your fault; the test has no score, staff see why."
_NOT_RUN = "Not run: earlier checks used up the time for the whole submission. Look for slow or endless functions."


def build_check_result(
    test: HiddenTest, tried: Tried, *, seconds: float = 0.0, limits: Limits = STANDARD
) -> CheckResult:
    """Return the result to report of a test; `limits`: of the worker."""
    ending = tried.ending
    return CheckResult(
        **{name: getattr(test, name) for name in _OF_TEST},
        verdict=ending.verdict,
        score=_compute_score(test, ending),
        outcome=tried.outcome_name,
        output=_write_output(test, tried, limits),
        was_run=not (isinstance(ending, NoValue) and ending.uncalled),
        fault=clean(ending.fault, _FAULT_CHARACTERS) if isinstance(ending, Ours) else "",
        replaced=ending.replaced if isinstance(ending, Passed) else (),
        seconds=seconds,
        leaderboard=ending.entry if isinstance(ending, (Passed, Partial)) else None,
        attempts=tuple(reason.value for reason in tried.reasons),
        contradicts=tried.contradicts,
    )


def _compute_score(test: HiddenTest, ending: Ending) -> float | None:
    match ending:
        case Ours():
            return None
        case Passed():
            return test.points
        case Partial(score):
            return max(score, 0.0)
    return 0.0


def _write_output(test: HiddenTest, tried: Tried, limits: Limits) -> str:
    match tried.ending:
        case Ours():
            return _NOT_JUDGED
        case NotRun():
            return _NOT_RUN
        case Passed(notes, replaced=names, at_fault=at_fault):
            return "\n".join(["Passed.", *_clean_notes(notes), *_note_replaced(names, at_fault)])
        case Partial(failed=None, notes=notes):
            return "\n".join(["Partial.", *_clean_notes(notes)])
    if test.hide_errors is not None:
        return test.hide_errors
    shows_values = test.visibility is Visibility.VISIBLE
    text = _explain_loss(tried.ending, shows_values=shows_values, limits=limits)
    if test.is_advice:
        text = explain.mark_as_advice(text)
    more = _list_more(tried) if shows_values else [tried.lines]
    return "\n".join(filter(None, [text, *more]))


def _clean_notes(notes: tuple[str, ...]) -> list[str]:
    return [explain.clean_student_text(note, _NOTE_CHARACTERS) for note in notes]


def _note_replaced(replaced: tuple[str, ...], at_fault: tuple[str, ...]) -> list[str]:
    if not replaced:
        return []
    names = " and ".join(replaced)
    look = f"Look at {' and '.join(at_fault)}."
    return [f"Full credit: this passes with the grader's {names} in place of yours. {look}"]


def _explain_loss(ending: Ending, *, shows_values: bool, limits: Limits) -> str:
    failed = find_failure(ending)
    if failed is not None:
        return explain.explain_check(failed, shows_values=shows_values)
    assert isinstance(ending, NoValue)  # noqa: S101  (the others are told before, for the type checker)
    if ending.uncalled:
        return explain.explain_endless(ending.uncalled)
    shows_texts = shows_values and ending.shows_texts
    return explain.explain_outcome(ending.outcome, shows_values=shows_texts, limits=limits)


def _list_more(tried: Tried) -> list[str]:
    """List what a visible test that lost points shows beside its failure."""
    more = []
    if isinstance(tried.ending, (Partial, Failed, NoValue)):
        more.append(explain.explain_beside(tried.ending.beside))
    more.append(tried.lines)
    more.append(explain.explain_printed(tried.printed))
    return more
