"""Kept checks: gives hidden tests what is kept of their derived checks, and what the right solution needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.assignment import DERIVED_CHECKS, Assignment
from autograder.contracts import CheckBody, ContractError
from autograder.grading.hidden_test import HiddenTest, HiddenTestError, RunnableTest
from autograder.grading.kept_data import KeptData
from autograder.grading.material import Material
from autograder.grading.script import write_script
from autograder.results import GraderIdentity
from autograder.sandbox.limits import Need
from autograder.student import TestCall
from autograder.submission import QuestionFiles

_MOST_BYTES = 12 << 20  # of checks and scripts; beyond it scripts are left out, so that the file is not too large
Measure = Callable[[RunnableTest, Assignment], "Need | None"]


class KeptChecks:
    """What is kept by the ids of tests: the bytes of their checks and scripts, and what the right solution needs.

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
        made: dict[str, tuple[bytes, Any, bytes]] = {}
        checks = {test.test.test_id: (test, _pack(test)) for test in tests}
        left = _MOST_BYTES - len(self._kept.encode()) - sum(len(data) for _, data in checks.values())
        for test_id, (test, data) in checks.items():
            need, script = self._measure(test, self._assignment), self._write_script(test)
            left -= len(script)
            made[test_id] = (data, need and tuple(need), script if left > 0 else b"")
        self._kept.add(made)

    def encode(self) -> bytes:
        """Return the bytes of a file with all that is kept."""
        return self._kept.encode()

    def _give(self, test: HiddenTest, call: TestCall) -> RunnableTest:
        data, need, script = self._kept.find(test.test_id) or (b"", None, b"")
        if isinstance(call, CheckBody):
            call.kept, call.script = data, script
        return RunnableTest(replace(test, need=need and Need(*need)), call)

    def _write_script(self, test: RunnableTest) -> bytes:
        """Write the script of a derived check, for submissions that have all functions under their present names."""
        if not isinstance(test.call, CheckBody):
            return b""
        stem = test.test.stem
        question, reference = self._assignment.get_question(stem), self._assignment.import_reference(stem)
        return write_script(test, Material(question, QuestionFiles(stem, None), {}, {}, (), reference))


def _pack(test: RunnableTest) -> bytes:
    """Make the bytes of a check; HiddenTestError where its contract cannot be kept, as by a value that cannot cross."""
    try:
        return test.call.pack() if isinstance(test.call, CheckBody) else b""
    except ContractError as error:
        raise HiddenTestError(f"{test.test.test_id}: {error}") from error
