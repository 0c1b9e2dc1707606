"""Kept data: keeps what was made of the files of the grader and of an assignment, by the hash of these files.

Written by the grader, in two ways: into a package for Gradescope, and, at the first start on a machine, into a folder
of the user's. It is made from files of the staff alone, so nothing of a student's can reach it. Whoever can write it
decides what is right, like whoever can write the hidden tests: it lies where no student code can write, and what is
read holds only data, in no form that is run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from autograder.assignment import DERIVED_CHECKS, Assignment
from autograder.atomic_file import read_private, remember
from autograder.contracts import CheckBody, ContractError
from autograder.grading.attempt import Body
from autograder.grading.hidden_test import HiddenTest, HiddenTestError, RunnableTest
from autograder.results import GraderIdentity
from autograder.sandbox.limits import Need
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.wire import WireError, encode

_ASSIGNMENTS = 32  # copies of one, too, such as those of a test; the others are made again at their next start
_MOST_READ = 32 << 20  # of a file in the user's folder: twice what can be written
_NOTHING = (b"", None, b"")  # of a check, its need, and its programs
Measure = Callable[[RunnableTest, Assignment], "Need | None"]


def find_kept_file(assignment: Assignment, memory: Path, name: str = DERIVED_CHECKS) -> Path:
    """Return the path of an assignment's file in the user's folder; `name`: of the file in a package."""
    root = str(assignment.root.absolute())
    digest = hashlib.sha256(root.encode()).hexdigest()
    kind = Path(name).stem.replace("_", "-")
    return memory / f"{kind}-{digest[:16]}.bin"


class KeptFile:
    """Values by the ids of tests, in a file of the package and in one of the user's folder.

    Nothing where they were made from other files, or by another numpy. `name`: of the file in a package. `memory`: the
    user's folder; None where nothing is kept.
    """

    def __init__(self, assignment: Assignment, identity: GraderIdentity, memory: Path | None, name: str) -> None:
        self._key = f"{identity.content_hash} numpy {identity.numpy}"
        self._file = None if memory is None else find_kept_file(assignment, memory, name)
        packed = assignment.root / name
        self.values = self._read(packed.read_bytes)
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.utime(self._file)  # it is in use
            self._read_own()

    @property
    def is_kept(self) -> bool:
        """Whether there is a folder for it."""
        return self._file is not None

    def save(self, *smaller: Mapping[str, Any]) -> None:
        """Write the file of the user's folder, where there is one, with what others have written there meanwhile."""
        if self._file is not None:
            self._read_own()
            remember(self._file, self.encode(*smaller), keep=_ASSIGNMENTS)

    def encode(self, *smaller: Mapping[str, Any]) -> bytes:
        """Return the bytes of a file with all values; where that is too large, with the smaller ones, or with none."""
        for values in (self.values, *smaller):
            with contextlib.suppress(WireError):
                return encode((self._key, dict(sorted(values.items()))))
        return encode((self._key, {}))

    def _read_own(self) -> None:
        """Read what the user's folder has besides what is known."""
        if self._file is not None:
            own = self._read(partial(read_private, self._file, _MOST_READ))
            for name, value in own.items():
                self.values.setdefault(name, value)

    def _read(self, read: Callable[[], bytes]) -> dict[str, Any]:
        try:
            key, values = decode(read())
        except (OSError, WireError, TypeError, ValueError):
            return {}
        is_of_these_files = key == self._key and isinstance(values, dict)
        return values if is_of_these_files else {}


class KeptChecks:
    """What is kept of tests: the bytes of their checks, and what the right solution needs.

    `measure`: measures the need of a test; None where it cannot be known.
    """

    def __init__(self, assignment: Assignment, identity: GraderIdentity, memory: Path | None, measure: Measure) -> None:
        self._assignment, self._measure = assignment, measure
        self._kept = KeptFile(assignment, identity, memory, DERIVED_CHECKS)

    def give(self, tests: Sequence[RunnableTest]) -> list[RunnableTest]:
        """Return the tests with what is kept; where there is a folder, what is missing is made now.

        HiddenTestError where a contract cannot be kept.
        """
        if self._kept.is_kept:
            missing = [each for each in tests if each.test.test_id not in self._kept.values]
            if missing:
                self.make(missing)
        return [self._give(*test) for test in tests]

    def make(self, tests: Iterable[RunnableTest]) -> None:
        """Make the data of tests."""
        for test in tests:
            need = self._measure(test, self._assignment)
            fields = need and tuple(need)
            data, programs = _pack(test)
            self._kept.values[test.test.test_id] = (data, fields, programs)
        self._kept.save(self._leave_out_programs())

    def encode(self) -> bytes:
        """Return the bytes of a file with all that is kept; where that is too large, programs are made again."""
        return self._kept.encode(self._leave_out_programs())

    def _leave_out_programs(self) -> dict[str, Any]:
        smaller = {}
        for name, (data, need, _) in self._kept.values.items():
            smaller[name] = (data, need, b"")
        return smaller

    def _give(self, test: HiddenTest, call: Body) -> RunnableTest:
        data, need, programs = self._kept.values.get(test.test_id, _NOTHING)
        if isinstance(call, CheckBody):
            call.kept, call.programs = data, programs
        return RunnableTest(replace(test, need=need and Need(*need)), call)


def _pack(test: RunnableTest) -> tuple[bytes, bytes]:
    """Make the bytes of a check and of its programs.

    HiddenTestError where its contract cannot be kept, as by a value that cannot cross.
    """
    if not isinstance(test.call, CheckBody):
        return b"", b""
    try:
        return test.call.pack(), test.call.pack_programs()
    except ContractError as error:
        raise HiddenTestError(f"{test.test.test_id}: {error}") from error
