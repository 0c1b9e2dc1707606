"""Adequacy: judges the mutants of a function by its contract and by the hidden tests, and finds those that survive.

A mutant that differs from the reference in a case of the contract is wrong; a wrong one that passes all hidden tests of
its function survives. Endless mutants are ended by a limit on computing time, so this runs in a process of its own.
"""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType, ModuleType
from typing import NoReturn, TypeVar

import numpy as np

from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.grading.hidden_test import RunnableTest
from autograder.matrix.drawn_contract import DrawnCase, DrawnContract
from autograder.matrix.dropped_kinds import NeededKinds
from autograder.mutation.mutant import Mutant, Operator, Reference
from autograder.mutation.recorded_calls import record_calls
from autograder.mutation.wrapped_mutants import list_wrapped_mutants
from autograder.student import ReplayStopped, TestCall

_LIMIT_S = 3.0  # of computing time for one case, or one hidden test; the reference needs a tenth of it
_AGAIN_S = 0.2  # a mutant that swallows the exception gets it again
_SHOWN = 300  # characters of a case
Value = TypeVar("Value")


@dataclass(frozen=True)
class Survivor:
    """A wrong mutant that no hidden test of its function catches, and a case that shows it."""

    stem: str
    function: str
    name: str
    case: str

    @property
    def id(self) -> str:
        """The name by which it is excused."""
        return f"{self.stem}.{self.function}: {self.name}"


@dataclass
class FunctionAdequacy:
    """The counts of one function; `misjudged`: mutants that are right by the contract and fail a hidden test.

    `operators`: the wrong mutants by the operator that made them. `kinds`: what its rows need; None unless asked for.
    """

    stem: str
    function: str
    mutants: int = 0
    equivalent: int = 0
    caught: int = 0
    survivors: list[Survivor] = field(default_factory=list)
    misjudged: list[str] = field(default_factory=list)
    operators: Counter[Operator] = field(default_factory=Counter)
    kinds: NeededKinds | None = None

    @property
    def wrong(self) -> int:
        """The number of mutants that are wrong."""
        return self.caught + len(self.survivors)


class _TooLong(ReplayStopped):
    pass


@dataclass
class FunctionJudge:
    """Judges the mutants of one function; `cases`: of its contract, drawn once for all of them.

    `drops_kinds`: whether it also finds the kinds of input that no mutant needs.
    """

    reference: Reference
    contract: DrawnContract
    tests: Sequence[RunnableTest]
    cases: Sequence[DrawnCase]
    drops_kinds: bool = False

    def list_mutants(self) -> list[Mutant]:
        """List all mutants of the function; equal names are numbered."""
        recorded = record_calls(
            module := self.reference.make_module(), self.contract.function, self._run_all(lambda: module)
        )
        found = [
            *self.reference.list_syntax_mutants(self.contract.function, self.contract.silent),
            *list_wrapped_mutants(self.contract.function, recorded),
        ]
        seen: dict[str, int] = {}
        return [_number(mutant, seen) for mutant in found]

    def judge(self, mutants: Sequence[Mutant], *, wanted: int | None = None) -> FunctionAdequacy:
        """Judge the mutants, in turn, until `wanted` of them were wrong."""
        kinds = NeededKinds(self.tests) if self.drops_kinds else None
        result = FunctionAdequacy(self.reference.stem, self.contract.function, kinds=kinds)
        for mutant in mutants:
            if wanted is not None and result.wrong >= wanted:
                break
            with preserve_global_state():
                self._judge_one(mutant, result)
        return result

    def _judge_one(self, mutant: Mutant, result: FunctionAdequacy) -> None:
        result.mutants += 1
        wrong = next((case for case in self.cases if self._is_wrong(case, mutant)), None)
        is_caught = any(not self._run(test.call, mutant) for test in self.tests)
        if wrong is None:
            result.equivalent += 1
            result.misjudged += [mutant.name] * is_caught
            return
        result.operators[mutant.operator] += 1
        if is_caught:
            result.caught += 1
            if result.kinds is not None:
                result.kinds.note(self.tests, lambda call: self._run(call, mutant))
        else:
            smallest = self.contract.find_smallest(lambda each: self._is_wrong(each, mutant), wrong)
            result.survivors.append(Survivor(result.stem, result.function, mutant.name, _show(smallest)))

    def _is_wrong(self, case: DrawnCase, mutant: Mutant) -> bool:
        """Tell whether the mutant differs in a case, or computes too long."""

        def differs() -> bool:
            module = self.reference.make_module(mutant.install)
            return not self.contract.agrees(case, self.contract.observe(module, case))

        return limit_time(differs, otherwise=True)

    def _run(self, call: TestCall, mutant: Mutant) -> bool:
        """Run the body of a test, and tell whether the mutant passes it."""
        module = self.reference.make_module(mutant.install)
        return limit_time(lambda: Replay({self.reference.stem: module}, _ignore).run(call), otherwise=False)

    def _run_all(self, get_module: Callable[[], ModuleType]) -> Callable[[], object]:
        return lambda: [self.contract.observe(get_module(), case) for case in self.cases]


def _number(mutant: Mutant, seen: dict[str, int]) -> Mutant:
    seen[mutant.name] = count = seen.get(mutant.name, 0) + 1
    return mutant if count == 1 else replace(mutant, name=f"{mutant.name} ({count})")


def _show(case: DrawnCase) -> str:
    """Write a case on one line, with functions by their names."""
    with np.printoptions(precision=4, suppress=True):
        text = re.sub(r"<function (\w+) at \w+>", r"\1", repr(case))
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} ..."


def _ignore(_reply: object) -> None:
    """Record nothing."""


def limit_time(work: Callable[[], Value], *, otherwise: Value) -> Value:
    """Return the value of `work`, or `otherwise` if it computes for too long; other timers stay free."""
    try:
        with _raise_when_too_long():
            return work()
    except _TooLong:
        return otherwise


@contextmanager
def _raise_when_too_long() -> Iterator[None]:
    previous = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _LIMIT_S, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _TooLong
