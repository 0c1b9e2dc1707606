"""Lines run: runs the lines that a student would paste, on the student's files; tells whether they show the failure.

Run by the grader; the lines run in a worker of their own, which is told what the student may read. Where they give
another value, as after random draws, or end in another way than the check did, they are not shown.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from autograder.grading.attempt import Attempt
from autograder.grading.attempt_result import AttemptResult
from autograder.grading.attempt_runner import AttemptRunner
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.lines_function import FUNCTION, MODULE, is_shown, write_function
from autograder.grading.material import Material
from autograder.grading.memory import WorkerMemory
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol.outcome import OutcomeKind
from autograder.student import Student
from autograder.submission import SourceFile


def show_failure(runner: AttemptRunner, test: HiddenTest, result: AttemptResult, deadline: float) -> bool:
    """Whether the lines of a failed test, run beside the student's files, give the same wrong values, or error.

    The lines of a call that did not end are not run again. Once the time for waiting is spent, a second has to do.
    """
    lines = result.reproducer
    if lines.ending is not None and lines.ending.kind is OutcomeKind.TIMED_OUT:
        return True
    wall_s = limit.WALL_AFTER_WAIT_S if runner.memory.waiting.is_spent(test.stem) else math.inf
    shown: list[Any] = []

    def show(student: Student) -> None:
        shown.append(getattr(getattr(student, test.stem), FUNCTION)())

    material = _add_lines(runner.materials[test.stem], lines.text)
    memory = WorkerMemory(shares_code=False, declared=runner.memory.declared)
    alone = replace(runner, materials={test.stem: material}, scripts=None, memory=memory)
    ran = alone.run(Attempt((FUNCTION,), deadline, limit.CPU_AFTER_TIMEOUT_S, wall_s), test, show)
    runner.zygote = alone.zygote
    if lines.ending is not None:
        ending = ran.outcome
        return ending is not None and (ending.kind, ending.error_type) == (lines.ending.kind, lines.ending.error_type)
    return ran.outcome is None and len(shown) == 1 and is_shown(lines.shown, shown[0])


def _add_lines(material: Material, text: str) -> Material:
    """Return a submission that has the lines as a function of a further file, which is the one to load."""
    source = write_function(text)
    main = SourceFile(f"{MODULE}.py", source, MODULE)
    files = replace(material.files, main=main, also={}, variant=None)
    return replace(material, files=files, own={**material.own, MODULE: (main.path, source, False)})
