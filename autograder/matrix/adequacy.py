"""Adequacy: judges the mutants of functions by their contracts and by the hidden tests, and lists those that survive.

A mutant that differs from the reference in a case of the contract is wrong; a wrong one that passes all hidden tests of
its function survives. Functions are judged one at a time, in processes of their own, on all cores; mutants run in
processes of theirs, which end endless ones.
"""

from __future__ import annotations

import random
import re
import resource
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from autograder.assignment import HIDDEN, Assignment
from autograder.contracts import ContractError
from autograder.contracts.random_cases import DrawnCase, DrawnContract, find_smallest, list_contracts
from autograder.diagnosis.apart import run_apart
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTestError, RunnableTest
from autograder.matrix.all_cores import Progress, run_on_all_cores
from autograder.matrix.mutant import Mutant, Reference
from autograder.plain_text import count
from autograder.submission import select_questions

_CASES, _CASES_OF_SAMPLE = 300, 120  # of each contract
_MEMORY_BYTES = 4 * 2**30  # for a mutant that makes an array of a wrong shape
_LIMIT_S = 3  # of computing time for one case, or one hidden test; the reference needs a tenth of it
_SHOWN = 300  # characters of a case
_RIGHT = b"right"
_ROW = "{:24}{:>9}{:>12}{:>9}{:>9}{:>11}"


class JudgedMutant(NamedTuple):
    """A mutant by its name in all files: whether its contract and a hidden test fail it; `case`: shows a survivor."""

    id: str
    is_wrong: bool
    is_caught: bool
    case: str = ""

    @property
    def problem(self) -> str:
        """What staff have to look at; "" for nothing."""
        if self.is_wrong == self.is_caught:
            return ""
        if self.is_wrong:
            return f"{self.id}\n    passes every hidden test, and is wrong for {self.case}"
        return f"{self.id}\n    fails a hidden test, and is right in every case of the contract"


@dataclass
class FunctionAdequacy:
    """The judged mutants of one function."""

    question_id: str
    function: str
    mutants: list[JudgedMutant] = field(default_factory=list)

    @property
    def wrong(self) -> list[JudgedMutant]:
        """The mutants that are wrong."""
        return [each for each in self.mutants if each.is_wrong]

    @property
    def caught(self) -> list[JudgedMutant]:
        """The wrong mutants that a hidden test fails."""
        return [each for each in self.wrong if each.is_caught]


class Task(NamedTuple):
    """One function to judge; `wanted`: the number of its wrong mutants in the sample, None for all mutants."""

    assignment: Assignment
    question_id: str
    function: str
    seed: int
    wanted: int | None


def run_generated(
    assignment: Assignment,
    *,
    only: Sequence[str] | None,
    seed: int,
    sample: int | None,
    report_progress: Progress,
) -> list[FunctionAdequacy]:
    """Judge the mutants of the questions `only`, or of all; `sample`: how many wrong ones, the same for a seed.

    `report_progress` gets the number of functions that are judged, and of all. Raises SubmissionError for an unknown
    question id, HiddenTestError for broken tests, ModuleNotFoundError where the tools of the self-tests are not
    installed.
    """
    question_ids = [question.question_id for question in select_questions(assignment, only)]
    tests = collect_hidden_tests(assignment, question_ids=question_ids)
    names = []
    for question_id in question_ids:
        own = [each for each in tests if each.test.question_id == question_id]
        tested: set[str] = set()
        tested.update(*(each.test.functions for each in own))
        contracts = list_contracts(each.call for each in own)
        names += [(question_id, function) for function in contracts if function in tested]
    tasks = {}
    for place, (question_id, function) in enumerate(names):
        wanted = None
        if sample is not None:
            wanted = (sample + place) // len(names)  # shares that differ by one, and add up to the sample
        tasks[f"{question_id}.{function}"] = Task(assignment, question_id, function, seed, wanted)
    functions = run_on_all_cores(_judge, tasks, report_progress)
    return list(functions.values())


def _judge(task: Task) -> FunctionAdequacy:
    """Judge one function by the cases of its contract and by its hidden tests that give points."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    collected = collect_hidden_tests(task.assignment, question_ids=[task.question_id])
    contract = list_contracts(each.call for each in collected)[task.function]
    wanted = _CASES if task.wanted is None else _CASES_OF_SAMPLE
    try:
        cases = contract.draw_cases(task.seed, wanted)
    except ContractError as error:  # in a random case alone: the rows were derived above
        raise HiddenTestError(f"{HIDDEN}/test_{task.question_id}.py: {error}") from error
    tests = [each for each in collected if each.test.points and task.function in each.test.functions]
    reference = Reference(task.question_id, task.assignment.find_reference(task.question_id))
    cases = _keep_decided(contract, cases, reference.make_module())
    judge = FunctionJudge(reference, contract, tests, cases)
    mutants = judge.list_mutants()
    if task.wanted is not None:
        random.Random(f"{task.seed} {task.question_id} {task.function}").shuffle(mutants)  # noqa: S311  (a sample)
    return judge.judge(mutants, wanted=task.wanted)


def _keep_decided(contract: DrawnContract, cases: Sequence[DrawnCase], right: Any) -> list[DrawnCase]:
    """Keep the cases that show a mutant to be wrong: where the right solution is right, and computes for a short time.

    It may be wrong at a tie in single precision.
    """
    kept = []
    for case in cases:
        started = time.process_time()
        with preserve_global_state():
            got = contract.observe(right, case)
        is_short = time.process_time() - started < _LIMIT_S / 10
        if is_short and contract.agrees(case, got):
            kept.append(case)
    return kept


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
            number = seen[mutant.name]
            if number > 1:
                mutant = replace(mutant, name=f"{mutant.name} ({number})")
            mutants.append(mutant)
        return mutants

    def judge(self, mutants: Sequence[Mutant], *, wanted: int | None = None) -> FunctionAdequacy:
        """Judge the mutants, in turn, until `wanted` of them were wrong."""
        result = FunctionAdequacy(self.reference.question_id, self.contract.function)
        for mutant in mutants:
            if len(result.wrong) == wanted:
                break
            result.mutants.append(self._judge_one(mutant))
        return result

    def _judge_one(self, mutant: Mutant) -> JudgedMutant:
        wrong = self._find_failed(mutant, [partial(self._agrees, case) for case in self.cases])
        failed = self._find_failed(mutant, [partial(_passes, test) for test in self.tests])
        name = f"{self.reference.question_id}.{self.contract.function}: {mutant.name}"
        judged = JudgedMutant(name, is_wrong=wrong is not None, is_caught=failed is not None)
        if wrong is not None and failed is None:
            smallest = find_smallest(self.cases, partial(self._is_wrong, mutant), self.cases[wrong])
            return judged._replace(case=_show(smallest))
        return judged

    def _is_wrong(self, mutant: Mutant, case: DrawnCase) -> bool:
        """Return whether the mutant differs in a case, or computes too long."""
        return self._find_failed(mutant, [partial(self._agrees, case)]) is not None

    def _agrees(self, case: DrawnCase, module: Any) -> bool:
        return self.contract.agrees(case, self.contract.observe(module, case))

    def _find_failed(self, mutant: Mutant, trials: Sequence[Callable[[Any], bool]]) -> int | None:
        """Find the first trial that a mutant fails, in a process of its own; None where it passes all."""

        def run(trial: Callable[[Any], bool]) -> bytes:
            with preserve_global_state():
                return _RIGHT if trial(self.reference.make_module(mutant.install)) else b""

        for place, answer in enumerate(run_apart([partial(run, trial) for trial in trials], cpu_s=_LIMIT_S)):
            if answer != _RIGHT:
                return place
        return None


def _passes(test: RunnableTest, module: Any) -> bool:
    return Replay(module).passes(test.call)


def _show(case: DrawnCase) -> str:
    """Write a case on one line, with functions by their names."""
    with np.printoptions(precision=4, suppress=True):
        text = re.sub(r"<function (\w+) at \w+>", r"\1", repr(case))
    return textwrap.shorten(text, _SHOWN, placeholder=" ...")


def list_problems(functions: Sequence[FunctionAdequacy]) -> list[str]:
    """List the mutants that need a look, survivors first, each with the reason."""
    mutants = [mutant for one in functions for mutant in one.mutants if mutant.problem]
    mutants.sort(key=lambda mutant: mutant.is_caught)
    return [mutant.problem for mutant in mutants]


def render_adequacy(functions: Sequence[FunctionAdequacy]) -> str:
    """Render the table of all questions, and what is to be done."""
    if not functions:
        return "no function has a contract: nothing was judged"
    lines = [_ROW.format("", "mutants", "equivalent", "wrong", "caught", "survivors")]
    for question_id in dict.fromkeys(one.question_id for one in functions):
        own = [one for one in functions if one.question_id == question_id]
        lines.append(_write_row(question_id, own))
    lines.append(_write_row("all", functions))
    problems = list_problems(functions)
    verdict = f"{len(problems)} problems" if problems else "no survivors"
    return "\n".join([*lines, "", *problems, verdict])


def _write_row(name: str, functions: Sequence[FunctionAdequacy]) -> str:
    every = sum(len(one.mutants) for one in functions)
    wrong = sum(len(one.wrong) for one in functions)
    caught = sum(len(one.caught) for one in functions)
    return _ROW.format(name, every, every - wrong, wrong, caught, wrong - caught)


def render_strength(functions: Sequence[FunctionAdequacy]) -> str:
    """Render how many wrong functions lose points, a line for each right one, and those that lose none.

    They are wrong where they differ from the right ones: whether these are what is asked for, nothing here can say.
    """
    width = max((len(one.function) for one in functions), default=0)
    caught = wrong = 0
    rows = []
    for one in functions:
        caught += len(one.caught)
        wrong += len(one.wrong)
        rows.append(f"  {one.function.ljust(width)}  {len(one.caught)} of {len(one.wrong)}")
    judged = f"{caught} of {count(wrong, 'generated wrong function')} lose points"
    head = f"agrees with your solution on the drawn inputs: {judged}"
    return "\n".join([head, *rows, *list_problems(functions)])
