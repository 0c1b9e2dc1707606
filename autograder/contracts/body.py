"""Body: turns a row of the result, as a contract describes it, into programs, and their replies into a judgement.

The first case that the replies get wrong is found for lines to run that show it. It runs on a student's computer, too.
"""

from __future__ import annotations

import contextlib
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from autograder.checks.check_failed import CheckFailed, NotWritten
from autograder.checks.wording import ARGUMENTS
from autograder.contracts.case import EVERYWHERE, ORDINARY, Replies, Reply, Texts
from autograder.contracts.check import CaseCheck
from autograder.contracts.gradient_row import GradientCheck
from autograder.contracts.judgement import Judgement, judge
from autograder.contracts.packed_check import pack_check, unpack_check
from autograder.contracts.reply import find_failure, is_value
from autograder.programs.lines import Spelling, write_lines
from autograder.programs.outcome import CallFailed, Outcome
from autograder.programs.program import Find, Name, Program, run_program
from autograder.sandbox.protocol.trusted_form import pack_records

DerivedCheck = CaseCheck | GradientCheck


class DerivesChecks(ABC):
    """The contract of one function, constructor or method; `name`: of the function."""

    name: str

    @cached_property
    def _derived(self) -> dict[tuple[str, str], DerivedCheck]:
        """The data of checks, by purpose and seed."""
        return {}

    def ordinary(self) -> Check:
        """A few generic calls, all sizes different: the row that students see."""
        return Check(self, ORDINARY)

    def everywhere(self) -> Check:
        """All kinds of input, one at a time."""
        return Check(self, EVERYWHERE)

    def derive(self, purpose: str, seed: str) -> DerivedCheck:
        """Derive the data of a check, once for each seed."""
        asked = (purpose, seed)
        if asked not in self._derived:
            self._derived[asked] = self._derive(purpose, seed)
        return self._derived[asked]

    @abstractmethod
    def _derive(self, purpose: str, seed: str) -> DerivedCheck:
        """Derive the data of a check."""

    @abstractmethod
    def draw_checks(self, seed: str, count: int) -> Iterator[DerivedCheck]:
        """Draw checks of random cases, which judge other functions."""


@dataclass(frozen=True)
class Check:
    """A row of the result, as a contract describes it; `derive` makes the data. `purpose`: the method that made it."""

    contract: DerivesChecks
    purpose: str

    @property
    def function(self) -> str:
        """The function under test."""
        return self.contract.name

    def derive(self, seed: str) -> DerivedCheck:
        """Derive requests, right values and shares; ContractError where the contract cannot be kept.

        `seed`: the private seed of the assignment.
        """
        return self.contract.derive(self.purpose, seed)


class CheckBody:
    """A check in the place of a test's body; the contract derives its data when they are first asked for.

    `kept`, `programs`: the bytes of the check, and of its programs as a worker gets them, from an earlier start; empty
    where there are none.
    """

    def __init__(self, check: Check, *, seed: str) -> None:
        self.check = check
        self._seed = seed
        self.kept = self.programs = b""

    @cached_property
    def derived(self) -> DerivedCheck:
        """The data of the check."""
        with contextlib.suppress(ValueError):
            return unpack_check(self.kept)  # type: ignore[no-any-return]
        return self.check.derive(self._seed)

    def pack(self) -> bytes:
        """Return the bytes of the check as it is derived; empty if it has none."""
        return pack_check(self.check.derive(self._seed)) or b""

    def pack_programs(self) -> bytes:
        """Return the bytes of its programs."""
        return self.programs or pack_records(self.derived.programs)


def judge_check(derived: DerivedCheck, replies: Replies) -> Judgement:
    """Judge the replies to the programs of a check; NotWritten where a stub gave them.

    CallFailed where no part of any reply is a value.
    """
    parts = list(itertools.chain.from_iterable(replies))
    if parts and not any(map(is_value, parts)):
        raise CallFailed(parts[0])
    return _judge(derived, replies)


def _judge(derived: DerivedCheck, replies: Replies) -> Judgement:
    judgement = judge(derived, replies) if isinstance(derived, CaseCheck) else derived.judge(replies)
    failure = judgement.failure
    if failure is not None:
        failure.earned = judgement.earned
        failure.failing = judgement.failing
    return judgement


def is_all_right(derived: DerivedCheck, replies: Replies) -> bool:
    """Return whether all replies to the programs of a check are right."""
    try:
        return judge_check(derived, replies).failure is None
    except (CallFailed, NotWritten):
        return False


def judge_functions(derived: DerivedCheck, find: Find) -> tuple[float, CheckFailed | None]:
    """Judge functions of this process, found by name: the share of the points that they earn, and the failure."""
    replies = [run_program(each, find) for each in derived.programs]
    judgement = _judge(derived, replies)
    return judgement.share, judgement.failure


@dataclass(frozen=True)
class FailingCase:
    """A case by its number, which is also the number of its program, and its part that is wrong first, if one is.

    `remarks`: comments below the lines.
    """

    check: DerivedCheck
    replies: Replies
    number: int
    part: str = ""
    remarks: Texts = ()

    @property
    def program(self) -> Program:
        """Its program."""
        return self.check.programs[self.number]

    @property
    def end(self) -> Outcome | None:
        """How its program ended the worker, if it did."""
        failure = find_failure(self.replies[self.number])
        if failure is not None and failure.ends_worker:
            return failure
        return None

    def write(self, adapt: Callable[[Program], Program], spell: Callable[[str], Spelling]) -> str:
        """Write the lines, which print arguments only where these are wrong; none where no print shows what is.

        `adapt`: to the arguments that the student's functions take; `spell`: returns the student's name of one.
        """
        check = self.check
        program = adapt(self.program)
        if isinstance(check, CaseCheck) and self.number < len(check.cases):
            if self.part in check.uses:
                return ""
            if self.part != ARGUMENTS and self.part not in check.left:
                count = check.cases[self.number].part_count
                program = replace(program, returned=program.returned[:count])
        names = [step.name for step in program.steps if isinstance(step, Name)]
        text = write_lines(program, {name: spell(name) for name in names})
        if not text:
            return ""
        remarks = [f"# {remark}" for remark in self.remarks]
        return "\n".join([text, *remarks])

    def is_shown_by(self, reply: Reply) -> bool:
        """Return whether another reply to its program is wrong, too."""
        replies = [*self.replies]
        replies[self.number] = reply
        return any(number == self.number for number, _ in list_failing(self.check, replies))


def find_failing_case(check: DerivedCheck, replies: Sequence[Any], failed: CheckFailed | None) -> FailingCase | None:
    """Find the first failing case; None where something else fails, as a law. `failed`: what is wrong, if known."""
    if len(replies) < len(check.programs):
        return None
    remarks, failing = ((), ()) if failed is None else (failed.expectations, failed.failing)
    failing = failing or list_failing(check, replies)
    if not failing:
        return None
    number, part = failing[0]
    return FailingCase(check, replies, number, part, remarks)


def list_failing(check: DerivedCheck, replies: Replies) -> Sequence[tuple[int, str]]:
    """List the numbers of failing cases, each with a part that is wrong."""
    try:
        return judge_check(check, replies).failing
    except (CallFailed, NotWritten):
        return [(0, "")]
