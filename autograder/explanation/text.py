"""Text: turns an explanation into lines for staff, in which nothing of a student's steers a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from autograder.checks.cases import Comparison
from autograder.diagnosis.failed_function import is_lost
from autograder.diagnosis.replies import is_same_reply
from autograder.explanation.explanation import Explanation
from autograder.explanation.named_calls import NamedCall
from autograder.explanation.value_text import describe_difference, write_value
from autograder.grading import explain
from autograder.grading.attempt import Attempt, AttemptResult
from autograder.grading.attempt_run import AttemptRun
from autograder.plain_text import clean, clean_line, count
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.results import CheckResult, Verdict, Visibility

_CALLS_SHOWN = 6
_COMPARISONS_SHOWN = 10
_LINE_CHARACTERS = 1_000
_STEP = "  "


def write_explanation(explanation: Explanation) -> str:
    """Write the account of a verdict, with hidden inputs and right values."""
    parts = (_write_head, _write_attempts, _write_diagnosis, _write_lines_to_run)
    blocks = ["\n".join(part(explanation)) for part in parts]
    lines = "\n\n".join(filter(None, blocks)).splitlines()
    return "".join(f"{clean(line, _LINE_CHARACTERS).rstrip()}\n" for line in lines)


def _write_head(explanation: Explanation) -> Iterator[str]:
    check = explanation.check
    points = "no score" if check.score is None else f"{check.score:g} of {count(check.points, 'point')}"
    is_hidden = check.visibility is not Visibility.VISIBLE
    yield f"{check.number} {check.title}"
    yield f"  check:      {check.test_id}, of {', '.join(check.functions)}"
    yield f"  visibility: {check.visibility.value.replace('_', ' ')}" + (" (for staff alone)" if is_hidden else "")
    yield f"  file:       {explanation.file or 'none'}"
    yield f"  verdict:    {check.verdict.value.replace('_', ' ')}, {'advice' if check.is_advice else points}"
    if check.replaced:
        yield f"  replaced:   it passes with the grader's {' and '.join(check.replaced)}"
    yield from (f"  note:       {note}" for note in (*explanation.notes, *_list_own_notes(check)))
    yield from (f"  fault:      {line}" for line in check.fault.splitlines())


def _list_own_notes(check: CheckResult) -> list[str]:
    """List the notes on a pass; a replacement has a line of its own."""
    is_note = check.verdict in (Verdict.PASSED, Verdict.PARTIAL) and not check.output.startswith("FAIL ")
    lines = check.output.splitlines()[1:] if is_note else []
    return [line for line in lines if line.strip() and not line.startswith("Full credit: ")]


def _write_attempts(explanation: Explanation) -> Iterator[str]:
    written: list[list[str]] = []
    for run, result, calls in explanation.attempts:
        if written:
            yield ""
        yield f"{_name_attempt(run.attempt)}: {_name_ending(result)}"
        lines = list(_write_calls(calls, explanation.right, shows_right=all(each.holds for each in run.compared)))
        lines += [*_write_comparisons(run.compared), *_write_ending(run, result)]
        yield from _indent(["everything is as above"] if lines in written else lines)
        written.append(lines)


def _name_attempt(attempt: Attempt) -> str:
    if not attempt.is_repeat:
        return "On the student's functions alone"
    names = [*attempt.substituted, *(["copies of supplied modules"] if attempt.supplied_wins else [])]
    return f"Repeated with the grader's {' and '.join(names)} in place of the student's"


def _name_ending(result: AttemptResult) -> str:
    if result.failed is not None:
        return "failed"
    is_over = result.outcome.kind is OutcomeKind.RETURNED
    return "ran to its end" if is_over else result.outcome.kind.value.replace("_", " ")


Pair = tuple[NamedCall, NamedCall | None]


def _write_calls(calls: Sequence[NamedCall], right: Sequence[NamedCall], *, shows_right: bool) -> Iterator[str]:
    """Write some calls, the wrong ones first, each beside the same one of the reference if the test took its way."""
    both = zip_longest(calls, right[: len(calls)])
    pairs = [(call, other if other is not None and call.is_like(other) else None) for call, other in both]
    wrong = [position for position, pair in enumerate(pairs) if _is_wrong(pair)]
    latest_first = range(len(pairs))[::-1]
    chosen = dict.fromkeys([*latest_first[:1], *wrong[: _CALLS_SHOWN - 1], *latest_first])
    shown = sorted(list(chosen)[:_CALLS_SHOWN])
    for position in shown:
        yield from _write_call(position + 1, pairs[position], shows_right=shows_right)
    if len(calls) > len(shown):
        yield f"{len(shown)} of {len(calls)} calls are shown; {len(wrong)} gave another value than the reference"


def _is_wrong(pair: Pair) -> bool:
    call, right = pair
    return right is not None and not is_same_reply(call.reply, right.reply)


def _write_call(number: int, pair: Pair, *, shows_right: bool) -> Iterator[str]:
    call, right = pair
    yield f"call {number}: {clean_line(call.text, _LINE_CHARACTERS)}"
    for name, lines in call.arguments:
        yield from _label(name, lines)
    yield from _label("returned" if not isinstance(call.reply, Outcome) else "ended", write_value(call.reply))
    if right is not None and shows_right and _is_wrong(pair):
        yield from _label("reference", write_value(right.reply))
        if not isinstance(call.reply, Outcome):
            yield from _label("difference", describe_difference(call.reply, right.reply))


def _write_comparisons(comparisons: Sequence[Comparison]) -> Iterator[str]:
    held = [each for each in comparisons if each.holds]
    for each in held[-_COMPARISONS_SHOWN:]:
        (line, *_) = describe_difference(each.found, each.right)
        yield f"compared {each.what}: agrees, difference: {line}"
    if len(held) > _COMPARISONS_SHOWN:
        yield f"and {len(held) - _COMPARISONS_SHOWN} earlier comparisons agree"
    for each in comparisons:
        if not each.holds:
            yield f"compared {each.what}:"
            yield from _label("right", write_value(each.right))
            yield from _label("student's", write_value(each.found))
            yield from _label("difference", describe_difference(each.found, each.right))


def _write_ending(run: AttemptRun, result: AttemptResult) -> Iterator[str]:
    if result.failed is not None:
        yield from explain.explain_check(result.failed, shows_values=True).splitlines()
    elif result.outcome.kind not in (OutcomeKind.RETURNED, OutcomeKind.SANDBOX_FAILED):
        yield from explain.explain_outcome(result.outcome, shows_values=True, limits=run.limits).splitlines()


def _write_diagnosis(explanation: Explanation) -> Iterator[str]:
    check = explanation.check
    if not is_lost(check):
        return
    alike = [each for each in explanation.beside if _is_evidence(each, check)]
    if not explanation.mistakes:
        yield f"Known mistake: none gives the same replies in {_list_numbers(alike)}"
    for mistake in explanation.mistakes:
        same = [each for each in alike if mistake.id in each.diagnosis]
        others = [each for each in alike if mistake.id not in each.diagnosis]
        yield f"Known mistake: {mistake.id}"
        yield f"  story:    {mistake.story}"
        yield f"  hint:     {mistake.hint}"
        yield f"  rests on: the replies in {_list_numbers(same)} are the mistake's"
        if others:
            yield f"            {_list_numbers(others)} failed with other replies"
    notes = [result.failed.gradient_note for _, result, _ in explanation.attempts if result.failed is not None]
    yield from (f"  own loss: {note}" for note in dict.fromkeys(filter(None, notes)))


def _is_evidence(each: CheckResult, check: CheckResult) -> bool:
    """Whether a check lost points and counts for the diagnosis of another: hidden ones say nothing of visible ones."""
    is_known = check.visibility is not Visibility.VISIBLE or each.visibility is Visibility.VISIBLE
    return is_known and is_lost(each) and each.is_robustness == check.is_robustness


def _list_numbers(checks: Iterable[CheckResult]) -> str:
    return ", ".join(each.number for each in checks)


def _write_lines_to_run(explanation: Explanation) -> Iterator[str]:
    for run, result, _ in explanation.attempts[:1]:
        lines = explain.explain_reproducer(run.write_reproducer(result.failed).text).splitlines()
        yield from (["Lines to run, beside the student's file:", *lines[1:]] if lines else [])
        yield from explain.explain_printed(run.printed).splitlines()


def _label(name: str, lines: Sequence[str]) -> Iterator[str]:
    yield f"{_STEP}{name + ':':<11} {lines[0]}"
    yield from (f"{_STEP}{'':<11} {line}" for line in lines[1:])


def _indent(lines: Iterable[str]) -> Iterator[str]:
    yield from (_STEP + line for line in lines)
