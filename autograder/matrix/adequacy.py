"""Adequacy: judges the mutants of functions by their contracts and by the hidden tests, and finds those that survive.

Functions are judged one at a time, in processes of their own, on all cores: the limit on computing time is a process's.
"""

from __future__ import annotations

import random
import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from autograder.assignment import HIDDEN, Assignment, read_toml
from autograder.assignment.toml_table import TEXT, StaffTable
from autograder.contracts import ContractError
from autograder.contracts.random_cases import list_contracts
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTestError
from autograder.matrix.all_cores import Progress, run_on_all_cores
from autograder.matrix.function_judge import FunctionAdequacy, FunctionJudge
from autograder.mutation.mutant import Reference
from autograder.submission import select_questions

_CASES, _CASES_OF_SAMPLE = 300, 120  # of each contract
_MEMORY_BYTES = 4 * 2**30  # for a mutant that makes an array of a wrong shape


@dataclass(frozen=True)
class AdequacyReport:
    """The judged functions, and the survivors that are excused, with reasons. `is_whole`: no sample was drawn."""

    functions: Sequence[FunctionAdequacy]
    excuses: Mapping[str, str]
    is_whole: bool

    @property
    def problems(self) -> list[tuple[str, str]]:
        """The mutants that nobody excuses, survivors first, and excuses that excuse none of all mutants; and why."""
        mutants = sorted((each for one in self.functions for each in one.mutants), key=lambda each: each.is_caught)
        found = {each.id: each.problem for each in mutants if each.problem}
        judged = tuple(f"{one.id}: " for one in self.functions) if self.is_whole else ()
        needless = [name for name in self.excuses if name.startswith(judged) and name not in found]
        unexcused = [(name, words) for name, words in found.items() if name not in self.excuses]
        return [*unexcused, *((name, "is excused, and does not survive") for name in needless)]

    @property
    def is_adequate(self) -> bool:
        """Whether there is nothing to do."""
        return not self.problems


class Task(NamedTuple):
    """One function to judge; `wanted`: the number of its wrong mutants in the sample, None for all mutants."""

    assignment: Assignment
    stem: str
    function: str
    seed: int
    wanted: int | None


def run_generated(
    assignment: Assignment,
    *,
    only: Sequence[str] | None,
    seed: int,
    sample: int | None,
    processes: int,
    report_progress: Progress = lambda _done, _total: None,
) -> AdequacyReport:
    """Judge the mutants of the questions `only`, or of all; `sample`: so many wrong ones, the same for the same seed.

    `report_progress` gets the number of functions that are judged, and of all. Raises SubmissionError for an unknown
    question id, HiddenTestError for broken tests, ModuleNotFoundError where the tools of the self-tests are not
    installed.
    """
    stems = [question.stem for question in select_questions(assignment, only)]
    tests = collect_hidden_tests(assignment, stems=stems)
    tested = {(each.test.stem, name) for each in tests for name in each.test.functions}
    names = []
    for stem in stems:
        calls = [each.call for each in tests if each.test.stem == stem]
        names += [name for name in product([stem], list_contracts(calls)) if name in tested]
    whole, rest = divmod(sample or 0, len(names) or 1)
    tasks = {}
    for place, name in enumerate(names):
        share = None if sample is None else whole + (place < rest)
        tasks[".".join(name)] = Task(assignment, *name, seed, share)
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
    tests = [each for each in collected if task.function in each.test.functions and each.test.points]
    reference = Reference(task.stem, task.assignment.find_reference(task.stem))
    return FunctionJudge(reference, contract, tests, cases)
