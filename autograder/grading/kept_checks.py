"""Kept checks: keeps the data of derived checks, by the hash of all files that they are made from.

Written by the grader, in two ways: into a package for Gradescope, and, at the first start on a machine, into a folder
of the user's. It is written before any submission is graded, from files of the staff alone, so nothing of a student's
can reach it. Whoever can write it decides what is right, like whoever can write the hidden tests: it lies where no
student code can write, and what is read holds only data, in no form that is run.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from pathlib import Path

from autograder.assignment import Assignment
from autograder.atomic_file import write_atomically
from autograder.contracts import CheckBody, ContractError
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTestError, RunnableTest
from autograder.results import GraderIdentity
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.wire import WireError


def collect_with_data(
    assignment: Assignment, identity: GraderIdentity, memory: Path | None, *, stems: Sequence[str]
) -> Sequence[RunnableTest]:
    """Collect the hidden tests of questions, with the data of their checks as far as it is kept; see `KeptChecks`."""
    tests = collect_hidden_tests(assignment, stems=stems)
    KeptChecks(assignment, identity, memory).give(tests)
    return tests


class KeptChecks:
    """The bytes of checks by the ids of their tests; none where they were made from other files, or by another numpy.

    `memory`: the user's folder; None where nothing is kept.
    """

    def __init__(self, assignment: Assignment, identity: GraderIdentity, memory: Path | None) -> None:
        self._key = f"{identity.content_hash} numpy {identity.numpy}"
        root = hashlib.sha256(str(assignment.root.absolute()).encode()).hexdigest()[:16]
        self._file = None if memory is None else memory / f"derived-checks-{root}.bin"
        self._checks = self._read(assignment.derived_checks) or self._read(self._file)

    def give(self, tests: Sequence[RunnableTest]) -> None:
        """Give each test its data; where there is a folder, what is missing is made now, and kept.

        HiddenTestError where a contract cannot be kept.
        """
        bodies = {test.test.test_id: test.call for test in tests if isinstance(test.call, CheckBody)}
        missing = (
            {} if self._file is None else {name: body for name, body in bodies.items() if name not in self._checks}
        )
        if self._file is not None and missing:
            self._checks |= {name: _pack(name, body) for name, body in missing.items()}
            with contextlib.suppress(OSError):  # without memory they are made again
                write_atomically(self._file, [self.encode()])
        for name, body in bodies.items():
            body.kept = self._checks.get(name, b"")

    def make_all(self, tests: Sequence[RunnableTest]) -> None:
        """Make the data of all tests."""
        bodies = {test.test.test_id: test.call for test in tests if isinstance(test.call, CheckBody)}
        self._checks = {name: _pack(name, body) for name, body in bodies.items()}

    def encode(self) -> bytes:
        """Return the bytes of a file with all that is kept."""
        return encode((self._key, dict(sorted(self._checks.items()))))

    def _read(self, file: Path | None) -> dict[str, bytes]:
        try:
            key, checks = decode(file.read_bytes(), allow_handles=False, allow_exports=False) if file else ("", {})
        except (OSError, WireError, TypeError, ValueError):
            return {}
        return dict(checks) if key == self._key and isinstance(checks, dict) else {}


def _pack(name: str, body: CheckBody) -> bytes:
    """Make the bytes of a check; HiddenTestError where its contract cannot be kept, as by a value that cannot cross."""
    try:
        return body.pack()
    except ContractError as error:
        raise HiddenTestError(f"{name}: {error}") from error
