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
from autograder.explain import PRINTED, REPRODUCER
from autograder.rehearsal import quiet
from autograder.results import CheckResult, Verdict
from autograder.sitting import Match, Reader, Sitting

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
    def story(self) -> str:
        """What its code does, for staff."""

    @property
    def hint(self) -> str:
        """A sentence for the student."""

    @property
    def caught_by(self) -> tuple[str, ...]:
        """The names of the tests that it fails."""

    @property
    def wrong(self) -> Any:
        """Its code, a function or a method."""


class Bank(Protocol):
    """The known mistakes of all questions."""

    def load(self, stem: str) -> Sequence[KnownMistake]:
        """The mistakes of a question."""

    def reader(self, stem: str, function: str) -> Reader:
        """What reads the replies of a function in one test, in the order in which they come."""


def with_diagnoses(
    checks: Sequence[CheckResult],
    evidence: Sequence[Evidence],
    references: Mapping[str, ModuleType],
    open_bank: Callable[[], Bank],
) -> list[CheckResult]:
    """The results, those that a known mistake explains with its name and its hint.

    A fault of ours on the way changes no verdict; it is kept in the results that were to be explained, for staff.
    """
    told = {check.test_id: check for check in checks}
    functions = {(each.test.stem, function): None for each in evidence for function in each.test.functions}
    for stem, function in functions:
        ours = [check for check in checks if check.stem == stem and function in check.functions]
        left = [each for each in evidence if each.test.stem == stem and function in each.test.functions]
        try:
            with quiet():
                mistake = _Case(stem, function, ours, left).diagnosis(open_bank(), references)
        except Exception:  # noqa: BLE001  (grading goes on; a hint that is missing costs nobody a point)
            fault = traceback.format_exc(limit=-6)
            told |= {check.test_id: check.model_copy(update={"fault": fault}) for check in ours if _is_lost(check)}
            continue
        if mistake is not None:
            hidden = {each.test.test_id for each in left if each.test.hide_errors is not None}
            told |= {check.test_id: _explained(check, mistake, hidden) for check in ours if _is_lost(check)}
    return [told[check.test_id] for check in checks]


@dataclass(frozen=True)
class _Case:
    """One function, the results of its tests, and what those that it failed left."""

    stem: str
    function: str
    checks: Sequence[CheckResult]
    evidence: Sequence[Evidence]

    def diagnosis(self, bank: Bank, references: Mapping[str, ModuleType]) -> KnownMistake | None:
        """The one mistake that explains every test that the function failed."""
        sittings = [Sitting(each, references, lambda: bank.reader(self.stem, self.function)) for each in self.evidence]
        found: dict[str, list[Match]] = {}
        known = {each.id: each for each in bank.load(self.stem) if self._may_be(each)}
        for mistake in known.values():
            matches = []
            for sitting in sittings:
                match = sitting.match(mistake.function, mistake.wrong)
                if match is None:
                    break
                matches.append(match)
            else:
                if self._is_enough(matches):
                    found[mistake.id] = matches
        exact = [name for name, matches in found.items() if all(match.is_exact for match in matches)]
        names = list(found) if len(found) == 1 else exact
        return known[names[0]] if len(names) == 1 else None

    def _may_be(self, mistake: KnownMistake) -> bool:
        """Whether the mistake fails all that the student's function failed, and nothing that it passed."""
        failed = {_name(check) for check in self.checks if _is_lost(check)}
        caught = set(mistake.caught_by)
        return mistake.function == self.function and failed <= caught and self._passed.isdisjoint(caught)

    @property
    def _passed(self) -> set[str]:
        return {_name(check) for check in self.checks if check.verdict is Verdict.PASSED}

    def _is_enough(self, matches: Sequence[Match]) -> bool:
        """Whether it is sure that the function does something, and this: an error or a None alone says little."""
        is_seen = all(match.is_exact for match in matches) and any(match.is_observed for match in matches)
        return bool(self._passed) or is_seen or any(match.is_telling for match in matches)


def _is_lost(check: CheckResult) -> bool:
    return check.verdict in _LOST


def _name(check: CheckResult) -> str:
    return check.test_id.rpartition("::")[2]


def _explained(check: CheckResult, mistake: KnownMistake, hidden: set[str]) -> CheckResult:
    # What may be long comes last: the lines to run, and what the student's code printed.
    marks = [check.output.find(f"\n{mark}\n") for mark in (REPRODUCER, PRINTED)]
    end = min((place for place in marks if place >= 0), default=len(check.output))
    hint = f"\n  hint:     A known mistake gives the same results. {mistake.hint}"
    output = check.output if check.test_id in hidden else check.output[:end] + hint + check.output[end:]
    return check.model_copy(update={"diagnosis": mistake.id, "output": output})
