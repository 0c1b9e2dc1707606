"""Waiting: limits how long a pass waits for functions that do not end, and knows which ones these are.

The grader measures and concludes all of this itself. Each pass over a submission has its own records, so nothing that a
hidden test waits for can reach a visible one. A right function loses nothing: less time than `CPU_AFTER_TIMEOUT_S` is
final only for a function that has not ended in a test of its own before, or that does not compute.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from autograder.grading.hidden_test import HiddenTest
from autograder.results import CheckResult
from autograder.sandbox import limits as limit


@dataclass
class Waiting:
    """The seconds that workers of one pass took until their time was up.

    `in_vain_s`: of these, those with a full limit after the time for waiting was spent.
    """

    in_vain_s: float = 0.0
    _seconds: dict[str, float] = field(default_factory=dict)  # by the id of the question

    def add(self, stem: str, seconds: float) -> None:
        """Add the seconds of a worker of this question whose time was up."""
        self._seconds[stem] = self._seconds.get(stem, 0.0) + seconds

    @property
    def total_s(self) -> float:
        """The seconds of all questions."""
        return sum(self._seconds.values())

    def is_spent(self, stem: str) -> bool:
        """Whether the question, or the submission, has used up the time for waiting."""
        return self._seconds.get(stem, 0.0) >= limit.WAIT_QUESTION_S or self.total_s >= limit.WAIT_SUBMISSION_S


@dataclass
class TimeOuts:
    """The functions of a submission that did not end in a test; the hidden pass counts those of the visible one too."""

    _counted: list[HiddenTest | CheckResult] = field(default_factory=list)
    _suspected: set[tuple[str, str]] = field(default_factory=set)

    def count(self, test: HiddenTest | CheckResult) -> None:
        """Count a test whose functions did not end, not even beside the grader's versions of what they rely on."""
        if not test.is_advice:
            self._counted.append(test)

    def has_counted(self, check: CheckResult) -> bool:
        """Whether a test is one of those counted."""
        return any(each.test_id == check.test_id for each in self._counted)

    def suspect(self, stem: str, functions: Iterable[str]) -> None:
        """Record functions without which a test ended that did not end with them."""
        self._suspected.update((stem, name) for name in functions)

    def count_for(self, stem: str, functions: Collection[str]) -> int:
        """Return the number of tests of these functions, or of some of them, that did not end."""
        return sum(each.stem == stem and {*each.functions} <= {*functions} for each in self._counted)

    def has_too_many(self, test: HiddenTest) -> bool:
        """Whether the functions of a test did not end so often that it is not run."""
        return self.count_for(test.stem, test.functions) >= limit.TIME_OUTS

    def may_not_end(self, stem: str, functions: Collection[str]) -> bool:
        """Whether one of these functions did not end in a test, or is suspected."""
        names = {name for each in self._counted if each.stem == stem for name in each.functions}
        names |= {name for where, name in self._suspected if where == stem}
        return not names.isdisjoint(functions)
