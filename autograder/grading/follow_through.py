"""Follow-through: repeats a test that failed with the grader's functions in place of the student's other functions.

A mistake costs points once. A test of a function that is right by itself, but calls a wrong function of the student's,
passes in the repeat; it then has full credit, and a note names the function that spoiled it, the spoiler.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from autograder.grading.attempt import Attempt
from autograder.grading.attempt_result import AttemptResult
from autograder.grading.attempt_runner import AttemptRunner
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.memory import ResultMemory
from autograder.results import CheckResult, Verdict
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol.outcome import OutcomeKind
from autograder.student import TestCall


@dataclass(frozen=True)
class Case:
    """A test, its body, the student's functions that are not under test, and whether an attempt took too long."""

    test: HiddenTest
    call: TestCall
    siblings: tuple[str, ...]
    was_late: bool = False


@dataclass
class FollowThrough:
    """Decides, for the tests of one submission, which points a mistake in another function costs: none.

    `deadline` is the monotonic time at which the run ends.
    """

    runner: AttemptRunner
    deadline: float
    memory: ResultMemory = field(default_factory=ResultMemory)
    _consistent: set[tuple[str, ...]] = field(default_factory=set)  # functions that pass beside right ones too

    def make_case(self, test: HiddenTest, call: TestCall) -> Case:
        """Return a test with its siblings; a class that is not under test counts as one, with all of its methods."""
        question = self.runner.materials[test.stem].question
        if question.answers:  # no answer calls another
            return Case(test, call, ())
        names = [function.name for function in question.functions]
        classes = {name.partition(".")[0] for name in test.functions}
        others = [name for name in names if name not in test.functions]
        siblings = [name if name.partition(".")[0] in classes else name.partition(".")[0] for name in others]
        return Case(test, call, tuple(dict.fromkeys(siblings)))

    def attempt(self, case: Case, substituted: tuple[str, ...] = ()) -> AttemptResult:
        """Run the test once, with the grader's functions in place of those `substituted`."""
        cpu_s = self.choose_cpu_s(case, substituted)
        attempt = Attempt(case.test.functions, self.deadline, cpu_s=cpu_s, substituted=substituted)
        return self.runner.run(attempt, case.test, case.call)

    def choose_cpu_s(self, case: Case, substituted: tuple[str, ...] = ()) -> int:
        """Return the CPU seconds of a worker: few where a function of the student's that takes part does not end."""
        taking_part = {*case.test.functions, *case.siblings}.difference(substituted)
        is_short = case.was_late or not taking_part.isdisjoint(self.memory.endless)
        return limit.CPU_AFTER_TIMEOUT_S if is_short else limit.CPU_S

    def follow(self, case: Case, first: AttemptResult) -> tuple[AttemptResult, tuple[str, ...]]:
        """Return the result to report after a first attempt, and the spoilers where it passes without them."""
        test = case.test
        if first.is_passed or first.is_ours or not case.siblings or not _may_be_a_siblings_fault(first, test):
            self.memory.endless.update(test.functions if first.is_late else ())
            return first, ()
        case = replace(case, was_late=first.is_late)
        isolated = self.attempt(case, case.siblings)
        if isolated.is_ours:
            return isolated, ()
        if not isolated.is_passed:
            self.memory.endless.update(test.functions if isolated.is_late else ())
            return first.choose(isolated).take_advice_of(first).take_replies_of(isolated), ()
        spoilers = self._find_spoilers(case)
        self.memory.endless.update(spoilers if first.is_late else ())
        return isolated, spoilers

    def note_consistency(self, case: Case, result: AttemptResult) -> AttemptResult:
        """Return the result with a note where functions pass only beside a wrong function of the student's.

        Each test of a function is repeated with the grader's functions in place of the wrong ones, until one passes.
        """
        failed = self.memory.failed.get(case.test.stem, set())
        wrong = tuple(name for name in case.siblings if any(_is_part(each, name) for each in failed))
        key = (*case.test.functions, "", *wrong)
        is_short = time.monotonic() >= self.deadline or not self.memory.endless.isdisjoint(wrong)
        if not wrong or not result.is_passed or key in self._consistent or is_short:
            return result
        other = self.attempt(case, wrong)
        if other.failed is None:
            self._consistent.add(key)
            return result
        alone = tuple(name for name in wrong if self.attempt(case, (name,)).failed is not None)
        return replace(result, notes=(*result.notes, _write_consistency_note(case.test.functions, alone or wrong)))

    def _find_spoilers(self, case: Case) -> tuple[str, ...]:
        """Return the siblings each of which alone makes the test pass when replaced; else those needed together."""
        known = [sibling for sibling in case.siblings if sibling in self.memory.endless]
        others = [sibling for sibling in case.siblings if sibling not in known]
        for candidates in (known, others) if case.was_late else (case.siblings,):  # an endless one costs time each time
            alone = tuple(sibling for sibling in candidates if self.attempt(case, (sibling,)).is_passed)
            if alone:
                return alone
        needed = case.siblings
        for sibling in case.siblings:
            fewer = tuple(other for other in needed if other != sibling)
            needed = fewer if self.attempt(case, fewer).is_passed else needed
        return needed


def withhold_circular_credit(checks: Sequence[CheckResult]) -> list[CheckResult]:
    """Return the results, failed where two functions have full credit only because each needs the other.

    Where `a` calls `b` and `b` calls `a`, each passes beside the grader's version of the other; neither was written.
    """
    spoiled = [check for check in checks if check.spoilers and len(check.functions) == 1]
    needs = {check.functions[0]: set[str]() for check in spoiled}
    for check in spoiled:
        needs[check.functions[0]].update(check.spoilers)
    return [_fail_circular(check) if _is_circular(check, needs) else check for check in checks]


def _is_circular(check: CheckResult, needs: dict[str, set[str]]) -> bool:
    reached: set[str] = set()
    waiting = list(check.spoilers)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(needs.get(name, ()))
    return not reached.isdisjoint(check.functions)


def _fail_circular(check: CheckResult) -> CheckResult:
    names = ", ".join(_keep_first((*check.functions, *check.spoilers)))
    output = f"FAIL {names}: each is written with the help of the other, so that none gives a value of its own"
    output += "\n  next:     write one of them by itself"
    return replace(check, verdict=Verdict.FAILED, score=0.0, output=output)


def _keep_first(names: Collection[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _is_part(function: str, name: str) -> bool:
    return function == name or function.startswith(f"{name}.")


def _write_consistency_note(functions: tuple[str, ...], wrong: tuple[str, ...]) -> str:
    ours, theirs = " and ".join(functions), " and ".join(wrong)
    return (
        f"Right together, wrong alone: this passes with your own {theirs}, which fails its own checks, and fails with "
        f"the grader's. Fix {theirs} and {ours} together."
    )


def _may_be_a_siblings_fault(result: AttemptResult, test: HiddenTest) -> bool:
    """False where the function under test is itself missing, or its file is."""
    outcome = result.outcome
    if outcome is None:
        return True
    if outcome.is_at_load or (outcome.kind is OutcomeKind.NOT_WRITTEN and not outcome.frames):
        return False
    if outcome.kind is not OutcomeKind.NOT_WRITTEN:
        return True
    return outcome.frames[-1].function not in {name.rpartition(".")[2] for name in test.functions}
