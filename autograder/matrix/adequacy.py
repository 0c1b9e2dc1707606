"""Adequacy: judges the mutants of functions by their contracts and by the hidden tests, and finds those that survive.

A mutant that differs from the reference in a case of the contract is wrong; a wrong one that passes all hidden tests of
its function survives. Endless mutants are ended by a limit on computing time. So functions are judged one at a time, in
processes of their own, on all cores.
"""

from __future__ import annotations

import random
import re
import resource
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np

from autograder.assignment import HIDDEN, Assignment, read_toml
from autograder.assignment.toml_table import TEXT, StaffTable
from autograder.contracts import ContractError
from autograder.contracts.random_cases import DrawnCase, DrawnContract, find_smallest, list_contracts
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.diagnosis.time_limit import limit_time
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTestError, RunnableTest
from autograder.matrix.all_cores import Progress, run_on_all_cores
from autograder.matrix.dropped_kinds import NeededKinds
from autograder.mutation.mutant import Mutant, Operator, Reference
from autograder.mutation.recorded_calls import record_calls
from autograder.mutation.wrapped_mutants import list_wrapped_mutants
from autograder.student import TestCall
from autograder.submission import select_questions

_LIMIT_S = 3.0  # of computing time for one case, or one hidden test; the reference needs a tenth of it
_SHOWN = 300  # characters of a case
_CASES, _CASES_OF_SAMPLE = 300, 120  # of each contract
_MEMORY_BYTES = 4 * 2**30  # for a mutant that makes an array of a wrong shape
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

        return limit_time(differs, _LIMIT_S, otherwise=True)

    def _run(self, mutant: Mutant, call: TestCall) -> bool:
        """Run the body of a test, and tell whether the mutant passes it."""
        module = self.reference.make_module(mutant.install)
        replay = Replay({self.reference.stem: module}, lambda _reply: None)
        return limit_time(partial(replay.run, call), _LIMIT_S, otherwise=False)


def _show(case: DrawnCase) -> str:
    """Write a case on one line, with functions by their names."""
    with np.printoptions(precision=4, suppress=True):
        text = re.sub(r"<function (\w+) at \w+>", r"\1", repr(case))
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} ..."


@dataclass(frozen=True)
class AdequacyReport:
    """The judged functions, and the survivors that are excused, with reasons. `is_whole`: no sample was drawn."""

    functions: Sequence[FunctionAdequacy]
    excuses: Mapping[str, str]
    is_whole: bool

    @property
    def survivors(self) -> list[Survivor]:
        """The survivors that nobody excuses."""
        return [each for one in self.functions for each in one.survivors if each.id not in self.excuses]

    @property
    def misjudged(self) -> list[str]:
        """The mutants that are right by the contract and lose points, and that nobody excuses."""
        return [name for one in self.functions for name in one.misjudged if name not in self.excuses]

    @property
    def needless(self) -> list[str]:
        """The excuses of the judged functions that excuse nothing; none can be told from a sample."""
        judged = tuple(f"{one.id}: " for one in self.functions)
        used = {name for one in self.functions for name in (*one.misjudged, *(each.id for each in one.survivors))}
        return [name for name in self.excuses if name.startswith(judged) and name not in used] if self.is_whole else []

    @property
    def is_adequate(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.survivors or self.misjudged or self.needless)


class Task(NamedTuple):
    """One function to judge; `wanted`: the number of its wrong mutants in the sample, None for all mutants.

    `drops_kinds`: whether to find the kinds of input that no mutant needs.
    """

    assignment: Assignment
    stem: str
    function: str
    seed: int
    wanted: int | None
    drops_kinds: bool = False


def run_generated(
    assignment: Assignment,
    *,
    only: Sequence[str] | None,
    seed: int,
    sample: int | None,
    processes: int,
    drops_kinds: bool = False,
    report_progress: Progress = lambda _done, _total: None,
) -> AdequacyReport:
    """Judge the mutants of the questions `only`, or of all; `sample`: so many wrong ones, the same for the same seed.

    `drops_kinds`: also find the kinds of input of contracts that none of these mutants needs.
    `report_progress` gets the number of functions that are judged, and of all. Raises SubmissionError for an unknown
    question id, HiddenTestError for broken tests, ModuleNotFoundError where the tools of the self-tests are not
    installed.
    """
    stems = [question.stem for question in select_questions(assignment, only)]
    tests = collect_hidden_tests(assignment, stems=stems)
    tested = {(each.test.stem, name) for each in tests for name in each.test.functions}
    calls = {stem: [each.call for each in tests if each.test.stem == stem] for stem in stems}
    names = [name for stem in stems for name in product([stem], list_contracts(calls[stem])) if name in tested]
    whole, rest = divmod(sample or 0, len(names) or 1)
    tasks = {
        ".".join(name): Task(assignment, *name, seed, None if sample is None else whole + (place < rest), drops_kinds)
        for place, name in enumerate(names)
    }
    functions = run_on_all_cores(_judge, tasks, processes, report_progress, _limit_memory)
    return AdequacyReport(list(functions.values()), read_excused(assignment), is_whole=sample is None)


def read_excused(assignment: Assignment) -> dict[str, str]:
    """Read the survivors that are excused, each with its reason; none where no file has any."""
    path = assignment.excused_path
    if not path.is_file():
        return {}
    top = StaffTable(read_toml(path), file=path, place="top level")
    entries = top.read_tables("excused", lambda entry: (entry.read("reason", TEXT), entry.read_texts("mutants")))
    top.refuse_unknown_keys()
    return {mutant: reason for reason, mutants in entries for mutant in mutants}


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))


def _judge(task: Task) -> FunctionAdequacy:
    judge = build_judge(task)
    mutants = judge.list_mutants()
    if task.wanted is not None:
        random.Random(f"{task.seed} {task.stem} {task.function}").shuffle(mutants)  # noqa: S311  (a sample)
    return judge.judge(mutants, wanted=task.wanted)


def build_judge(task: Task) -> FunctionJudge:
    """Build the judge of one function, with the cases of its contract and its hidden tests that give points."""
    collected = collect_hidden_tests(task.assignment, stems=[task.stem])
    contract = list_contracts(each.call for each in collected)[task.function]
    try:
        cases = contract.draw_cases(task.seed, _CASES if task.wanted is None else _CASES_OF_SAMPLE)
    except ContractError as error:  # in a random case alone: the rows were derived above
        raise HiddenTestError(f"{HIDDEN}/test_{task.stem}.py: {error}") from error
    return FunctionJudge(
        Reference(task.stem, task.assignment.find_reference(task.stem)),
        contract,
        [each for each in collected if task.function in each.test.functions and each.test.points],
        cases,
        task.drops_kinds,
    )
