"""Kept checks: keeps the data of derived checks, and what the right solution needs of each check.

Both are kept by the hash of all files that they are made from.

Written by the grader, in two ways: into a package for Gradescope, and, at the first start on a machine, into a folder
of the user's. It is written before any submission is graded, from files of the staff alone, so nothing of a student's
can reach it. Whoever can write it decides what is right, like whoever can write the hidden tests: it lies where no
student code can write, and what is read holds only data, in no form that is run.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.assignment import Assignment
from autograder.atomic_file import write_atomically
from autograder.contracts import CheckBody, ContractError
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest, HiddenTestError, RunnableTest
from autograder.results import GraderIdentity
from autograder.sandbox.limits import Need
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.wire import WireError
from autograder.student import TestCall

Measure = Callable[[RunnableTest, Assignment], "Need | None"]


def collect_with_data(
    assignment: Assignment, identity: GraderIdentity, memory: Path | None, *, stems: Sequence[str], measure: Measure
) -> Sequence[RunnableTest]:
    """Collect the hidden tests of questions, with the data of their checks as far as it is kept; see `KeptChecks`."""
    return KeptChecks(assignment, identity, memory, measure).give(collect_hidden_tests(assignment, stems=stems))


class KeptChecks:
    """What is kept by the ids of tests: the bytes of their checks, and what the right solution needs.

    Nothing where it was made from other files, or by another numpy. `memory`: the user's folder; None where nothing is
    kept. `measure`: measures the need of a test; None where it cannot be known.
    """

    def __init__(self, assignment: Assignment, identity: GraderIdentity, memory: Path | None, measure: Measure) -> None:
        self._key = f"{identity.content_hash} numpy {identity.numpy}"
        root = hashlib.sha256(str(assignment.root.absolute()).encode()).hexdigest()[:16]
        self._file = None if memory is None else memory / f"derived-checks-{root}.bin"
        self._assignment, self._measure = assignment, measure
        self._kept = self._read(assignment.derived_checks) or self._read(self._file)

    def give(self, tests: Sequence[RunnableTest]) -> list[RunnableTest]:
        """Return the tests with what is kept; where there is a folder, what is missing is made now.

        HiddenTestError where a contract cannot be kept.
        """
        missing = [test for test in tests if test.test.test_id not in self._kept]
        if self._file is not None and missing:
            self.make(missing)
            with contextlib.suppress(OSError):  # without memory they are made again
                write_atomically(self._file, [self.encode()])
        return [self._give(*test) for test in tests]

    def make(self, tests: Iterable[RunnableTest]) -> None:
        """Make the data of tests."""
        for test in tests:
            need = self._measure(test, self._assignment)
            self._kept[test.test.test_id] = (_pack(test), need and (need.callbacks, need.call_s))

    def encode(self) -> bytes:
        """Return the bytes of a file with all that is kept."""
        return encode((self._key, dict(sorted(self._kept.items()))))

    def _give(self, test: HiddenTest, call: TestCall) -> RunnableTest:
        data, need = self._kept.get(test.test_id, (b"", None))
        if isinstance(call, CheckBody):
            call.kept = data
        return RunnableTest(replace(test, need=need and Need(*need)), call)

    def _read(self, file: Path | None) -> dict[str, tuple[bytes, tuple[int, int] | None]]:
        try:
            key, kept = decode(file.read_bytes(), allow_handles=False, allow_exports=False) if file else ("", {})
        except (OSError, WireError, TypeError, ValueError):
            return {}
        return dict(kept) if key == self._key and isinstance(kept, dict) else {}


def _pack(test: RunnableTest) -> bytes:
    """Make the bytes of a check; HiddenTestError where its contract cannot be kept, as by a value that cannot cross."""
    try:
        return test.call.pack() if isinstance(test.call, CheckBody) else b""
    except ContractError as error:
        raise HiddenTestError(f"{test.test.test_id}: {error}") from error
