"""Diagnosis: turns failed tests into the known mistakes that give the same answers.

Each known mistake of a function sits the tests that the student's function failed, in a rehearsal; where its replies
are the student's, one by one, it explains them. A mistake that would fail a test which the student's function passes
is none of theirs, and where two mistakes explain the same, neither is named: a wrong hint is worse than none.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from autograder.evidence import Evidence
from autograder.likeness import are_alike
from autograder.rehearsal import Rehearsal, quiet
from autograder.results import CheckResult, Verdict

_LOST = (Verdict.FAILED, Verdict.PARTIAL)


class KnownMistake(Protocol):
    """One wrong answer of the bank."""

    @property
    def id(self) -> str:
        """Its name in results."""

    @property
    def function(self) -> str:
        """What it replaces."""

    @property
    def hint(self) -> str:
        """A sentence for the student."""

    @property
    def caught_by(self) -> tuple[str, ...]:
        """The names of the tests that it fails."""

    @property
    def wrong(self) -> Any:
        """Its code, a function or a method."""


Bank = Callable[[str], Sequence[KnownMistake]]  # the known mistakes of a question


def with_diagnoses(
    checks: Sequence[CheckResult], evidence: Sequence[Evidence], references: Mapping[str, ModuleType], bank: Bank
) -> list[CheckResult]:
    """The results, those that a known mistake explains with its name and its hint.

    A fault of ours on the way changes no verdict; it is kept in the results that were to be explained, for staff.
    """
    told = {check.test_id: check for check in checks}
    functions = {(each.test.stem, function): None for each in evidence for function in each.test.functions}
    for stem, function in functions:
        ours = [check for check in told.values() if check.stem == stem and function in check.functions]
        left = [each for each in evidence if each.test.stem == stem and function in each.test.functions]
        case = _Case(stem, function, ours, left, references)
        try:
            with quiet():
                mistake = case.diagnosis(bank(stem))
        except Exception:  # noqa: BLE001  (grading goes on; a hint that is missing costs nobody a point)
            fault = traceback.format_exc(limit=-6)
            told |= {check.test_id: check.model_copy(update={"fault": fault}) for check in ours if _is_lost(check)}
            continue
        if mistake is not None:
            hidden = {each.test.test_id for each in left if each.test.hide_errors is not None}
            told |= {check.test_id: _explained(check, mistake, hidden) for check in ours if _is_lost(check)}
    return [told[check.test_id] for check in checks]


class _Differs(BaseException):
    """A reply is not the student's."""


@dataclass(frozen=True)
class _Case:
    """One function, the results of its tests, and what those that it failed left."""

    stem: str
    function: str
    checks: Sequence[CheckResult]
    evidence: Sequence[Evidence]
    references: Mapping[str, ModuleType]

    def diagnosis(self, bank: Sequence[KnownMistake]) -> KnownMistake | None:
        """The one mistake that explains every test that the function failed."""
        known = [each for each in bank if each.function == self.function and self._is_caught_alike(each)]
        explaining = [mistake for mistake in known if all(self._explains(mistake, each) for each in self.evidence)]
        return explaining[0] if len(explaining) == 1 else None

    def _is_caught_alike(self, mistake: KnownMistake) -> bool:
        """Whether the mistake fails all that the student's function failed, and nothing that it passed."""
        failed = {_name(check) for check in self.checks if _is_lost(check)}
        passed = {_name(check) for check in self.checks if check.verdict is Verdict.PASSED}
        return failed <= set(mistake.caught_by) and passed.isdisjoint(mistake.caught_by)

    def _explains(self, mistake: KnownMistake, evidence: Evidence) -> bool:
        """Whether the mistake gives the student's replies in this test."""
        if evidence.replies is None:
            return False
        waiting = list(reversed(evidence.replies))

        def hear(reply: object) -> None:
            if not waiting or not are_alike(waiting.pop(), reply):
                raise _Differs

        rehearsal = Rehearsal(self.references, hear).replace(self.stem, mistake.function, mistake.wrong)
        try:
            is_passed = rehearsal.passes(evidence.call)
        except _Differs:
            return False
        return not is_passed and not waiting


def _is_lost(check: CheckResult) -> bool:
    return check.verdict in _LOST


def _name(check: CheckResult) -> str:
    return check.test_id.rpartition("::")[2]


def _explained(check: CheckResult, mistake: KnownMistake, hidden: set[str]) -> CheckResult:
    # What the student's code printed, which comes last, may be long.
    told, printed, text = check.output.partition("\nPrinted by your code:\n")
    hint = f"\n  hint:     A known mistake gives the same results. {mistake.hint}"
    output = check.output if check.test_id in hidden else told + hint + printed + text
    return check.model_copy(update={"diagnosis": mistake.id, "output": output})
