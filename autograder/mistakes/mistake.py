"""Mistake: turns a function of staff into a known wrong answer, by a decorator.

The body runs inside a copy of the reference's text, so it may use any name of that module. In it, the name of the
function that it replaces is the right function; the submission's other functions, and the grader, find the mistaken
function under that name. A mistake in an answer file is a wrong formula as a function: it returns one expression, whose
text is the answer.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder.assignment import MISTAKES, AssignmentError, Severity


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer, as `mistake` declares it; `wrong`: its code, whose names are the reference's.

    `text`: that of code that stands in no file.
    """

    id: str
    stem: str
    function: str
    story: str
    hint: str
    wrong: Any
    severity: Severity
    breaks: tuple[str, ...] = ()
    caught_by: tuple[str, ...] = ()
    ends: bool = True
    graded_in: str = ""
    keeps: float | None = None
    text: str = ""

    @property
    def graded_function(self) -> str:
        """The function whose tests fail."""
        return self.graded_in or self.function

    @cached_property
    def source(self) -> str:
        """The text of the code, from `def` on."""
        if self.text:
            return self.text
        lines = inspect.getsource(self.wrong).splitlines()
        first = next(position for position, line in enumerate(lines) if line.startswith("def "))
        return "\n".join(lines[first:]) + "\n"


def mistake(
    function: str,
    *,
    severity: str = "",
    story: str,
    hint: str,
    breaks: Sequence[str] = (),
    caught_by: Sequence[str] = (),
    ends: bool = True,
    graded_in: str = "",
    keeps: float | None = None,
) -> Callable[[Callable[..., Any]], Mistake]:
    """Decorate a function as a known mistake, in a file of `tests/mistakes/`; its name becomes the mistake's id.

    `function`: the function that it replaces, "Stack.push" for a method, "Stack" for a constructor, "layers_linear"
    for the answer "layers.linear". `severity`: how much of the function is wrong, "slip", "misconception" or
    "fundamental"; the points that the mistake should cost follow from it. `story`: what the code does, for staff
    and in reports. `hint`: a sentence for the student, without the solution: it says what to look at. `breaks`: what
    is wrong with it: parts of the function as its contract names them, "arguments" where it changes them, "order" or
    "robustness" where nothing else is wrong; the function itself, where its tests are written by hand. Empty in a new
    mistake, until `matrix` has shown them. The hidden tests that fail with it are derived. `ends`: False if the code
    never ends in some test, so that only a student's process may run it. `caught_by`: the tests that fail, named by
    hand, for a mistake that never ends. `graded_in`: the function whose tests fail, if it is another: what a
    constructor does may show in a later method. `keeps`: the share of its points that the function has at least, in
    place of that for the severity. AssignmentError for another severity, or a share outside of 0 to 1.
    """

    def describe(wrong: Callable[..., Any]) -> Mistake:
        stem = wrong.__module__.rpartition(".")[2]
        where = f"{MISTAKES}/{stem}.py: the mistake {wrong.__name__}"
        return Mistake(
            id=wrong.__name__,
            stem=stem,
            function=function,
            story=story,
            hint=hint,
            wrong=wrong,
            severity=_read_severity(severity, where),
            breaks=tuple(breaks),
            caught_by=tuple(caught_by),
            ends=ends,
            graded_in=graded_in,
            keeps=_read_keeps(keeps, where),
        )

    return describe


def _read_severity(word: str, where: str) -> Severity:
    try:
        return Severity(word)
    except ValueError:
        known = ", ".join(severity.value for severity in Severity)
        raise AssignmentError(f"{where}: `severity` is {word!r}; write one of {known}") from None


def _read_keeps(share: object, where: str) -> float | None:
    if share is None:
        return None
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
        raise AssignmentError(f"{where}: `keeps` is {share!r}; write a number from 0 to 1, or leave it out")
    return float(share)
