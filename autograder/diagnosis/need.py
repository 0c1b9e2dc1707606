"""Need: measures what the right solution needs of a check, by which the limits of student code are set.

Measured when an assignment is packaged, or first graded on a machine, and never while a student is graded.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from autograder.assignment import Assignment
from autograder.diagnosis.replay import Replay, ReplayedModule, preserve_global_state
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.transcript import count_bytes
from autograder.sandbox import limits as limit
from autograder.sandbox.limits import Need
from autograder.sandbox.protocol.wire import Export


def measure_need(test: RunnableTest, assignment: Assignment) -> Need | None:
    """Measure a test on the right solution in this process; None where that does not pass.

    Of two runs the faster one counts, so that a busy machine finds the same; what has the lowest limit runs once.
    A library that an assignment declares may take long at its first call, so that no call has a limit of its own.
    """
    found = _measure_once(test, assignment)
    if found is None:
        return None
    if assignment.libraries:
        return Need(found.callbacks, 0, found.replies_bytes, found.callbacks_of_one)
    longest_s = found.longest_s
    if longest_s > limit.CALLS_CPU_S[0][0] and (again := _measure_once(test, assignment)) is not None:
        longest_s = min(longest_s, again.longest_s)
    return Need(found.callbacks, limit.choose_call_s(longest_s), found.replies_bytes, found.callbacks_of_one)


def _measure_once(test: RunnableTest, assignment: Assignment) -> _Measured | None:
    """Measure all calls of a run; None where it does not pass."""
    reference = assignment.import_reference(test.test.stem)
    replay = _MeasuredReplay({test.test.stem: reference}, lambda each: each.reply, answers=True)
    try:
        with preserve_global_state():
            return replay.measured if replay.run(test.call) else None
    except Exception:  # noqa: BLE001  (a bug of the test, which is told where it is run)
        return None


class _Measured(NamedTuple):
    """The calls of the right solution: their callbacks, replies, and the computing time of the longest one."""

    callbacks: int
    callbacks_of_one: int
    replies_bytes: int
    longest_s: float


class _MeasuredReplay(Replay):
    """A replay of the right solution that measures each of its calls."""

    @property
    def measured(self) -> _Measured:
        """The calls so far."""
        modules = [each for each in self._modules.values() if isinstance(each, _MeasuredModule)]
        return _Measured(
            sum(each.callbacks for each in modules),
            max((each.callbacks_of_one for each in modules), default=0),
            sum(each.replies_bytes for each in modules),
            max((each.longest_s for each in modules), default=0.0),
        )

    def module(self, stem: str) -> ReplayedModule:
        """Return the functions of a question."""
        if stem not in self._modules:
            self._modules[stem] = _MeasuredModule(self._references[stem], {}, {}, self._record, keeps_cases=True)
        return self._modules[stem]


class _MeasuredModule(ReplayedModule):
    """`longest_s`: the computing time of the longest call, without that of the test's functions."""

    longest_s = 0.0
    replies_bytes = 0
    _others_s = 0.0

    def _answer(self, kind: str, arguments: tuple[Any, ...]) -> Any:
        started, others = time.thread_time(), self._others_s
        try:
            reply = super()._answer(kind, arguments)
            self.replies_bytes += count_bytes(reply)
            return reply
        finally:
            taken = time.thread_time() - started - (self._others_s - others)
            self.longest_s = max(self.longest_s, taken)

    def _ask(self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        started = time.thread_time()
        try:
            return super()._ask(export, method, arguments, keywords)
        finally:
            self._others_s += time.thread_time() - started
