"""Lines run: runs the lines that a student would paste, on the student's files; tells whether they show the failure.

Run by the grader; the lines run in a worker of their own, which is told what the student may read. Where they give
another value, as after random draws, or end in another way than the check did, they are not shown. Where that value is
right, the student's code keeps something from an earlier call.
"""

from __future__ import annotations

import ast
import math
import textwrap
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.checks.cases import Comparison
from autograder.checks.values import NotNumbers, convert_to_numbers, drop_unit_axes, has_part, is_equal
from autograder.grading.attempt import Attempt, AttemptResult
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.material import Material
from autograder.grading.memory import WorkerMemory
from autograder.grading.reproducer import NO_LINES, RIGHT_ALONE, Lines
from autograder.programs.outcome import OutcomeKind
from autograder.sandbox import limits as limit
from autograder.sandbox.host.exports import TOO_MANY_CALLS
from autograder.student import Student
from autograder.submission import SourceFile

_MODULE, _FUNCTION = "lines_to_run", "show"
_CLOSE = 1e-4  # arguments are written with eight digits, and a wrong function may magnify the difference


def run_lines(runner: AttemptRunner, test: HiddenTest, result: AttemptResult) -> Lines:
    """Return the lines of a failed test if they give the same wrong values, or error, beside the student's files.

    Else return NO_LINES, or RIGHT_ALONE where they give the right value.

    The lines of a call that did not end are not run again. Once the time for waiting is spent, a second has to do.
    """
    lines = result.reproducer
    ending = lines.ending
    if ending is not None and (ending.kind is OutcomeKind.TIMED_OUT or ending.refusal == TOO_MANY_CALLS):
        return lines
    wall_s = limit.WALL_AFTER_WAIT_S if runner.memory.waiting.is_spent(test.stem) else math.inf
    shown: list[Any] = []

    def show(student: Student) -> None:
        shown.append(getattr(getattr(student, test.stem), _FUNCTION)())

    material = _add_lines(runner.materials[test.stem], lines.text)
    memory = WorkerMemory(declared=runner.memory.declared)
    alone = replace(runner, materials={test.stem: material}, shares_workers=False, memory=memory)
    ran = alone.run(Attempt((_FUNCTION,), runner.deadline, limit.CPU_AFTER_TIMEOUT_S, wall_s), test, show)
    if ending is not None:
        is_same = (ran.outcome.kind, ran.outcome.error_type) == (ending.kind, ending.error_type)
        return lines if is_same else NO_LINES
    if ran.outcome.kind is not OutcomeKind.RETURNED or len(shown) != 1:
        return NO_LINES
    if _is_shown(lines.shown, shown[0]):
        return lines
    return RIGHT_ALONE if _is_right(lines.refused, shown[0]) else NO_LINES


def _add_lines(material: Material, text: str) -> Material:
    """Return a submission that has the lines as a function of a further file, which is the one to load."""
    source = _write_function(text)
    main = SourceFile(f"{_MODULE}.py", source, _MODULE)
    files = replace(material.files, main=main, also={}, variant=None)
    return replace(material, files=files, own={**material.own, _MODULE: (main.path, source, False)})


def _write_function(text: str) -> str:
    """Write the lines as a function that returns what they print last."""
    lines = [ast.unparse(each) for each in ast.parse(text).body]
    if lines[-1].startswith("print("):
        lines[-1] = f"return [{lines[-1][len('print(') : -1]}]"
    return f"def {_FUNCTION}():\n{textwrap.indent(chr(10).join(lines), '    ')}\n"


def _is_shown(wanted: tuple[object, ...], got: object) -> bool:
    """Whether the values that the function returned are those of the failed check, as closely as lines are written."""
    return bool(wanted) and isinstance(got, list) and len(got) == len(wanted) and all(map(_is_seen, wanted, got))


def _is_right(refused: Comparison | None, got: object) -> bool:
    """Whether the values have the right one that a check missed, and not the one that it refused."""
    return refused is not None and has_part(got, refused.right, _is_like) and not has_part(got, refused.found, _is_like)


def _is_seen(wanted: object, got: object) -> bool:
    """Whether a value is what was wanted; of some calls only an item of their values was."""
    return _is_like(wanted, got) or (isinstance(got, (list, tuple)) and any(_is_like(wanted, each) for each in got))


def _is_like(first: Any, second: Any) -> bool:
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_is_like(first[key], second[key]) for key in first)
    try:
        numbers, others = (convert_to_numbers(each).astype(np.float64) for each in (first, second))
    except NotNumbers:
        if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
            return len(first) == len(second) and all(map(_is_like, first, second))
        return is_equal(first, second)
    if drop_unit_axes(numbers.shape) != drop_unit_axes(others.shape):
        return False
    finite = np.abs(numbers[np.isfinite(numbers)])
    allowed = _CLOSE * finite.max(initial=0.0)
    return bool(np.allclose(numbers.ravel(), others.ravel(), rtol=_CLOSE, atol=allowed, equal_nan=True))
