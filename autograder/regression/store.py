"""Store: keeps one results.json for each submission of a run, and tells which of them a later start can reuse.

A file is the results.json for Gradescope, with the run's provenance in its `extra_data`. Files are written atomically,
so that after a kill at any moment each file is complete or absent.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from autograder.gradescope.results_json import write_fields
from autograder.plain_text import clean_line
from autograder.regression.scores import Scores, TestScore, read_scores, read_tests
from autograder.results import GraderIdentity, Verdict

_UNSAFE = re.compile(rb"[^A-Za-z0-9_.-]|^\.")
_NAME_BYTES = 120  # with the suffix below the limit of every file system
_RESULT_BYTES = 64 << 20
_FAULT_CHARACTERS = 300  # of its last line


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """What a result depends on. `submission`: digest of the packed submission; `grader`: hash of everything else."""

    name: str
    submission: str
    grader: str

    @classmethod
    def read(cls, fields: Any) -> Provenance:
        """Read it from the fields of a file; AttributeError, KeyError, TypeError or ValueError if they are none."""
        return cls(name=str(fields["name"]), submission=str(fields["submission"]), grader=str(fields["grader"]))


State = Literal["graded", "unreadable", "undecided"]


@dataclass(frozen=True)
class StoredResult:
    """One submission's stored result; `fields`: its whole results.json."""

    fields: Mapping[str, Any]
    provenance: Provenance

    @cached_property
    def tests(self) -> list[TestScore]:
        """All its tests, with those that only show a text."""
        return read_tests(self.fields)

    @property
    def _told(self) -> Mapping[str, Any]:
        """What the grader tells of the submission as a whole."""
        return self.fields.get("extra_data") or {}

    @cached_property
    def scores(self) -> Scores:
        """The scores of its tests; the total is None if the grader failed."""
        scores = read_scores(self.fields) or Scores(None, {})
        return Scores(None, scores.tests) if self.state == "undecided" else scores

    @cached_property
    def state(self) -> State:
        """Whether it was graded; `undecided` if the grader failed, in one test or altogether."""
        told = self._told.get("state")
        verdicts = {test.verdict for test in self.tests}
        if told == "unreadable":
            return "unreadable"
        return "graded" if told == "graded" and Verdict.UNDECIDED.value not in verdicts else "undecided"

    @property
    def fault(self) -> str:
        """How the grader failed on the submission as a whole: the last line of what was told; "" if it did not."""
        told = self._told.get("fault")
        lines = [line for line in told.splitlines() if line.strip()] if isinstance(told, str) else []
        return clean_line(lines[-1].strip(), _FAULT_CHARACTERS) if lines else ""

    @property
    def grader(self) -> GraderIdentity | None:
        """The grader that judged it; None for a submission that cannot be read."""
        told = self._told.get("grader")
        return GraderIdentity(**told) if told else None

    def is_of(self, submission: str, grader: str) -> bool:
        """Tell whether grading this submission with this grader would give the same result."""
        mine = (self.provenance.submission, self.provenance.grader)
        return mine == (submission, grader) and self.state != "undecided"


Load = Callable[[str], "StoredResult | None"]  # of a submission, by its name


class ResultStore:
    """The results of one run, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get_path(self, name: str) -> Path:
        """Return the path of a submission's result."""
        return self.folder / f"{escape_name(name)}.json"

    def save(self, results: Mapping[str, Any], provenance: Provenance) -> StoredResult:
        """Write a result, the fields of a results.json, atomically; ResultsError if that is not possible."""
        extra = {**results.get("extra_data", {}), "regression": asdict(provenance)}
        stored = StoredResult({**results, "extra_data": extra}, provenance)
        write_fields(self.get_path(provenance.name), stored.fields)
        return stored

    def load(self, name: str) -> StoredResult | None:
        """Load the result of a submission; None if there is no file, or none that a run wrote."""
        try:
            with self.get_path(name).open("rb") as file:
                fields = json.loads(file.read(_RESULT_BYTES))
            return StoredResult(fields, Provenance.read(fields["extra_data"]["regression"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None


def escape_name(name: str) -> str:
    """Escape an untrusted name to a safe file name; different names give different file names."""
    raw = name.encode(errors="surrogateescape")
    safe = _UNSAFE.sub(lambda match: f"%{match.group()[0]:02x}".encode(), raw)
    if len(safe) > _NAME_BYTES:
        safe = safe[:_NAME_BYTES] + b"%-" + hashlib.sha256(raw).hexdigest()[:16].encode()
    return safe.decode("ascii")
