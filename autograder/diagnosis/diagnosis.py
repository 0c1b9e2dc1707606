"""Diagnosis: turns failed tests into the known mistakes whose return values are the same.

Each known mistake of a function is replayed in the tests that the student's function failed; if all its replies equal
the student's, it explains them. A mistake that fails a test which the student's function passes is ruled out. If two
mistakes explain equally much, neither is named: a wrong hint is worse than none.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Protocol

from autograder.assignment import Severity
from autograder.diagnosis.match import Match, Reader, ReplayedTest
from autograder.diagnosis.replay import preserve_global_state
from autograder.grading.evidence import Evidence
from autograder.grading.explain import add_line
from autograder.results import CheckResult, Verdict

_LOST = (Verdict.FAILED, Verdict.PARTIAL)


class KnownMistake(Protocol):
    """A wrong answer of the bank."""

    @property
    def id(self) -> str:
        """The mistake's name in results."""

    @property
    def function(self) -> str:
        """The name of the function that it replaces."""

    @property
    def graded_function(self) -> str:
        """The name of the function whose tests fail with it."""

    @property
    def story(self) -> str:
        """A description of the code, for staff."""

    @property
    def hint(self) -> str:
        """A sentence for the student."""

    @property
    def caught_by(self) -> tuple[str, ...]:
        """The names of the tests that fail with it."""

    @property
    def wrong(self) -> Any:
        """The code, a function or a method."""

    @property
    def severity(self) -> Severity:
        """How much of the function it makes wrong."""

    @property
    def keeps(self) -> float | None:
        """The share of their points that the tests which fail with it keep; None for that of its severity."""

    @property
    def ends(self) -> bool:
        """Whether the code ends in every test; endless code is never run here and matches calls that timed out."""


class Bank(Protocol):
    """The known mistakes of all questions."""

    def load(self, stem: str) -> Sequence[KnownMistake]:
        """Load the mistakes of a question."""

    def make_reader(self, stem: str, function: str) -> Reader:
        """Make the reader of a function's replies in one test; it gets them in order."""


def add_diagnoses(
    checks: Sequence[CheckResult],
    evidence: Sequence[Evidence],
    references: Mapping[str, ModuleType],
    open_bank: Callable[[], Bank],
) -> list[CheckResult]:
    """Add the name and the hint of a known mistake to each result that it explains.

    A fault of ours here changes no verdict; it is kept, for staff, in the results that lack a diagnosis because of it.
    """
    told = {check.test_id: check for check in checks}
    groups = {
        (each.test.stem, function, each.test.is_robustness): None
        for each in evidence
        for function in each.test.functions
    }
    for stem, function, is_robustness in groups:
        of_function = [check for check in checks if check.stem == stem and function in check.functions]
        ours = [check for check in of_function if check.is_robustness == is_robustness]
        left = [each for each in evidence if each.test.stem == stem and function in each.test.functions]
        left = [each for each in left if each.test.is_robustness == is_robustness]
        passed = {_get_name(each.test_id) for each in (of_function if is_robustness else ours) if _is_passed(each)}
        failed = _FailedFunction(stem, function, ours, {each.test.test_id: each for each in left}, passed)
        try:
            with preserve_global_state():
                found = failed.find_mistakes(open_bank(), references)
        except Exception:  # noqa: BLE001  (grading goes on; a missing hint costs no points)
            fault = traceback.format_exc(limit=-6)
            told |= {check.test_id: replace(check, fault=fault) for check in ours if _is_lost(check)}
            continue
        hidden = {each.test.test_id for each in left if each.test.hide_errors is not None}
        told |= {test_id: _add_hint(told[test_id], mistake, hidden) for test_id, mistake in found.items()}
    return [told[check.test_id] for check in checks]


@dataclass(frozen=True)
class _Explanation:
    """A known mistake and its matches, by the id of the test that it explains."""

    mistake: KnownMistake
    matches: Mapping[str, Match]

    @property
    def is_telling(self) -> bool:
        """Whether some reply is unlikely by chance."""
        return any(match.is_telling for match in self.matches.values())

    @property
    def is_right_in_part(self) -> bool:
        """Whether some call in a failed test returned the right value."""
        return any(match.is_right_in_part for match in self.matches.values())

    @property
    def is_exact(self) -> bool:
        """Whether all observations of the tests agree."""
        return all(match.is_exact for match in self.matches.values())

    @property
    def is_observed(self) -> bool:
        """Whether the tests observed effects of the function, and the mistake has the same."""
        return self.is_exact and any(match.is_observed for match in self.matches.values())


@dataclass(frozen=True)
class _FailedFunction:
    """A function, the results of its tests, and the evidence of the failed ones by test id.

    Tests of robustness are explained by themselves: what they show is no evidence for other tests. `passed`: the names
    of tests that passed, which rule a mistake out if it fails them.
    """

    stem: str
    function: str
    checks: Sequence[CheckResult]
    evidence: Mapping[str, Evidence]
    passed: AbstractSet[str]

    def find_mistakes(self, bank: Bank, references: Mapping[str, ModuleType]) -> Mapping[str, KnownMistake]:
        """Find the mistake that explains the failed tests; returns it by the id of each test explained.

        A mistake is named if it explains all of them, or if it explains most of them with a telling reply: then the
        function has another fault too.
        """
        found = list(self._replay_mistakes(bank, references))
        complete = [each for each in found if len(each.matches) == self._count and self._is_enough(each)]
        partial = [each for each in found if 2 * len(each.matches) > self._count and each.is_telling]
        most = max((len(each.matches) for each in partial), default=0)
        best = complete or [each for each in partial if len(each.matches) == most]
        sure = best if len(best) == 1 else [each for each in best if each.is_exact]
        return dict.fromkeys(sure[0].matches, sure[0].mistake) if len(sure) == 1 else {}

    def _replay_mistakes(self, bank: Bank, references: Mapping[str, ModuleType]) -> Iterator[_Explanation]:
        tests = {
            test_id: ReplayedTest(evidence, references, lambda: bank.make_reader(self.stem, self.function))
            for test_id, evidence in self.evidence.items()
        }
        for mistake in bank.load(self.stem):
            if mistake.graded_function == self.function and self.passed.isdisjoint(mistake.caught_by):
                tried = {
                    test_id: test.match(mistake.function, mistake.wrong) if mistake.ends else test.match_endless()
                    for test_id, test in tests.items()
                    if _get_name(test_id) in mistake.caught_by
                }
                yield _Explanation(mistake, {test_id: match for test_id, match in tried.items() if match is not None})

    @property
    def _count(self) -> int:
        return sum(check.was_run for check in self.checks if _is_lost(check))

    def _is_enough(self, explanation: _Explanation) -> bool:
        """Whether the evidence is more than errors and Nones, which functions that do nothing give too."""
        is_written = bool(self.passed) or explanation.is_right_in_part
        return is_written or explanation.is_observed or explanation.is_telling


def _is_passed(check: CheckResult) -> bool:
    return check.verdict is Verdict.PASSED


def _is_lost(check: CheckResult) -> bool:
    return check.verdict in _LOST


def _get_name(test_id: str) -> str:
    return test_id.rpartition("::")[2]


def _add_hint(check: CheckResult, mistake: KnownMistake, hidden: set[str]) -> CheckResult:
    hint = f"  hint:     A known mistake gives the same results. {mistake.hint}"
    output = check.output if check.test_id in hidden else add_line(check.output, hint)
    return replace(check, diagnosis=(*check.diagnosis, mistake.id), output=output)
