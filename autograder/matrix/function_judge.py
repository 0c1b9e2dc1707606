"""Function judge: turns the mutants of one function into verdicts, by cases of its contract and by its hidden tests.

A mutant that differs from the reference in a case of the contract is wrong; a wrong one that passes all hidden tests of
its function survives. Mutants run in processes of their own, which end endless ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from autograder.contracts.random_cases import DrawnCase, DrawnContract, find_smallest
from autograder.diagnosis.apart import run_apart
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.grading.attempt import Body
from autograder.grading.hidden_test import RunnableTest
from autograder.mutation.mutant import Mutant, Reference

_LIMIT_S = 3  # of computing time for one case, or one hidden test; the reference needs a tenth of it
_SHOWN = 300  # characters of a case
_RIGHT = b"right"


class JudgedMutant(NamedTuple):
    """A mutant by its name in all files: whether its contract and a hidden test fail it; `case`: shows a survivor."""

    id: str
    is_wrong: bool
    is_caught: bool
    case: str = ""

    @property
    def problem(self) -> str:
        """What staff have to look at; "" for nothing."""
        if self.is_wrong and not self.is_caught:
            return f"passes every hidden test, and is wrong for {self.case}"
        is_misjudged = self.is_caught and not self.is_wrong
        return "fails a hidden test, and is right in every case of the contract" * is_misjudged


@dataclass
class FunctionAdequacy:
    """The judged mutants of one function."""

    stem: str
    function: str
    mutants: list[JudgedMutant] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The name with which those of its mutants begin."""
        return f"{self.stem}.{self.function}"

    @property
    def wrong(self) -> list[JudgedMutant]:
        """The mutants that are wrong."""
        return [each for each in self.mutants if each.is_wrong]

    @property
    def caught(self) -> list[JudgedMutant]:
        """The wrong mutants that a hidden test fails."""
        return [each for each in self.wrong if each.is_caught]


@dataclass
class FunctionJudge:
    """Judges the mutants of one function; `cases`: of its contract, drawn once for all of them."""

    reference: Reference
    contract: DrawnContract
    tests: Sequence[RunnableTest]
    cases: Sequence[DrawnCase]

    def list_mutants(self) -> list[Mutant]:
        """List all mutants of the function; equal names are numbered."""
        seen: Counter[str] = Counter()
        mutants = []
        for mutant in self.reference.list_syntax_mutants(self.contract.function):
            seen[mutant.name] += 1
            number = f" ({seen[mutant.name]})" if seen[mutant.name] > 1 else ""
            mutants.append(replace(mutant, name=mutant.name + number))
        return mutants

    def judge(self, mutants: Sequence[Mutant], *, wanted: int | None = None) -> FunctionAdequacy:
        """Judge the mutants, in turn, until `wanted` of them were wrong."""
        result = FunctionAdequacy(self.reference.stem, self.contract.function)
        for mutant in mutants:
            if wanted is not None and len(result.wrong) >= wanted:
                break
            result.mutants.append(self._judge_one(mutant, f"{result.id}: {mutant.name}"))
        return result

    def _judge_one(self, mutant: Mutant, name: str) -> JudgedMutant:
        judged = run_apart([partial(self._judge_case, mutant, case) for case in self.cases], cpu_s=_LIMIT_S)
        wrong = next((case for case, answer in zip(self.cases, judged, strict=True) if answer != _RIGHT), None)
        passed = run_apart([partial(self._run, mutant, test.call) for test in self.tests], cpu_s=_LIMIT_S)
        is_caught = any(answer != _RIGHT for answer in passed)
        shown = ""
        if wrong is not None and not is_caught:
            shown = _show(find_smallest(self.cases, partial(self._is_wrong, mutant), wrong))
        return JudgedMutant(name, wrong is not None, is_caught, shown)

    def _is_wrong(self, mutant: Mutant, case: DrawnCase) -> bool:
        """Tell whether the mutant differs in a case, or computes too long."""
        (answer,) = run_apart([partial(self._judge_case, mutant, case)], cpu_s=_LIMIT_S)
        return answer != _RIGHT

    def _judge_case(self, mutant: Mutant, case: DrawnCase) -> bytes:
        """Tell whether the mutant is right in a case, in a process of its own."""
        with preserve_global_state():
            module = self.reference.make_module(mutant.install)
            is_right = self.contract.agrees(case, self.contract.observe(module, case))
        return _RIGHT if is_right else b""

    def _run(self, mutant: Mutant, body: Body) -> bytes:
        """Run a test, and tell whether the mutant passes it, in a process of its own."""
        with preserve_global_state():
            module = self.reference.make_module(mutant.install)
            is_passed = Replay(module).passes(body)
        return _RIGHT if is_passed else b""


def _show(case: DrawnCase) -> str:
    """Write a case on one line, with functions by their names."""
    with np.printoptions(precision=4, suppress=True):
        text = re.sub(r"<function (\w+) at \w+>", r"\1", repr(case))
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} ..."
