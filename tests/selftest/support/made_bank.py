"""Made bank: known mistakes of an invented question, and the names that its failed tests get."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple, cast

from autograder.diagnosis import KnownReplies, explain_passes
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.judge import Evidence, PassResult
from autograder.mistakes import Mistake, MistakeBank, Reader
from autograder.results import CheckResult


class MadeBank(NamedTuple):
    """Known mistakes, and the right solution; it stands for its assignment, too."""

    mistakes: Sequence[Mistake]
    reference: ModuleType

    @property
    def assignment(self) -> MadeBank:
        """Return what imports the reference."""
        return self

    def import_reference(self, _question_id: str) -> ModuleType:
        """Return the right solution."""
        return self.reference

    def load(self, _question_id: str) -> Sequence[Mistake]:
        """Return all of them."""
        return self.mistakes

    def make_reader(self, _question_id: str, _function: str) -> Reader:
        """Return the reader of a function's replies, which are read as they are."""
        return lambda _, reply: reply


def make_mistake(name: str, question_id: str, function: str, wrong: Any) -> Mistake:
    """Make a known mistake of an invented question."""
    return Mistake(name, question_id, function, "A story.", "Look again.", wrong)


def diagnose(
    checks: Sequence[CheckResult], evidence: Sequence[Evidence], tests: Sequence[RunnableTest], bank: MadeBank
) -> tuple[CheckResult, ...]:
    """Return the results of hidden tests with names and hints."""
    by_id = {each.test.test_id: each for each in tests}
    known = KnownReplies(cast("MistakeBank", bank), by_id)
    return explain_passes(PassResult((), (), ()), PassResult(tuple(checks), tuple(evidence), ()), known)
