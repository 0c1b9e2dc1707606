"""Failing case: the first case of a check that a student's replies get wrong, for lines to run that show it.

What runs on a student's computer, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograder.checks.check_failed import NotWritten
from autograder.checks.wording import ARGUMENTS
from autograder.contracts.body import DerivedCheck, judge_check
from autograder.contracts.case import Replies, Reply
from autograder.contracts.check import CaseCheck
from autograder.contracts.reply import find_failure
from autograder.programs.lines import Spelling, write_lines
from autograder.programs.outcome import CallFailed, Outcome
from autograder.programs.program import Name, Program


@dataclass(frozen=True)
class FailingCase:
    """A case by its number, which is also that of its program, and its part that is wrong first, if one is.

    `remarks`: comments below the lines.
    """

    check: DerivedCheck
    replies: Replies
    number: int
    part: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def program(self) -> Program:
        """Its program."""
        return self.check.programs[self.number]

    @property
    def end(self) -> Outcome | None:
        """How its program ended the worker, if it did."""
        failure = find_failure(self.replies[self.number])
        return failure if failure is not None and failure.ends_worker else None

    def write(self, adapt: Callable[[Program], Program], spell: Callable[[str], Spelling]) -> str:
        """Write the lines, which print arguments only where these are wrong; none where no print shows what is.

        `adapt`: to the arguments that the student's functions take; `spell`: tells the student's name of one.
        """
        check, program = self.check, adapt(self.program)
        if isinstance(check, CaseCheck) and self.number < len(check.cases):
            if self.part in check.uses:
                return ""
            if self.part != ARGUMENTS and self.part not in check.left:
                program = replace(program, returned=program.returned[: check.cases[self.number].part_count])
        names = [step.name for step in program.steps if isinstance(step, Name)]
        text = write_lines(program, {name: spell(name) for name in names})
        return "\n".join([text, *(f"# {each}" for each in self.remarks)]) if text else ""

    def is_shown_by(self, reply: Reply) -> bool:
        """Tell whether another reply to its program is wrong, too."""
        replies = [*self.replies]
        replies[self.number] = reply
        return any(number == self.number for number, _ in list_failing(self.check, replies))


def find_failing_case(check: DerivedCheck, replies: Sequence[Any], remarks: tuple[str, ...] = ()) -> FailingCase | None:
    """Find the first failing case; None where something else fails, as a law."""
    if len(replies) < len(check.programs):
        return None
    failing = list_failing(check, replies)
    return FailingCase(check, replies, *failing[0], remarks) if failing else None


def list_failing(check: DerivedCheck, replies: Replies) -> Sequence[tuple[int, str]]:
    """List the numbers of failing cases, each with a part that is wrong."""
    try:
        return judge_check(check, replies).failing
    except (CallFailed, NotWritten):
        return [(0, "")]
