"""Lines to run: adds the first failing case of a visible check, as lines to paste, to a result, if they show it.

Its program runs once more in a fresh worker, where nothing runs before it. A reply that is right there is told instead:
the student's code keeps something from call to call. A program that takes too long is not run again.
"""

from __future__ import annotations

import math
from dataclasses import replace

from autograder.contracts.failing_case import FailingCase
from autograder.grading import explain
from autograder.grading.attempt import Attempt, AttemptResult
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.student_module import StudentModule
from autograder.programs.outcome import CallFailed
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.host.exports import TOO_MANY_CALLS


def add_lines(runner: AttemptRunner, test: HiddenTest, result: AttemptResult, failing: FailingCase) -> AttemptResult:
    """Add the lines, or that the case is right alone; neither where student code ends there in another way."""
    wall_s = limit.WALL_AFTER_WAIT_S if runner.memory.waiting.is_spent(test.stem) else math.inf
    attempt = Attempt(test.functions, runner.deadline, limit.CPU_AFTER_TIMEOUT_S, wall_s)
    try:
        with runner.open_run(attempt) as run:
            module = run.module(test.stem)
            lines = failing.write(module.adapt, module.spell)
            if not lines:
                return result
            is_shown = result.is_late or result.outcome.refusal == TOO_MANY_CALLS or _is_shown(module, failing)
    except (CallFailed, SandboxError, OSError):
        return result
    if is_shown:
        return replace(result, lines=explain.explain_reproducer(lines))
    return result if failing.is_unanswered else replace(result, lines=explain.RIGHT_ALONE)


def _is_shown(module: StudentModule, failing: FailingCase) -> bool:
    """Tell whether the program alone fails, too; CallFailed where it ends its worker only here."""
    try:
        (reply,) = module.run([failing.program])
    except CallFailed:
        if failing.is_unanswered:
            return True
        raise
    return not failing.is_unanswered and failing.is_shown_by(reply)
