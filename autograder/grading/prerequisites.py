"""Prerequisites: turns the order of an assignment's functions into those that each of them may rely on.

A function may rely on the functions before it in assignment.toml, on no later one, so that no two functions can each be
right only beside the grader's version of the other. Outside of its own tests a class counts as one function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from autograder.assignment import Question
from autograder.grading.hidden_test import RunnableTest


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
