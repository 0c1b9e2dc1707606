"""Overview: turns the results of checks into a paragraph on what to do first, and into a list by function.

Its reader chooses the checks: the visible ones where students read it, all of them for staff. A function whose checks
pass only with the grader's version of another rests on that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from autograder.plain_text import count, join_words
from autograder.programs.outcome import NOT_LOADED
from autograder.results import CheckResult, QuestionStatus, Report, Verdict, write_points

_WRONG, _OPEN, _NOT_JUDGED, _RIGHT = "wrong", "not written yet", "not judged", "right"
_WORDS = {  # the word of a function is the first that one of its checks has
    Verdict.FAILED: _WRONG,
    Verdict.PARTIAL: _WRONG,
    Verdict.NOT_WRITTEN: _OPEN,
    Verdict.UNDECIDED: _NOT_JUDGED,
    Verdict.NOT_RUN: _NOT_JUDGED,
    Verdict.PASSED: _RIGHT,
}
_NAMED = 3  # names in a sentence; more are counted


class JudgedFunction(NamedTuple):
    """A function, or several that are judged together, with the checks of it that give points."""

    question: QuestionStatus
    functions: tuple[str, ...]
    checks: tuple[CheckResult, ...]

    @property
    def name(self) -> str:
        """The name that students read; an answer's key in its file."""
        return " and ".join(self.question.keys.get(each, each) for each in self.functions)

    @property
    def word(self) -> str:
        """Whether it is wrong, not written yet, not judged or right."""
        words = [_WORDS[check.verdict] for check in self.checks]
        return min(words, key=list(_WORDS.values()).index)


def list_functions(report: Report, checks: Iterable[CheckResult]) -> list[JudgedFunction]:
    """List the functions of these checks, in the order of the questions and of the first check of each."""
    own: dict[tuple[str, tuple[str, ...]], list[CheckResult]] = {}
    for check in checks:
        own.setdefault((check.question_id, check.functions), []).append(check)
    found = []
    for question in report.questions:
        for (question_id, functions), judged in own.items():
            if question_id == question.question_id:
                found.append(JudgedFunction(question, functions, tuple(judged)))
    return found


def write_first_steps(functions: Sequence[JudgedFunction]) -> str:
    """Write a paragraph that says what is wrong and what to start with; empty where nothing is wrong or unwritten."""
    wrong = [each for each in functions if each.word == _WRONG]
    unwritten = [each for each in functions if each.word == _OPEN]
    if not wrong and not unwritten:
        return ""
    first, reason = _find_first(wrong or unwritten, functions)
    unloaded = next(filter(_is_unloaded, wrong), None)
    if len(wrong) + len(unwritten) == 1 and unloaded is None:
        return f"{first} is {(wrong or unwritten)[0].word}{reason}."
    told = []
    if wrong:
        told.append(f"{_join_names(wrong)} {_choose_verb(wrong)} {_WRONG}")
    if unwritten:
        named = count(len(unwritten), "other") if wrong else _join_names(unwritten)
        told.append(f"{named} {_choose_verb(unwritten)} {_OPEN}")
    start = f"{first}{reason}" if unloaded is None else f"{unloaded.question.file}: it could not be loaded"
    return f"{', '.join(told)}. Start with {start}."


def _find_first(unsolved: Sequence[JudgedFunction], functions: Sequence[JudgedFunction]) -> tuple[str, str]:
    """Find the function on which most others rest, the first of equal ones; return its place, and why it is first."""
    resting = [_list_resting(each, functions) for each in unsolved]
    others = max(resting, key=len)
    first = unsolved[resting.index(others)]
    place = f"{first.name} in {first.question.file}" if first.question.file else first.name
    if not others:
        return place, ""
    return place, f": checks of {_join_names(others)} need it"


def _is_unloaded(function: JudgedFunction) -> bool:
    outputs = [check.output for check in function.checks]
    return any(output.startswith(NOT_LOADED) for output in outputs)


def _list_resting(first: JudgedFunction, functions: Sequence[JudgedFunction]) -> list[JudgedFunction]:
    """List the other functions with a check that passes with the grader's version of this one alone."""
    names = set()
    for function in first.functions:
        owner, _, _ = function.partition(".")
        names |= {(function,), (owner,)}
    resting = []
    for each in functions:
        is_passed_with_it = any(check.replaced in names for check in each.checks)
        if is_passed_with_it and each.question is first.question and each is not first:
            resting.append(each)
    return resting


def _join_names(functions: Sequence[JudgedFunction]) -> str:
    names = [each.name for each in functions]
    if len(names) > _NAMED:
        shown = names[: _NAMED - 1]
        others = count(len(names) - len(shown), "other")
        names = [*shown, others]
    return join_words(names)


def _choose_verb(functions: Sequence[JudgedFunction]) -> str:
    return "is" if len(functions) == 1 else "are"


def write_list(functions: Sequence[JudgedFunction]) -> Iterator[str]:
    """Write the functions of each question: a line for each that is wrong, and one for all others that are alike."""
    for question in dict.fromkeys(each.question.question_id for each in functions):
        own = [each for each in functions if each.question.question_id == question]
        head = f"{own[0].question.title} ({own[0].question.file or 'no file'})"
        if all(each.word == _RIGHT for each in own):
            yield f"{head}: {_RIGHT}, {_add_up(own)}"
            continue
        yield head
        for each in own:
            if each.word == _WRONG:
                numbers = [check.number for check in each.checks if check.verdict is not Verdict.PASSED]
                checks = "check" if len(numbers) == 1 else "checks"
                yield f"  {_WRONG}: {each.name}; {_add_up([each])}, see {checks} {', '.join(numbers)}"
        for word in (_OPEN, _NOT_JUDGED, _RIGHT):
            alike = [each for each in own if each.word == word]
            if alike:
                yield f"  {word}: {', '.join(each.name for each in alike)}; {_add_up(alike)}"


def _add_up(functions: Sequence[JudgedFunction]) -> str:
    return write_points(check for each in functions for check in each.checks)
