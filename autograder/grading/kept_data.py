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
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.assignment import Assignment
from autograder.atomic_file import remember
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.wire import WireError

_ASSIGNMENTS = 32  # copies of one, too, such as those of a test; the others are made again at their next start


def find_kept_file(assignment: Assignment, packed: str, memory: Path) -> Path:
    """Return the path of an assignment's file in the user's folder; see `KeptData`."""
    root = hashlib.sha256(str(assignment.root.absolute()).encode()).hexdigest()[:16]
    return memory / f"{Path(packed).stem.replace('_', '-')}-{root}.bin"


class KeptData:
    """Plain values by name; none where they were made from other files.

    `key`: says which files. `packed`: the path of the file in a package. `memory`: the user's folder; None where
    nothing is kept.
    """

    def __init__(self, assignment: Assignment, key: str, packed: str, memory: Path | None) -> None:
        self._key = key
        self._file = None if memory is None else find_kept_file(assignment, packed, memory)
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.utime(self._file)  # it is in use
        self._values = {**self._read(self._file), **self._read(assignment.root / packed)}

    @property
    def has_folder(self) -> bool:
        """Whether what is added is there at the next start."""
        return self._file is not None

    def find(self, name: str) -> Any:
        """Find a value; None if there is none."""
        return self._values.get(name)

    def add(self, found: Mapping[str, Any]) -> None:
        """Keep values."""
        self._values |= found
        if self._file is not None:
            kind = self._file.stem.rpartition("-")[0]
            remember(self._file, self.encode(), f"{kind}-*.bin", keep=_ASSIGNMENTS)

    def encode(self) -> bytes:
        """Return the bytes of a file with all that is kept; with nothing where that is too large: it is made again."""
        try:
            return encode((self._key, dict(sorted(self._values.items()))))
        except WireError:
            return encode((self._key, {}))

    def _read(self, file: Path | None) -> dict[str, Any]:
        try:
            key, values = decode(file.read_bytes(), allow_handles=False, allow_exports=False) if file else ("", {})
        except (OSError, WireError, TypeError, ValueError):
            return {}
        return dict(values) if key == self._key and isinstance(values, dict) else {}
