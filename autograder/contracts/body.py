"""Body: turns a row of the result, as a contract describes it, into the plain call by which the grader runs any test.

After a failed case it asks near it whether the returned gradients are the slopes of the loss that is returned too. That
gives words, never points.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder.checks.check_failed import CheckFailed, NotWritten
from autograder.checks.gradient_check import Point, explain_gradient
from autograder.contracts.call_values import move_arguments, name_point, take_gradients
from autograder.contracts.case import EVERYWHERE, ORDINARY
from autograder.contracts.check import CaseCheck
from autograder.contracts.gradient_row import GradientCheck
from autograder.contracts.judgement import Judgement, judge, judge_uses
from autograder.contracts.packed_check import pack_check, unpack_check
from autograder.contracts.reply import find_failure
from autograder.programs.calls import write_call
from autograder.programs.outcome import CallFailed
from autograder.programs.program import Find, run_program
from autograder.sandbox.protocol.trusted_form import pack_records
from autograder.student import Module, Student

DerivedCheck = CaseCheck | GradientCheck


def explain_slopes(
    check: DerivedCheck, judgement: Judgement, student: Student, module: Module
) -> AbstractContextManager[None]:
    """Add to the failure that is raised in the block whether the gradients are those of the student's own loss."""
    if isinstance(check, GradientCheck) or not judgement.failing:
        return nullcontext()
    number, part = judgement.failing[0]
    if check.find_value(part) not in (check.loss, *check.gradients):
        return nullcontext()
    arguments = check.cases[number].arguments

    def evaluate(points: Sequence[Point]) -> list[tuple[object, dict[str, object]]]:
        """Return the student's loss and gradients at each point."""
        moved = (move_arguments(check.gradients, arguments, point) for point in points)
        replies = module.run([write_call(check.function, each) for each in moved])
        return [split(reply) for reply in replies]

    def split(reply: Sequence[Any]) -> tuple[object, dict[str, object]]:
        failure = find_failure(reply)
        if failure is not None:
            raise CallFailed(failure)
        values = check.list_values(reply)
        named = {part: values[place] for part, place in judgement.places.items()}
        return named[check.loss], take_gradients(check.gradients, arguments, named)

    return explain_gradient(student, name_point(check.gradients, arguments), evaluate)


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
        if (purpose, seed) not in self._derived:
            self._derived[purpose, seed] = self._derive(purpose, seed)
        return self._derived[purpose, seed]

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
    """The body of the hidden test that a check is; the contract derives the check when it is first called.

    `kept`, `programs`: the bytes of the check, and of its programs as a worker gets them, from an earlier start; empty
    where there are none.
    """

    def __init__(self, check: Check, *, stem: str, seed: str) -> None:
        self.check, self._stem, self._seed = check, stem, seed
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

    def __call__(self, student: Student) -> None:
        """Run the programs, and fail unless all replies are right."""
        run_check(self.derived, student, self._stem)


def run_check(derived: DerivedCheck, student: Student, stem: str) -> None:
    """Run the programs of a check, and raise CheckFailed, with the share that is earned, unless all is right."""
    module = getattr(student, stem)
    replies = module.run(derived.programs, derived.groups)
    with student.bound_judging():
        judgement = judge_check(derived, replies)
        uses = [judge_uses(derived, *each) for each in enumerate(replies)] if judgement.failure else []
    if judgement.accepted:
        student.note(f"Your values are those for {judgement.accepted}; that is accepted here.")
    if judgement.failure is None:
        return
    judgement.failure.earned = judgement.earned
    if any(uses):
        student.observe(uses)
    with explain_slopes(derived, judgement, student, module):
        raise judgement.failure


def judge_check(derived: DerivedCheck, replies: Sequence[Any]) -> Judgement:
    """Judge the replies to the programs of a check; NotWritten or CallFailed where a stub gave them."""
    return judge(derived, replies) if isinstance(derived, CaseCheck) else derived.judge(replies)


def is_all_right(derived: DerivedCheck, replies: Sequence[Any]) -> bool:
    """Tell whether all replies to the programs of a check are right."""
    try:
        return judge_check(derived, replies).failure is None
    except (CallFailed, NotWritten):
        return False


def judge_functions(derived: DerivedCheck, find: Find) -> tuple[float, CheckFailed | None]:
    """Judge functions of this process, found by name: the share of the points that they earn, and the failure."""
    judgement = judge_check(derived, [run_program(each, find) for each in derived.programs])
    return judgement.share, judgement.failure
