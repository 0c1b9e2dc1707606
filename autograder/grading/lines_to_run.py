"""Lines to run: adds the first failing case of a visible check, as lines to paste, to a result, if they show it.

Its program runs once more in a fresh worker, where nothing runs before it. A reply that is right there is told instead:
the student's code keeps something from call to call. A program that takes too long is not run again.
"""

from __future__ import annotations

from dataclasses import replace

from autograder.contracts.failing_case import FailingCase
from autograder.grading import explain
from autograder.grading.attempt import Attempt, Tried
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.ending import Ending, NoValue, is_late
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.memory import ResultMemory
from autograder.grading.student_module import StudentModule
from autograder.programs.outcome import CallFailed, OutcomeKind
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.host.exports import TOO_MANY_CALLS


def add_lines(
    runner: AttemptRunner, memory: ResultMemory, test: HiddenTest, tried: Tried, failing: FailingCase
) -> Tried:
    """Add the lines, or that the case is right alone; neither where student code ends there in another way.

    A program that does not end there was late.
    """
    attempt = Attempt(test.functions, runner.deadline, need=test.need)
    try:
        with runner.open_run(attempt) as run:
            module = run.module(test.stem)
            lines = failing.write(module.adapt, module.spell)
            if not lines:
                return tried
            is_shown = _is_too_long(tried.ending) or _is_shown(module, failing)
    except (CallFailed, SandboxError, OSError) as error:
        if isinstance(error, CallFailed) and error.outcome.kind is OutcomeKind.TIMED_OUT:
            memory.add_late(test)
        return tried
    if is_shown:
        return replace(tried, lines=explain.explain_reproducer(lines))
    return tried if failing.is_unanswered else replace(tried, lines=explain.RIGHT_ALONE)


def _is_too_long(ending: Ending) -> bool:
    return is_late(ending) or (isinstance(ending, NoValue) and ending.outcome.refusal == TOO_MANY_CALLS)


def _is_shown(module: StudentModule, failing: FailingCase) -> bool:
    """Tell whether the program alone fails, too; CallFailed where it ends its worker only here."""
    try:
        (reply,) = module.run([failing.program])
    except CallFailed:
        if failing.is_unanswered:
            return True
        raise
    return not failing.is_unanswered and failing.is_shown_by(reply)
