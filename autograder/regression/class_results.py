"""Class results: what a run keeps of a class, in class.json and results/, and reads again.

class.json lists the submissions; results/<file>.json is the results.json of each, with the hashes that it depends on in
its `extra_data`. Results of older graders and of Gradescope exports are read alike: a field that is missing or of an
unexpected type counts as not given. Files are written atomically, so that after a kill at any moment each is complete
or absent. All sums are of rows, before any penalty for lateness.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder import UserError
from autograder.atomic_file import write_atomically
from autograder.plain_text import clean_line
from autograder.results import GraderIdentity, Verdict

CLASS, RESULTS = "class.json", "results"
_UNSAFE = re.compile(rb"[^A-Za-z0-9_.-]|^\.")
_FILE_BYTES = 120  # of a name, with the suffix below the limit of every file system
_RESULT_BYTES = 64 << 20
_NAME_CHARACTERS, _FAULT_CHARACTERS = 200, 300
_DAMAGED = (OSError, ValueError, KeyError, TypeError, AttributeError)  # of a file that is none of ours


class BaselineError(UserError):
    """There is nothing to compare with; the text names the missing part."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """One submitter in an export; fields that it does not have are empty."""

    name: str
    sid: str
    email: str


@dataclass(frozen=True)
class Member:
    """A submission of the class. `file`: the name of its result without the suffix, different for different names.

    `name`: of its folder or file, safe to show.
    """

    file: str
    name: str
    people: tuple[Person, ...] = ()

    @property
    def label(self) -> str:
        """The names of its submitters, an email or sid for one without a name; without any, its name."""
        return ", ".join(person.name or person.email or person.sid for person in self.people) or self.name


@dataclass(frozen=True)
class Row:
    """One test of one submission, whose texts are as they were written; `counts`: it has points or a verdict of ours.

    `answer`: the text for a person to grade, or None. `key`: its number and title, by which rows of runs are matched.
    """

    key: str
    number: str
    title: str
    question: str
    score: float | None
    max_score: float
    verdict: str
    mistakes: tuple[str, ...]
    output: str
    fault: str
    answer: str | None
    counts: bool

    @property
    def points(self) -> float:
        """Its points; none without a score."""
        return self.score or 0.0


@dataclass(frozen=True)
class StoredResult:
    """One submission's result; `fields`: its whole results.json."""

    fields: Mapping[Any, Any]

    @cached_property
    def tests(self) -> list[Row]:
        """All its tests, with those that only show a text."""
        return [_read_row(test) for test in _list_tests(self.fields)]

    @cached_property
    def rows(self) -> dict[str, Row]:
        """The tests that count, by their keys."""
        return {test.key: test for test in self.tests if test.counts}

    @cached_property
    def state(self) -> str:
        """One of `STATES`: `empty` if nothing is written, `undecided` if the grader failed, if only in one row."""
        state = self._told.get("state", "graded")  # Gradescope exports what others graded
        verdicts = {row.verdict for row in self.rows.values()}
        if state == "graded" and verdicts == {Verdict.NOT_WRITTEN.value}:
            return "empty"
        return state if state in STATES and Verdict.UNDECIDED.value not in verdicts else "undecided"

    @cached_property
    def total(self) -> float | None:
        """The sum of the rows' points, or the score of a result without rows; None if the grader failed."""
        if self.state == "undecided":
            return None
        points = sum(row.points for row in self.rows.values())
        return round(points, 2) if self.rows else _read_number(read_field(self.fields, "score"))

    @property
    def submission(self) -> str:
        """The hash of the submission's files; "" if it is not known."""
        return read_text(_read_mapping(self._told, "regression").get("submission"))

    @property
    def key(self) -> str:
        """The hash of everything else that the result depends on; "" if it is not known."""
        return read_text(_read_mapping(self._told, "regression").get("grader"))

    @property
    def fault(self) -> str:
        """How the grader failed on the submission as a whole: the last line of what was told; "" if it did not."""
        lines = str(self._told.get("fault") or "").strip().splitlines()
        return clean_line(lines[-1].strip(), _FAULT_CHARACTERS) if lines else ""

    @property
    def notes(self) -> str:
        """The notes on its files as a whole."""
        return read_text(self._told.get("notes"))

    @property
    def grader(self) -> GraderIdentity | None:
        """The grader that judged it; None for a submission that cannot be read."""
        told = self._told.get("grader")
        return GraderIdentity(**told) if told else None

    def restrict(self, questions: Collection[str]) -> StoredResult:
        """Return the result in these questions, or all if none is named; rows of unknown questions are kept.

        It has no total where it has no rows: the score is of all questions.
        """
        if not questions:
            return self
        kept = [test for test in _list_tests(self.fields) if _read_row(test).question in ("", *questions)]
        score = 0.0 if self.state == "unreadable" else None
        return StoredResult({**self.fields, ":tests": kept, ":score": score})

    @property
    def _told(self) -> Mapping[Any, Any]:
        return _read_mapping(self.fields, "extra_data")


STATES = {"graded": "graded", "empty": "empty", "unreadable": "unreadable", "undecided": "not judged"}


@dataclass(frozen=True)
class Run:
    """The results of a class, which can be compared with others; `title` names them, `only` is empty for all questions.

    `load`: returns the result of a submission by its file, or None. `key`: the hash of the grader.
    """

    title: str
    only: tuple[str, ...]
    members: Mapping[str, Member]
    load: Callable[[str], StoredResult | None]
    key: str = ""
    notes: tuple[str, ...] = ()

    def label(self, file: str) -> str:
        """Return the label of a member, or the file itself."""
        return self.members[file].label if file in self.members else file


def write_class(folder: Path, run: Run) -> None:
    """Write class.json, which lists the members of a run."""
    members = [asdict(member) for member in run.members.values()]
    fields = {"only": run.only, "key": run.key, "notes": run.notes, "members": members}
    write_atomically(folder / CLASS, [_encode(fields)], mode=0o644)


def read_class(folder: Path) -> Run:
    """Read the run in a folder; BaselineError if there is none. Results of another grader are left out."""
    nothing = f"{folder}: holds no run to compare with"
    try:
        fields = json.loads((folder / CLASS).read_bytes())
        members = [_read_member(member) for member in fields["members"]]
        only, key, notes = tuple(fields["only"]), str(fields["key"]), tuple(fields["notes"])
    except FileNotFoundError as error:
        raise BaselineError(f"{nothing}: no {CLASS} that regress wrote") from error
    except _DAMAGED as error:
        raise BaselineError(
            f"{nothing}: its {CLASS} is damaged, or of another version; run regress into it again"
        ) from error

    def load(file: str) -> StoredResult | None:
        stored = load_result(folder, file)
        return stored if stored is not None and stored.key == key else None

    return Run(str(folder), only, {member.file: member for member in members}, load, key, notes)


def save_result(folder: Path, file: str, fields: Mapping[str, Any], *, submission: str, key: str) -> StoredResult:
    """Write the fields of a results.json with the hashes of the submission and of the grader."""
    provenance = {"submission": submission, "grader": key}
    whole = {**fields, "extra_data": {**fields["extra_data"], "regression": provenance}}
    write_atomically(folder / RESULTS / f"{file}.json", [_encode(whole)])
    return StoredResult(whole)


def load_result(folder: Path, file: str) -> StoredResult | None:
    """Load the result of a submission; None if there is no file, or none that a run wrote."""
    try:
        with (folder / RESULTS / f"{file}.json").open("rb") as opened:
            fields = json.loads(opened.read(_RESULT_BYTES))
        return StoredResult(fields) if fields["extra_data"]["regression"] else None
    except _DAMAGED:
        return None


def name_member(name: str, people: tuple[Person, ...]) -> Member:
    """Return the member of a submission with this raw name, which is untrusted."""
    return Member(escape_name(name), clean_line(name, _NAME_CHARACTERS), people)


def escape_name(name: str) -> str:
    """Escape an untrusted name to a safe file name; different names give different file names."""
    raw = name.encode(errors="surrogateescape")
    safe = _UNSAFE.sub(lambda match: f"%{match.group()[0]:02x}".encode(), raw)
    if len(safe) > _FILE_BYTES:
        safe = safe[:_FILE_BYTES] + b"%-" + hashlib.sha256(raw).hexdigest()[:16].encode()
    return safe.decode("ascii")


def read_field(fields: Mapping[Any, Any], name: str) -> Any:
    """Read a field by its name, which an export may write as a Ruby symbol."""
    return fields.get(f":{name}", fields.get(name))


def read_text(value: object) -> str:
    """Read a text or a number as a line of text; "" for anything else."""
    return clean_line(str(value), _NAME_CHARACTERS) if isinstance(value, (str, int, float)) else ""


def _encode(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, indent=1, allow_nan=False).encode("ascii") + b"\n"


def _read_member(fields: Mapping[str, Any]) -> Member:
    return Member(fields["file"], fields["name"], tuple(Person(**person) for person in fields["people"]))


def _list_tests(fields: Mapping[Any, Any]) -> list[Mapping[Any, Any]]:
    listed = read_field(fields, "tests")
    return [test for test in listed if isinstance(test, Mapping)] if isinstance(listed, list) else []


def _read_mapping(fields: Mapping[Any, Any], name: str) -> Mapping[Any, Any]:
    found = read_field(fields, name)
    return found if isinstance(found, Mapping) else {}


def _read_row(fields: Mapping[Any, Any]) -> Row:
    ours = _read_mapping(fields, "extra_data")
    number, title = read_text(read_field(fields, "number")), read_text(read_field(fields, "name"))
    score, max_score = _read_number(read_field(fields, "score")), _read_number(read_field(fields, "max_score"))
    verdict, mistakes = read_text(read_field(ours, "verdict")), read_field(ours, "diagnosis")
    text = read_field(ours, "text")
    return Row(
        key=f"{number} {title}".strip(),
        number=number,
        title=title,
        question=read_text(read_field(ours, "question")),
        score=score,
        max_score=max_score or 0.0,
        verdict=verdict,
        mistakes=tuple(map(read_text, mistakes)) if isinstance(mistakes, list) else (),
        output=str(read_field(fields, "output") or ""),
        fault=str(read_field(ours, "fault") or ""),
        answer=str(read_field(text, "answer") or "") if isinstance(text, Mapping) else None,
        counts=score is not None or (bool(verdict) and read_field(ours, "advice") is not True),
    )


def _read_number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None
