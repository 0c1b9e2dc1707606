"""Diagnosis: turns failed tests into the known mistakes that give the same answers.

Each known mistake of a function sits the tests that the student's function failed, in a rehearsal; where its replies
are the student's, one by one, it explains them. A mistake that would fail a test which the student's function passes
is none of theirs, and where two mistakes explain as much, neither is named: a wrong hint is worse than none.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Protocol

from autograder.diagnosis.match import Match, Reader, Sitting
from autograder.diagnosis.replay import quiet
from autograder.grading.evidence import Evidence
from autograder.grading.explain import PRINTED, REPRODUCER
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

    @property
    def ends(self) -> bool:
        """Whether the code may be run here; a mistake that runs for ever is known by that alone."""


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
        case = _Case(stem, function, ours, {each.test.test_id: each for each in left})
        try:
            with quiet():
                found = case.diagnoses(open_bank(), references)
        except Exception:  # noqa: BLE001  (grading goes on; a hint that is missing costs nobody a point)
            fault = traceback.format_exc(limit=-6)
            told |= {check.test_id: replace(check, fault=fault) for check in ours if _is_lost(check)}
            continue
        hidden = {each.test.test_id for each in left if each.test.hide_errors is not None}
        told |= {test_id: _explained(told[test_id], mistake, hidden) for test_id, mistake in found.items()}
    return [told[check.test_id] for check in checks]


@dataclass(frozen=True)
class _Explanation:
    """A known mistake, and how it matches the tests that it explains, by test id."""

    mistake: KnownMistake
    matches: Mapping[str, Match]

    @property
    def is_telling(self) -> bool:
        """Whether some reply is one that nobody gives by chance."""
        return any(match.is_telling for match in self.matches.values())

    @property
    def is_exact(self) -> bool:
        """Whether nothing that was seen of the tests differs."""
        return all(match.is_exact for match in self.matches.values())

    @property
    def is_observed(self) -> bool:
        """Whether the tests saw the function do something, and this does it too."""
        return self.is_exact and any(match.is_observed for match in self.matches.values())


@dataclass(frozen=True)
class _Case:
    """One function, the results of its tests, and what those that it failed left, by test id."""

    stem: str
    function: str
    checks: Sequence[CheckResult]
    evidence: Mapping[str, Evidence]

    def diagnoses(self, bank: Bank, references: Mapping[str, ModuleType]) -> Mapping[str, KnownMistake]:
        """For each failed test that one mistake explains, the mistake.

        It explains them all; or it explains most of them, by a telling reply, and the function has another fault too.
        """
        found = list(self._explanations(bank, references))
        complete = [each for each in found if len(each.matches) == self._count and self._is_enough(each)]
        partial = [each for each in found if 2 * len(each.matches) > self._count and each.is_telling]
        most = max((len(each.matches) for each in partial), default=0)
        best = complete or [each for each in partial if len(each.matches) == most]
        sure = best if len(best) == 1 else [each for each in best if each.is_exact]
        return dict.fromkeys(sure[0].matches, sure[0].mistake) if len(sure) == 1 else {}

    def _explanations(self, bank: Bank, references: Mapping[str, ModuleType]) -> Iterator[_Explanation]:
        sittings = {
            test_id: Sitting(evidence, references, lambda: bank.reader(self.stem, self.function))
            for test_id, evidence in self.evidence.items()
        }
        for mistake in bank.load(self.stem):
            if mistake.function == self.function and self._passed.isdisjoint(mistake.caught_by):
                tried = {
                    test_id: sitting.match(self.function, mistake.wrong) if mistake.ends else sitting.match_endless()
                    for test_id, sitting in sittings.items()
                    if _name(test_id) in mistake.caught_by
                }
                yield _Explanation(mistake, {test_id: match for test_id, match in tried.items() if match is not None})

    @property
    def _count(self) -> int:
        return sum(map(_is_lost, self.checks))

    @property
    def _passed(self) -> set[str]:
        return {_name(check.test_id) for check in self.checks if check.verdict is Verdict.PASSED}

    def _is_enough(self, explanation: _Explanation) -> bool:
        """Whether it is sure that the function does something, and this: an error or a None alone says little."""
        return bool(self._passed) or explanation.is_observed or explanation.is_telling


def _is_lost(check: CheckResult) -> bool:
    return check.verdict in _LOST


def _name(test_id: str) -> str:
    return test_id.rpartition("::")[2]


def _explained(check: CheckResult, mistake: KnownMistake, hidden: set[str]) -> CheckResult:
    # What may be long comes last: the lines to run, and what the student's code printed.
    marks = [check.output.find(f"\n{mark}\n") for mark in (REPRODUCER, PRINTED)]
    end = min((place for place in marks if place >= 0), default=len(check.output))
    hint = f"\n  hint:     A known mistake gives the same results. {mistake.hint}"
    output = check.output if check.test_id in hidden else check.output[:end] + hint + check.output[end:]
    return replace(check, diagnosis=mistake.id, output=output)
