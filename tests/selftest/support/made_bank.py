"""Made bank: known mistakes of an invented question, and the names that its failed tests get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple, cast

from autograder.assignment import Severity
from autograder.diagnosis import CaughtBank, Known, explain_passes
from autograder.grading.judge import Evidence, PassResult
from autograder.mistakes import Mistake
from autograder.mistakes.bank import Reader
from autograder.results import CheckResult
from autograder.student import TestCall


class MadeBank(NamedTuple):
    """Known mistakes, which say themselves which tests fail with them; `readers`: by function."""

    mistakes: Sequence[Mistake]
    readers: Mapping[str, Reader] = MappingProxyType({})

    def load(self, _stem: str) -> Sequence[Mistake]:
        """Return all of them."""
        return self.mistakes

    def load_caught(self, _stem: str, function: str) -> Sequence[Mistake]:
        """Return those of a function."""
        return [each for each in self.mistakes if each.function == function]

    def make_reader(self, _stem: str, function: str) -> Reader:
        """Return the reader of a function's replies; by default they are read as they are."""
        return self.readers.get(function, lambda _, reply: reply)


def make_mistake(name: str, stem: str, function: str, wrong: Any, *caught_by: str, **changes: Any) -> Mistake:
    """Make a known mistake of an invented question."""
    fields = {"severity": Severity.SLIP, "caught_by": caught_by, **changes}
    return Mistake(name, stem, function, "A story.", "Look again.", wrong, **fields)


def diagnose(
    checks: Sequence[CheckResult],
    evidence: Sequence[Evidence],
    reference: tuple[str, ModuleType],
    calls: Mapping[str, TestCall],
    bank: MadeBank,
) -> tuple[CheckResult, ...]:
    """Return the results of hidden tests with names and hints; `reference`: with the question's id."""
    known = Known(dict([reference]), cast("CaughtBank", bank), calls)
    return explain_passes(PassResult((), (), ()), PassResult(tuple(checks), tuple(evidence), ()), known)
