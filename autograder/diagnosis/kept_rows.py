"""Kept rows: keeps which tests fail with known mistakes, by the hash of all files that decide it.

A package for Gradescope has such a file, and so has a folder of the user's for each assignment: a mistake is run once,
and not for each submission.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.assignment import Assignment
from autograder.atomic_file import write_atomically


class KeptRows:
    """The names of the tests by question and mistake; none where they were found with other files.

    `content_hash`: of the files of grader and assignment. `memory`: the user's folder; None where nothing is kept.
    """

    def __init__(self, assignment: Assignment, content_hash: str, memory: Path | None) -> None:
        self._content_hash = content_hash
        root = hashlib.sha256(str(assignment.root.absolute()).encode()).hexdigest()[:16]
        self._file = None if memory is None else memory / f"caught-rows-{root}.json"
        self._rows = {**self._read(self._file), **self._read(assignment.caught_rows)}

    def find(self, stem: str, mistake: str) -> tuple[str, ...] | None:
        """Find the tests that fail with a mistake; None if they are not known."""
        rows = self._rows.get(f"{stem}.{mistake}")
        return None if rows is None else tuple(rows)

    def add(self, stem: str, found: Mapping[str, Sequence[str]]) -> None:
        """Keep the tests of mistakes, by their ids."""
        self._rows |= {f"{stem}.{mistake}": list(rows) for mistake, rows in found.items()}
        if self._file is not None:
            with contextlib.suppress(OSError):  # without memory they are found again
                write_atomically(self._file, [self.encode()])

    def encode(self) -> bytes:
        """Return the bytes of a file with all that is kept."""
        content = {"content_hash": self._content_hash, "rows": dict(sorted(self._rows.items()))}
        return json.dumps(content, indent=0).encode() + b"\n"

    def _read(self, file: Path | None) -> dict[str, Sequence[str]]:
        try:
            content = json.loads(file.read_bytes()) if file is not None else {}
        except (OSError, ValueError):
            return {}
        return dict(content["rows"]) if content.get("content_hash") == self._content_hash else {}
