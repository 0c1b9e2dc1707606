"""Follow-through: repeats a test that failed with the grader's versions of the functions that are known to be wrong.

A mistake costs points once. A function may rely on the functions before it in the assignment. A test
that fails is repeated once, with the grader's versions of exactly those earlier functions that lost points in tests of
their own. If it passes then, it has full credit, and a note names what the student wrote of them; otherwise it fails.

Functions that are known not to end are replaced at once. A time-out counts against the functions under test if the
repeat does not end either; after two, their other tests fail without being run.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace

from autograder.assignment import find_owner
from autograder.grading.attempt import OUT_OF_TIME, Attempt, AttemptResult
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.memory import ResultMemory
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.results import Verdict
from autograder.sandbox import limits as limit
from autograder.student import TestCall

_FATAL = (OutcomeKind.TIMED_OUT, OutcomeKind.DIED, OutcomeKind.OUTPUT_LIMIT, OutcomeKind.GARBLED)


class FollowThrough:
    """Decides which points a mistake in an earlier function costs in one test: none.

    `_replaced`: the functions that were the grader's in the first attempt already. `_second`: the attempt beside the
    grader's versions, where there was one. `_was_late`: the first attempt took too long.
    """

    def __init__(self, runner: AttemptRunner, memory: ResultMemory, test: HiddenTest, call: TestCall) -> None:
        self._runner = runner
        self._memory = memory
        self._test = test
        self._call = call
        self._stem = test.stem
        self._material = runner.materials[test.stem]
        self._prerequisites = self._material.question.list_prerequisites(test.functions)
        self._replaced: tuple[str, ...] = ()
        self._second: AttemptResult | None = None
        self._was_late = False

    def run(self, *, has_failed: bool) -> AttemptResult:
        """Return what to report on a test that has not been tried before; `has_failed`: but by its script, in vain."""
        functions = self._test.functions
        if self._memory.count_late(self._stem, functions) >= limit.TIME_OUTS:
            return AttemptResult(outcome=Outcome(OutcomeKind.TIMED_OUT), endless=functions, replies=None)
        self._replaced = self._memory.list_endless(self._stem, self._prerequisites)
        if self._replaced:
            return self._follow(self._attempt(self._replaced, runs_constructors=False))
        lost = self._list_lost() if has_failed else ()
        if lost:  # a pass beside the grader's versions leaves nothing to ask
            second = self._attempt(lost, supplied_wins=bool(self._material.copies))
            if second.is_passed:
                return replace(second, replaced=self._list_culprits(lost))
            self._second = None if second.is_ours else second
        return self._follow(self._find_alone(lost) or self._attempt())

    def _find_alone(self, lost: tuple[str, ...]) -> AttemptResult | None:
        """Return the attempt beside the grader's versions if it called none of them: alone, the test would do the same.

        Not where copies or classes took part, which student code uses without a call.
        """
        second = self._second
        if second is None or second.used or self._material.copies or _is_fatal(second):
            return None
        return None if any(find_owner(name) in self._material.classes for name in lost) else second

    def _list_lost(self) -> tuple[str, ...]:
        """List the earlier functions that lost points in tests of their own."""
        return self._memory.list_lost(self._stem, self._prerequisites)

    def _attempt(self, substituted: tuple[str, ...] = (), **options: bool) -> AttemptResult:
        """Run the test once, with the grader's functions in place of those `substituted`; `options`: see `Attempt`.

        Once the time for waiting is spent, a second has to do. A function that computes for longer, and has ended in
        each test of its own, is tried again.
        """
        waiting = self._runner.memory.waiting
        if not waiting.is_spent(self._stem):
            return self._run(substituted, self._choose_cpu_s(substituted), **options)
        short = limit.CPU_AFTER_TIMEOUT_S
        result = self._run(substituted, short, wall_s=limit.WALL_AFTER_WAIT_S, **options)
        is_known = self._memory.count_late(self._stem, self._test.functions) > 0
        if not result.is_late or result.outcome.was_idle or is_known or self._may_others_not_end(substituted):
            return result
        is_ample = waiting.in_vain_s < limit.FULL_AFTER_WAIT_S
        started = time.monotonic()
        result = self._run(substituted, self._choose_cpu_s(substituted) if is_ample else short, **options)
        waiting.in_vain_s += time.monotonic() - started if result.is_late else 0.0
        return result

    def _run(
        self, substituted: tuple[str, ...], cpu_s: int, *, wall_s: float = math.inf, **options: bool
    ) -> AttemptResult:
        need = self._test.need
        attempt = Attempt(
            self._test.functions,
            self._runner.deadline,
            cpu_s,
            wall_s,
            need=need,
            call_s=self._choose_call_s(need, cpu_s),
            substituted=substituted,
            **options,
        )
        return self._runner.run(attempt, self._test, self._call)

    def _choose_call_s(self, need: limit.Need | None, cpu_s: int) -> float:
        """Return the CPU seconds of one call in a worker that has so many; 0 where an assignment declares its own."""
        if need is None or self._runner.limits.cpu_s > limit.CPU_S:
            return 0.0
        return need.call_s * (limit.CALL_AFTER_TIMEOUT if cpu_s <= limit.CPU_AFTER_TIMEOUT_S else 1)

    def _choose_cpu_s(self, substituted: tuple[str, ...]) -> int:
        """Return the CPU seconds of a worker: few where a function of the student's that takes part does not end."""
        is_late = self._was_late or self._memory.may_not_end(self._stem, self._test.functions)
        is_short = is_late or self._may_others_not_end(substituted)
        return limit.CPU_AFTER_TIMEOUT_S if is_short else self._runner.limits.cpu_s

    def _may_others_not_end(self, substituted: tuple[str, ...] = ()) -> bool:
        """Whether an earlier function of the student's that takes part has not ended before."""
        left = [name for each in self._prerequisites if each.name not in substituted for name in each.functions]
        return self._memory.may_not_end(self._stem, left)

    def _follow(self, first: AttemptResult) -> AttemptResult:
        """Return what to report after a first attempt."""
        if first.is_passed:
            return replace(first, replaced=self._material.list_written(first.used) if first.used else ())
        first = first.hide_answers() if first.used else first
        if first.is_ours or not _may_be_anothers_fault(first, self._test):
            return first
        lost = self._list_lost()
        self._was_late = first.is_late
        followed = self._repeat(first, lost)
        if followed.is_passed or followed.is_ours:
            return followed
        open_ones = self._memory.list_open(self._stem, self._prerequisites)
        if open_ones:
            return _leave_open(open_ones)
        if first.is_late and (self._second or first).is_late:
            self._memory.add_late(self._test)
        return followed

    def _repeat(self, first: AttemptResult, lost: tuple[str, ...]) -> AttemptResult:
        """Repeat a test without the functions that lost points, and without copies of what the grader supplies."""
        copies, is_fatal = self._material.copies, _is_fatal(first)
        if lost == self._replaced and not copies:
            return first
        if self._second is None or is_fatal:
            self._second = self._attempt(lost, supplied_wins=bool(copies), runs_constructors=not is_fatal)
        second = self._second
        if second.is_passed:
            self._memory.suspect(self._stem, lost if first.is_late else ())
            return replace(second, replaced=self._list_culprits(lost))
        if second.is_ours:
            return second
        of_classes = {name for name in lost if find_owner(name) in self._material.classes}
        chosen = first.choose(second, self._test.points, is_comparable=not of_classes)
        took_part = [name for name in lost if name in {*second.used, *of_classes}]
        if took_part and chosen.failed is not first.failed:
            chosen = replace(chosen, beside=self._material.list_written(took_part))
        return chosen

    def _list_culprits(self, lost: tuple[str, ...]) -> tuple[str, ...]:
        """List what the student wrote of what was replaced; where functions alone or copies alone explain it, these."""
        written, copies = self._material.list_written(lost), self._material.copies
        if not lost or not copies:
            return written or copies
        if self._attempt(lost).is_passed:
            return written
        is_enough = not self._replaced and self._attempt(supplied_wins=True).is_passed
        return copies if is_enough else (*written, *copies)


def _leave_open(open_ones: dict[str, Verdict]) -> AttemptResult:
    """Return the result of a test that fails, but perhaps because of functions that are not judged themselves."""
    names = ", ".join(open_ones)
    if Verdict.UNDECIDED in open_ones.values():
        return AttemptResult(fault=f"it may fail because of {names}, which could not be judged")
    return OUT_OF_TIME


def _is_fatal(result: AttemptResult) -> bool:
    """Whether student code ended its process, or would not have ended."""
    return result.outcome.kind in _FATAL


def _may_be_anothers_fault(result: AttemptResult, test: HiddenTest) -> bool:
    """False where the function under test is itself missing, or its file is."""
    outcome = result.outcome
    if outcome.is_at_load:
        return False
    if outcome.kind is OutcomeKind.NOT_WRITTEN and not outcome.frames:
        return bool(outcome.missing_name) and outcome.missing_name not in test.functions
    if outcome.kind is not OutcomeKind.NOT_WRITTEN:
        return True
    return outcome.frames[-1].function not in {name.rpartition(".")[2] for name in test.functions}
