"""Prerequisites: knows which functions a function may rely on, and which of them lost points in tests of their own.

A function may rely on the functions before it in assignment.toml, on no later one, so that no two functions can each be
right only beside the grader's version of the other. Outside of its own tests a class counts as one function.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from autograder.assignment import Question
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.results import CheckResult, Verdict

_LOST = frozenset({Verdict.FAILED, Verdict.PARTIAL, Verdict.NOT_WRITTEN})
_OPEN = frozenset({Verdict.UNDECIDED, Verdict.NOT_RUN})


class Prerequisite(NamedTuple):
    """A function or a whole class, by the name that students read; `functions`: those whose tests decide about it."""

    name: str
    functions: tuple[str, ...]


def list_prerequisites(question: Question, functions: Sequence[str]) -> tuple[Prerequisite, ...]:
    """Return what the functions under test may rely on: all that stands before the last of them."""
    if question.answers:  # no answer calls another
        return ()
    names = [function.name for function in question.functions]
    owners = {find_owner(name) for name in functions}
    groups: dict[str, list[str]] = {}
    for name in names[: find_position(question, functions)]:
        if name not in functions:
            groups.setdefault(name if find_owner(name) in owners else find_owner(name), []).append(name)
    return tuple(Prerequisite(name, tuple(group)) for name, group in groups.items())


def find_position(question: Question, functions: Iterable[str]) -> int:
    """Return the position in the assignment of the last of these functions; tests are judged in this order."""
    names = [function.name for function in question.functions]
    return max(map(names.index, functions), default=0)


def sort_for_judging(tests: Iterable[RunnableTest], questions: Mapping[str, Question]) -> list[RunnableTest]:
    """Return the tests in the order of the questions, of the functions that they judge, and of their numbers."""
    stems = list(questions)

    def find_place(each: RunnableTest) -> tuple[int, int, tuple[int, ...]]:
        test = each.test
        return stems.index(test.stem), find_position(questions[test.stem], test.functions), test.order

    return sorted(tests, key=find_place)


def find_owner(name: str) -> str:
    """Return the class of a method; the name itself of a function or class."""
    return name.partition(".")[0]


@dataclass
class Standings:
    """The verdicts of one submission's tests on each function, by question and function.

    `learn`: called with a question and functions before their verdicts are looked up, it records those of another pass,
    and may wait for them. Verdicts of hidden tests never reach the standings of the visible pass.
    """

    learn: Callable[[str, Collection[str]], None] = lambda _stem, _functions: None
    _verdicts: dict[tuple[str, str], set[Verdict]] = field(default_factory=dict)

    def record(self, test: HiddenTest | CheckResult, verdict: Verdict) -> None:
        """Record the verdict of a test; advice costs no points, and counts for no function."""
        for function in () if test.is_advice else test.functions:
            self._verdicts.setdefault((test.stem, function), set()).add(verdict)

    def learn_about(self, stem: str, prerequisites: Iterable[Prerequisite]) -> None:
        """Have the verdicts of another pass on these functions recorded."""
        self.learn(stem, {name for each in prerequisites for name in each.functions})

    def list_lost(self, stem: str, prerequisites: Iterable[Prerequisite]) -> tuple[str, ...]:
        """Return the names of those that lost points in a test of their own."""
        return tuple(each.name for each in prerequisites if self._look_up(stem, each) & _LOST)

    def has_passed(self, stem: str, function: str) -> bool:
        """Whether a function passed a test of its own."""
        return Verdict.PASSED in self._verdicts.get((stem, function), ())

    def list_open(self, stem: str, prerequisites: Iterable[Prerequisite]) -> dict[str, Verdict]:
        """Return the names of those that have a test without a verdict of the student's, with that verdict."""
        found = {each.name: self._look_up(stem, each) & _OPEN for each in prerequisites}
        return {name: min(verdicts) for name, verdicts in found.items() if verdicts}

    def _look_up(self, stem: str, prerequisite: Prerequisite) -> set[Verdict]:
        return set().union(*(self._verdicts.get((stem, name), ()) for name in prerequisite.functions))
