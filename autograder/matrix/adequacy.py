"""Adequacy: judges the mutants of a function by its contract and by the hidden tests, and finds those that survive.

A mutant that differs from the reference in a case of the contract is wrong; a wrong one that passes all hidden tests of
its function survives. Endless mutants are ended by a limit on computing time, so this runs in a process of its own.
"""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import FrameType
from typing import NamedTuple, NoReturn, TypeVar

import numpy as np

from autograder.contracts.random_cases import DrawnCase, DrawnContract, find_smallest
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.grading.hidden_test import RunnableTest
from autograder.matrix.dropped_kinds import NeededKinds
from autograder.mutation.mutant import Mutant, Operator, Reference
from autograder.mutation.recorded_calls import record_calls
from autograder.mutation.wrapped_mutants import list_wrapped_mutants
from autograder.student import ReplayStopped, TestCall

_LIMIT_S = 3.0  # of computing time for one case, or one hidden test; the reference needs a tenth of it
_AGAIN_S = 0.2  # a mutant that swallows the exception gets it again
_SHOWN = 300  # characters of a case
Value = TypeVar("Value")


class Survivor(NamedTuple):
    """A wrong mutant that no hidden test of its function catches; `id`: its name in all files; a case that shows it."""

    id: str
    case: str


@dataclass
class FunctionAdequacy:
    """The counts of one function; `misjudged`: mutants that are right by the contract and fail a hidden test, by ids.

    `operators`: the wrong mutants by the operator that made them. `kinds`: what its rows need; None unless asked for.
    """

    stem: str
    function: str
    equivalent: int = 0
    caught: int = 0
    survivors: list[Survivor] = field(default_factory=list)
    misjudged: list[str] = field(default_factory=list)
    operators: Counter[Operator] = field(default_factory=Counter)
    kinds: NeededKinds | None = None

    @property
    def id(self) -> str:
        """The name with which those of its mutants begin."""
        return f"{self.stem}.{self.function}"

    @property
    def wrong(self) -> int:
        """The number of mutants that are wrong."""
        return self.caught + len(self.survivors)

    @property
    def mutants(self) -> int:
        """The number of all mutants."""
        return self.equivalent + self.wrong


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
        module, function = self.reference.make_module(), self.contract.function
        observe = partial(self.contract.observe, module)
        recorded = record_calls(module, function, lambda: [observe(case) for case in self.cases])
        edited = self.reference.list_syntax_mutants(function, self.contract.silent)
        seen: Counter[str] = Counter()
        mutants = []
        for mutant in (*edited, *list_wrapped_mutants(function, recorded)):
            seen[mutant.name] += 1
            number = f" ({seen[mutant.name]})" if seen[mutant.name] > 1 else ""
            mutants.append(replace(mutant, name=mutant.name + number))
        return mutants

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
        wrong = next((case for case in self.cases if self._is_wrong(mutant, case)), None)
        is_caught = any(not self._run(mutant, test.call) for test in self.tests)
        name = f"{result.id}: {mutant.name}"
        if wrong is None:
            result.equivalent += 1
            result.misjudged += [name] * is_caught
            return
        result.operators[mutant.operator] += 1
        if not is_caught:
            smallest = find_smallest(self.cases, partial(self._is_wrong, mutant), wrong)
            result.survivors.append(Survivor(name, _show(smallest)))
            return
        result.caught += 1
        if result.kinds is not None:
            result.kinds.note(self.tests, partial(self._run, mutant))

    def _is_wrong(self, mutant: Mutant, case: DrawnCase) -> bool:
        """Tell whether the mutant differs in a case, or computes too long."""

        def differs() -> bool:
            module = self.reference.make_module(mutant.install)
            return not self.contract.agrees(case, self.contract.observe(module, case))

        return limit_time(differs, otherwise=True)

    def _run(self, mutant: Mutant, call: TestCall) -> bool:
        """Run the body of a test, and tell whether the mutant passes it."""
        module = self.reference.make_module(mutant.install)
        replay = Replay({self.reference.stem: module}, lambda _reply: None)
        return limit_time(partial(replay.run, call), otherwise=False)


def _show(case: DrawnCase) -> str:
    """Write a case on one line, with functions by their names."""
    with np.printoptions(precision=4, suppress=True):
        text = re.sub(r"<function (\w+) at \w+>", r"\1", repr(case))
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} ..."


def limit_time(work: Callable[[], Value], *, otherwise: Value) -> Value:
    """Return the value of `work`, or `otherwise` if it computes for too long; other timers stay free."""
    previous = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _LIMIT_S, _AGAIN_S)
    try:
        try:
            return work()
        finally:  # the time may be up here, too
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, previous)
    except _TooLong:
        return otherwise


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _TooLong
