"""Need: measures what the right solution needs of a check, by which the limits of student code are set.

Measured when an assignment is packaged, or first graded on a machine, and never while a student is graded.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from autograder.assignment import Assignment
from autograder.contracts import CheckBody
from autograder.contracts.body import is_all_right
from autograder.diagnosis.replay import Replay, ReplayedModule, preserve_global_state
from autograder.grading.attempt import count_bytes
from autograder.grading.hidden_test import RunnableTest
from autograder.programs.program import Program
from autograder.sandbox import limits as limit
from autograder.sandbox.limits import Need
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Export
from autograder.sandbox.requests import seed_generators


def measure_need(test: RunnableTest, assignment: Assignment) -> Need | None:
    """Measure a test on the right solution in this process; None where that does not pass.

    Of two runs the faster one counts, so that a busy machine finds the same; what has the lowest limit runs once.
    A library that an assignment declares may take long at its first call, so that no call has a limit of its own.
    """
    found = _measure_once(test, assignment)
    if found is None:
        return None
    longest_s = found.longest_s
    if limit.choose_call_s(longest_s) > limit.FEWEST_CPU_S and not assignment.libraries:
        again = _measure_once(test, assignment)
        longest_s = min(longest_s, again.longest_s) if again is not None else longest_s
    call_s = 0 if assignment.libraries else limit.choose_call_s(longest_s)
    return Need(found.callbacks, call_s, found.replies_bytes, found.callbacks_of_one)


def _measure_once(test: RunnableTest, assignment: Assignment) -> _MeasuredModule | None:
    """Measure all calls of a run; None where it does not pass."""
    question_id = test.test.question_id
    replay = Replay(assignment.import_reference(question_id))
    replay.functions = measured = _MeasuredModule(replay)
    try:
        with preserve_global_state():
            if isinstance(test.call, CheckBody):
                check = test.call.derived
                is_right = is_all_right(check, measured.run(check.programs))
            else:
                is_right = replay.run(test.call)
    except Exception:  # noqa: BLE001  (a bug of the test, which is told where it is run)
        return None
    return measured if is_right else None


class _MeasuredModule(ReplayedModule):
    """`longest_s`: the computing time of the longest program, or call without that of the test's functions."""

    longest_s = 0.0
    _others_s = 0.0

    @property
    def replies_bytes(self) -> int:
        """The bytes of all replies."""
        return count_bytes(self.replies)

    @property
    def callbacks(self) -> int:
        """The number of calls of the test's own functions so far."""
        return self._exports.calls

    @property
    def callbacks_of_one(self) -> int:
        """The most calls of one of them, or of one object."""
        return max(self._exports.called.values(), default=0)

    def run(self, programs: Sequence[Program]) -> list[Any]:
        """Return the reply to each program, and measure it."""
        seed_generators()
        for program in programs:
            started = time.thread_time()
            self.replies += self._replay.run_programs([program])
            self.longest_s = max(self.longest_s, time.thread_time() - started)
        return self.replies

    def _call(self, kind: str, arguments: tuple[Any, ...]) -> Any:
        if kind == messages.EACH and len(arguments[1]) > 1:
            function, calls, *part = arguments
            return [self._call(kind, (function, [call], *part))[0] for call in calls]
        started, others = time.thread_time(), self._others_s
        try:
            return super()._call(kind, arguments)
        finally:
            taken = time.thread_time() - started - (self._others_s - others)
            self.longest_s = max(self.longest_s, taken)

    def _ask(self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        started = time.thread_time()
        try:
            return super()._ask(export, method, arguments, keywords)
        finally:
            self._others_s += time.thread_time() - started
