"""Follow-through: repeats a test that failed with the grader's versions of the functions that are known to be wrong.

A mistake costs points once. A function may rely on the functions before it in the assignment (`prerequisites`). A test
that fails is repeated once, with the grader's versions of exactly those earlier functions that lost points in tests of
their own. If it passes then, it has full credit, and a note names what the student wrote of them; otherwise it fails.

Functions that are known not to end are replaced at once. A time-out counts against the functions under test if the
repeat does not end either; after two, their other tests fail without being run (`waiting`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from autograder.grading.attempt import Attempt
from autograder.grading.attempt_result import AttemptResult
from autograder.grading.attempt_runner import AttemptRunner
from autograder.grading.blame import describe_copies, list_written
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.memory import ResultMemory
from autograder.grading.prerequisites import Prerequisite, find_owner, list_prerequisites
from autograder.results import Verdict
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.student import TestCall

_FATAL = (OutcomeKind.TIMED_OUT, OutcomeKind.DIED, OutcomeKind.OUTPUT_LIMIT, OutcomeKind.GARBLED)


@dataclass(frozen=True)
class Case:
    """A test, its body, what its functions may rely on, and whether an attempt took too long.

    `helpers`: descriptions of the student's copies of modules that the grader supplies. `replaced`: the functions that
    were the grader's in the first attempt already. `second`: the attempt beside the grader's versions, where it came
    first.
    """

    test: HiddenTest
    call: TestCall
    prerequisites: tuple[Prerequisite, ...]
    helpers: tuple[str, ...] = ()
    was_late: bool = False
    replaced: tuple[str, ...] = ()
    second: AttemptResult | None = None


@dataclass(frozen=True)
class Followed:
    """A result to report; `replaced`: functions and files of the student's in whose place the grader's took part.

    `is_late`: the last attempt did not end, beside the grader's versions of all functions that lost points.
    """

    result: AttemptResult
    replaced: tuple[str, ...] = ()
    is_late: bool = False


@dataclass
class FollowThrough:
    """Decides, for the tests of one submission, which points a mistake in an earlier function costs: none.

    `deadline` is the monotonic time at which the run ends.
    """

    runner: AttemptRunner
    deadline: float
    memory: ResultMemory = field(default_factory=ResultMemory)
    _consistent: set[tuple[str, ...]] = field(default_factory=set)  # functions that pass beside right ones too

    def make_case(self, test: HiddenTest, call: TestCall) -> Case:
        """Return a test with its prerequisites."""
        question = self.runner.materials[test.stem].question
        return Case(test, call, list_prerequisites(question, test.functions))

    def run(self, case: Case, *, has_failed: bool = False) -> Followed:
        """Return what to report on a test that has not been tried before; `has_failed`: but by its script, in vain."""
        self.memory.standings.learn(case.test.stem, case.test.functions)
        if self.memory.time_outs.has_too_many(case.test):
            outcome = Outcome(OutcomeKind.TIMED_OUT)
            return Followed(AttemptResult(outcome=outcome, endless=case.test.functions, replies=None))
        endless = self._list_endless(case)
        if not endless:
            passed, case = self._try_second(case) if has_failed else (None, case)
            return passed or self.follow(case, self._find_alone(case) or self.attempt(case))
        first = self.attempt(case, endless, runs_constructors=False)
        return self.follow(replace(case, replaced=endless), first)

    def _try_second(self, case: Case) -> tuple[Followed | None, Case]:
        """Try a test that fails alone beside the grader's versions at once; a pass leaves nothing to ask.

        Returns what to report then, and the case with the attempt.
        """
        lost = self._list_lost(case)
        if not lost:
            return None, case
        case = self._add_copies(case)
        second = self.attempt(case, lost, supplied_wins=bool(case.helpers))
        passed = Followed(second, self._list_culprits(case, lost)) if second.is_passed else None
        return passed, case if second.is_ours else replace(case, second=second)

    def _find_alone(self, case: Case) -> AttemptResult | None:
        """Return the attempt beside the grader's versions if it called none of them: alone, the test would do the same.

        Not where copies or classes took part, which student code uses without a call.
        """
        second, material = case.second, self.runner.materials[case.test.stem]
        if second is None or second.used or case.helpers or _is_fatal(second):
            return None
        return None if any(find_owner(name) in material.classes for name in self._list_lost(case)) else second

    def _list_lost(self, case: Case) -> tuple[str, ...]:
        """List the earlier functions that lost points in tests of their own."""
        self.memory.standings.learn_about(case.test.stem, case.prerequisites)
        return self.memory.standings.list_lost(case.test.stem, case.prerequisites)

    def _add_copies(self, case: Case) -> Case:
        return replace(case, helpers=describe_copies(self.runner.materials[case.test.stem]))

    def _list_endless(self, case: Case) -> tuple[str, ...]:
        """List what the test may rely on that has not ended in a test of its own, and has not passed one."""
        stem, standings, time_outs = case.test.stem, self.memory.standings, self.memory.time_outs
        late = [each for each in case.prerequisites if time_outs.may_not_end(stem, each.functions)]
        if not late:
            return ()
        standings.learn_about(stem, late)
        counted = {name for each in late for name in each.functions if time_outs.count_for(stem, (name,))}
        endless = {name for name in counted if not standings.has_passed(stem, name)}
        return standings.list_lost(stem, [each for each in late if not endless.isdisjoint(each.functions)])

    def attempt(self, case: Case, substituted: tuple[str, ...] = (), **options: bool) -> AttemptResult:
        """Run the test once, with the grader's functions in place of those `substituted`; `options`: see `Attempt`.

        Once the time for waiting is spent, a second has to do. A function that computes for longer, and has ended in
        each test of its own, is tried again.
        """
        stem, functions, waiting = case.test.stem, case.test.functions, self.runner.memory.waiting
        if not waiting.is_spent(stem):
            return self._run(case, substituted, self.choose_cpu_s(case, substituted), **options)
        short = limit.CPU_AFTER_TIMEOUT_S
        result = self._run(case, substituted, short, wall_s=limit.WALL_AFTER_WAIT_S, **options)
        is_known = self.memory.time_outs.count_for(stem, functions) > 0
        if not result.is_late or result.is_idle or is_known or self._may_others_not_end(case, substituted):
            return result
        is_ample = waiting.in_vain_s < limit.FULL_AFTER_WAIT_S
        started = time.monotonic()
        result = self._run(case, substituted, self.choose_cpu_s(case, substituted) if is_ample else short, **options)
        waiting.in_vain_s += time.monotonic() - started if result.is_late else 0.0
        return result

    def _run(
        self, case: Case, substituted: tuple[str, ...], cpu_s: int, *, wall_s: float = math.inf, **options: bool
    ) -> AttemptResult:
        test, call_s = case.test, self._choose_call_s(case.test, cpu_s)
        attempt = Attempt(
            test.functions,
            self.deadline,
            cpu_s,
            wall_s,
            callbacks=limit.limit_callbacks(test.need),
            replies_bytes=limit.limit_replies(test.need),
            call_s=call_s,
            substituted=substituted,
            **options,
        )
        return self.runner.run(attempt, test, case.call)

    def _choose_call_s(self, test: HiddenTest, cpu_s: int) -> float:
        """Return the CPU seconds of one call in a worker that has so many; 0 where an assignment declares its own."""
        if test.need is None or self.runner.limits.cpu_s > limit.CPU_S:
            return 0.0
        return test.need.call_s * (limit.CALL_AFTER_TIMEOUT if cpu_s <= limit.CPU_AFTER_TIMEOUT_S else 1)

    def choose_cpu_s(self, case: Case, substituted: tuple[str, ...] = ()) -> int:
        """Return the CPU seconds of a worker: few where a function of the student's that takes part does not end."""
        is_late = self.memory.time_outs.may_not_end(case.test.stem, case.test.functions)
        is_short = case.was_late or is_late or self._may_others_not_end(case, substituted)
        return limit.CPU_AFTER_TIMEOUT_S if is_short else self.runner.limits.cpu_s

    def _may_others_not_end(self, case: Case, substituted: tuple[str, ...] = ()) -> bool:
        """Whether an earlier function of the student's that takes part has not ended before."""
        left = [name for each in case.prerequisites if each.name not in substituted for name in each.functions]
        return self.memory.time_outs.may_not_end(case.test.stem, left)

    def follow(self, case: Case, first: AttemptResult) -> Followed:
        """Return what to report after a first attempt."""
        test = case.test
        if first.is_passed:
            return Followed(first, list_written(self.runner.materials[test.stem], first.used) if first.used else ())
        first = first.hide_answers() if first.used else first
        if first.is_ours or not _may_be_anothers_fault(first, test):
            return Followed(first)
        lost = self._list_lost(case)
        followed = self._repeat(replace(self._add_copies(case), was_late=first.is_late), first, lost)
        if followed.result.is_passed or followed.result.is_ours:
            return followed
        open_ones = self.memory.standings.list_open(test.stem, case.prerequisites)
        if open_ones:
            return Followed(_leave_open(open_ones))
        if first.is_late and followed.is_late:
            self.memory.time_outs.count(test)
        return followed

    def _repeat(self, case: Case, first: AttemptResult, lost: tuple[str, ...]) -> Followed:
        """Repeat a test without the functions that lost points, and without copies of what the grader supplies."""
        if lost == case.replaced and not case.helpers:
            return Followed(first, is_late=first.is_late)
        second = case.second
        if second is None or _is_fatal(first):
            second = self.attempt(case, lost, supplied_wins=bool(case.helpers), runs_constructors=not _is_fatal(first))
        if second.is_passed:
            self.memory.time_outs.suspect(case.test.stem, lost if first.is_late else ())
            return Followed(second, self._list_culprits(case, lost))
        if second.is_ours:
            return Followed(second)
        material = self.runner.materials[case.test.stem]
        of_classes = {name for name in lost if find_owner(name) in material.classes}
        chosen = first.choose(second, case.test.points, is_comparable=not of_classes)
        took_part = [name for name in lost if name in {*second.used, *of_classes}]
        if took_part and chosen.failed is not first.failed:
            chosen = replace(chosen, beside=list_written(material, took_part))
        return Followed(chosen, is_late=second.is_late)

    def _list_culprits(self, case: Case, lost: tuple[str, ...]) -> tuple[str, ...]:
        """List what the student wrote of what was replaced; where functions alone or copies alone explain it, these."""
        written = list_written(self.runner.materials[case.test.stem], lost)
        if not lost or not case.helpers:
            return written or case.helpers
        if self.attempt(case, lost).is_passed:
            return written
        is_enough = not case.replaced and self.attempt(case, supplied_wins=True).is_passed
        return case.helpers if is_enough else (*written, *case.helpers)

    def note_consistency(self, case: Case, followed: Followed) -> Followed:
        """Return the result with a note where functions pass only beside a wrong function of the student's."""
        result = followed.result
        if not result.is_passed or followed.replaced:
            return followed
        wrong = self._list_lost(case)
        key = (*case.test.functions, "", *wrong)
        is_short = time.monotonic() >= self.deadline or self._may_others_not_end(case)
        if not wrong or key in self._consistent or is_short:
            return followed
        if self.attempt(case, wrong).failed is None:
            self._consistent.add(key)
            return followed
        alone = tuple(name for name in wrong if len(wrong) > 1 and self.attempt(case, (name,)).failed is not None)
        note = _write_consistency_note(case.test.functions, alone or wrong)
        return replace(followed, result=replace(result, notes=(*result.notes, note)))


def _leave_open(open_ones: dict[str, Verdict]) -> AttemptResult:
    """Return the result of a test that fails, but perhaps because of functions that are not judged themselves."""
    names = ", ".join(open_ones)
    if Verdict.UNDECIDED in open_ones.values():
        return AttemptResult(fault=f"it may fail because of {names}, which could not be judged")
    return AttemptResult(is_out_of_time=True)


def _write_consistency_note(functions: Sequence[str], wrong: Sequence[str]) -> str:
    ours, theirs = " and ".join(functions), " and ".join(wrong)
    verb = "fail their" if len(wrong) > 1 else "fails its"
    return (
        f"Right together, wrong alone: this passes with your own {theirs}, which {verb} own checks, and fails with "
        f"the grader's. Fix {theirs} and {ours} together."
    )


def _is_fatal(result: AttemptResult) -> bool:
    """Whether student code ended its process, or would not have ended."""
    return result.outcome is not None and result.outcome.kind in _FATAL


def _may_be_anothers_fault(result: AttemptResult, test: HiddenTest) -> bool:
    """False where the function under test is itself missing, or its file is."""
    outcome = result.outcome
    if outcome is None:
        return True
    if outcome.is_at_load:
        return False
    if outcome.kind is OutcomeKind.NOT_WRITTEN and not outcome.frames:
        return bool(outcome.missing_name) and outcome.missing_name not in test.functions
    if outcome.kind is not OutcomeKind.NOT_WRITTEN:
        return True
    return outcome.frames[-1].function not in {name.rpartition(".")[2] for name in test.functions}
