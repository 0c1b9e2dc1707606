"""Kept checks: gives hidden tests the data of their derived checks, and what the right solution needs, as kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.assignment import DERIVED_CHECKS, Assignment
from autograder.contracts import CheckBody, ContractError
from autograder.grading.hidden_test import HiddenTest, HiddenTestError, RunnableTest
from autograder.grading.kept_data import KeptData
from autograder.results import GraderIdentity
from autograder.sandbox.limits import Need
from autograder.student import TestCall

Measure = Callable[[RunnableTest, Assignment], "Need | None"]


class KeptChecks:
    """What is kept by the ids of tests: the bytes of their checks, and what the right solution needs.

    Nothing where it was made from other files, or by another numpy. `memory`: the user's folder; None where nothing is
    kept. `measure`: measures the need of a test; None where it cannot be known.
    """

    def __init__(self, assignment: Assignment, identity: GraderIdentity, memory: Path | None, measure: Measure) -> None:
        key = f"{identity.content_hash} numpy {identity.numpy}"
        self._kept = KeptData(assignment, key, DERIVED_CHECKS, memory)
        self._assignment, self._measure = assignment, measure

    def give(self, tests: Sequence[RunnableTest]) -> list[RunnableTest]:
        """Return the tests with what is kept; where there is a folder, what is missing is made now.

        HiddenTestError where a contract cannot be kept.
        """
        missing = [test for test in tests if self._kept.find(test.test.test_id) is None]
        if self._kept.has_folder and missing:
            self.make(missing)
        return [self._give(*test) for test in tests]

    def make(self, tests: Iterable[RunnableTest]) -> None:
        """Make the data of tests."""
        made = {}
        for test in tests:
            need = self._measure(test, self._assignment)
            made[test.test.test_id] = (_pack(test), need and tuple(need))
        self._kept.add(made)

    def encode(self) -> bytes:
        """Return the bytes of a file with all that is kept."""
        return self._kept.encode()

    def _give(self, test: HiddenTest, call: TestCall) -> RunnableTest:
        data, need = self._kept.find(test.test_id) or (b"", None)
        if isinstance(call, CheckBody):
            call.kept = data
        return RunnableTest(replace(test, need=need and Need(*need)), call)


def _pack(test: RunnableTest) -> bytes:
    """Make the bytes of a check; HiddenTestError where its contract cannot be kept, as by a value that cannot cross."""
    try:
        return test.call.pack() if isinstance(test.call, CheckBody) else b""
    except ContractError as error:
        raise HiddenTestError(f"{test.test.test_id}: {error}") from error
