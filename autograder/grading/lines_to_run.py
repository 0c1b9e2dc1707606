"""Lines to run: adds the first failing case of a visible check, as lines to paste, to a result, if they show it.

Its program runs once more in a fresh worker, where nothing runs before it. A reply that is right there is told instead:
the student's code keeps something from call to call. That is told of a hidden check, too, whose lines are not shown.
A program that takes too long is not run again.
"""

from __future__ import annotations

from dataclasses import replace

from autograder.contracts.failing_case import FailingCase
from autograder.grading import explain
from autograder.grading.attempt import Attempt, Tried
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.ending import NoValue
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.memory import ResultMemory
from autograder.programs.outcome import CallFailed, OutcomeKind
from autograder.results import Visibility
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.host.exports import TOO_MANY_CALLS


def add_lines(
    runner: AttemptRunner, memory: ResultMemory, test: HiddenTest, tried: Tried, failing: FailingCase
) -> Tried:
    """Add the lines, or that the case is right alone; neither where student code ends there in another way.

    A program that does not end there was late. Of a hidden check, a case is tried that others ran before.
    """
    is_visible = test.visibility is Visibility.VISIBLE
    if not is_visible and not failing.number:
        return tried
    attempt = Attempt(test.functions, runner.deadline, need=test.need)
    try:
        with runner.open_run(attempt) as run:
            module = run.module(test.stem)
            lines = failing.write(module.adapt, module.spell)
            if not lines:
                return tried
            reply = None if _is_too_long(tried, failing) else module.run([failing.program])[0]
            end = next(iter(module.ends), None)
    except (CallFailed, SandboxError, OSError):
        return tried
    has_ended = failing.end is not None
    if end is not None and not has_ended:  # only here
        if end.kind is OutcomeKind.TIMED_OUT:
            memory.add_late(test)
        return tried
    if reply is None or end is not None or (not has_ended and failing.is_shown_by(reply)):
        return replace(tried, lines=explain.explain_reproducer(lines)) if is_visible else tried
    return tried if has_ended else replace(tried, lines=explain.RIGHT_ALONE)


def _is_too_long(tried: Tried, failing: FailingCase) -> bool:
    ending, end = tried.ending, failing.end
    if isinstance(ending, NoValue) and ending.outcome.refusal == TOO_MANY_CALLS:
        return True
    return end is not None and end.kind is OutcomeKind.TIMED_OUT
