"""Hidden test: turns a decorated test function into its description, and refuses one that is not whole."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.assignment import Assignment
from autograder.results import Visibility


class HiddenTestError(Exception):
    """The staff's hidden tests are not in order; the text has one line a problem. Nobody is graded."""


@dataclass(frozen=True)
class HiddenTest:
    """One graded test, as its decorators and its docstring describe it."""

    test_id: str
    stem: str
    functions: tuple[str, ...]
    title: str
    number: str
    points: float
    visibility: Visibility
    hide_errors: str | None

    @property
    def name(self) -> str:
        """The name of its function, by which mistakes name it."""
        return self.test_id.partition("::")[2]

    @property
    def order(self) -> tuple[int, ...]:
        """Sorts "1.10" behind "1.9"."""
        return tuple(int(part) for part in self.number.split("."))


def read_hidden_test(function: Any, *, file_stem: str, assignment: Assignment) -> HiddenTest:
    """The description of one test function; `HiddenTestError` names everything that is missing or unknown."""
    if not callable(function):
        raise HiddenTestError(f"test_{file_stem}.py: something is collected as a test that is no function")
    name = f"test_{file_stem}.py::{function.__name__}"
    known = {question.stem: question for question in assignment.questions}
    problems = [problem for problem in _problems(function) if problem]
    functions = tuple(getattr(function, "__tags__", ()))
    if file_stem not in known:
        problems.append(f"the assignment has no question {file_stem!r}")
    else:
        names = [each.name for each in known[file_stem].functions]
        problems += [f"the tag {tag!r} is no function of {file_stem}" for tag in functions if tag not in names]
    if problems:
        raise HiddenTestError("\n".join(f"{name}: {problem}" for problem in problems))
    return HiddenTest(
        test_id=name,
        stem=file_stem,
        functions=functions,
        title=function.__doc__.strip().splitlines()[0],
        number=function.__number__,
        points=float(function.__weight__),
        visibility=Visibility(getattr(function, "__visibility__", "visible")),
        hide_errors=getattr(function, "__hide_errors__", None),
    )


def validate(tests: Sequence[HiddenTest], assignment: Assignment, *, stems: Iterable[str]) -> None:
    """`HiddenTestError` where two tests share a number or the points of a question do not add up."""
    counts = Counter(test.number for test in tests)
    problems = [f"the number {number} is used by {count} tests" for number, count in counts.items() if count > 1]
    for question in assignment.questions:
        total = sum(test.points for test in tests if test.stem == question.stem)
        if question.stem in set(stems) and abs(total - question.points) > 1e-9:
            points = f"the tests give {total:g} points, assignment.toml says {question.points:g}"
            problems.append(f"{question.stem}: {points}")
    if problems:
        raise HiddenTestError("\n".join(problems))


def _problems(function: Any) -> Iterable[str]:
    code = inspect.unwrap(function)
    if inspect.isgeneratorfunction(code) or inspect.iscoroutinefunction(code) or inspect.isasyncgenfunction(code):
        yield "a plain call does not run it; write it without `async` and `yield`"
    points = getattr(function, "__weight__", None)
    if not isinstance(points, (int, float)) or isinstance(points, bool) or not 0 <= points < float("inf"):
        yield f"@weight is missing or no number of points (found {points!r})"
    number = getattr(function, "__number__", None)
    if not isinstance(number, str) or not all(part.isdecimal() for part in number.split(".")):
        yield f'@number is missing or not like "1.2" (found {number!r})'
    visibility = getattr(function, "__visibility__", "visible")
    if visibility not in [each.value for each in Visibility]:
        yield f"@visibility is none of {', '.join(each.value for each in Visibility)} (found {visibility!r})"
    hide_errors = getattr(function, "__hide_errors__", None)
    if not isinstance(hide_errors, (str, type(None))):
        yield f"@hide_errors is no text (found {hide_errors!r})"
    if not getattr(function, "__tags__", ()):
        yield "@tags is missing; name the function under test"
    if not (function.__doc__ or "").strip():
        yield "the docstring is missing; its first line is the title that students read"
