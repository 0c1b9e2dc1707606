"""Question store: keeps the results of single questions under the hash of all that they depend on, beside a run.

A result is the part of a report that is about one question, as JSON, validated field by field; nothing in it is run or
looked up. It is accepted only if writing it again gives the same bytes.

Who can write to the folder decides what a run reports, so only private files are read. A file that is damaged or
foreign is a result that does not exist, with a note. After a kill a file is complete or absent; after a crash of the
machine it may be damaged.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.atomic_file import read_private, remove_unfinished, write_private
from autograder.results import CheckResult, QuestionStatus, Report, Verdict, WrittenText

if TYPE_CHECKING:
    from pydantic import TypeAdapter

# A check that takes as long may depend on the time that other questions left it; no limit of a check is ever lower.
SLOW_S = 1.0
KEPT_S = 30 * 24 * 3600.0  # the time without use after which a result is removed
_NAME = re.compile(r"[0-9a-f]{64}\.json")
_FILE_BYTES = 16 << 20
_OPEN = (Verdict.UNDECIDED, Verdict.NOT_RUN)


class ResultRefused(ValueError):
    """Stored bytes are no result of this question; the text says why."""


@dataclass(frozen=True)
class QuestionResult:
    """The results of one question of a submission.

    `key`: the hash of all that they depend on. `run`: the run that graded it. `beside`: if a check
    was slow, the keys of the questions with slow checks in the same submission, this one among them.
    """

    key: str
    run: str
    status: QuestionStatus
    checks: tuple[CheckResult, ...]
    texts: tuple[WrittenText, ...]
    beside: tuple[str, ...]

    @property
    def stem(self) -> str:
        """The id of the question."""
        return self.status.stem

    @property
    def is_final(self) -> bool:
        """Whether grading again would give the same: all was judged, without a fault of the grader."""
        is_judged = all(check.verdict not in _OPEN and not check.fault for check in self.checks)
        return is_judged and not any(text.fault for text in self.texts)

    @property
    def seconds(self) -> float:
        """The seconds that its checks took."""
        return sum(check.seconds for check in self.checks)


def is_slow(check: CheckResult) -> bool:
    """Tell whether a check took so long that time, which questions share, may have decided it."""
    return check.seconds >= SLOW_S or check.verdict is Verdict.NOT_RUN


def split_report(report: Report, keys: dict[str, str], run: str) -> tuple[QuestionResult, ...]:
    """Return the results of each question of a report; `keys`: by question id."""
    slow = tuple(keys[stem] for stem in keys if any(is_slow(check) for check in report.checks if check.stem == stem))
    return tuple(
        QuestionResult(
            key=keys[status.stem],
            run=run,
            status=status,
            checks=tuple(check for check in report.checks if check.stem == status.stem),
            texts=tuple(text for text in report.texts if text.stem == status.stem),
            beside=slow if keys[status.stem] in slow else (),
        )
        for status in report.questions
    )


@dataclass
class QuestionStore:
    """Results in folders: all are read, and the first is written to.

    `run`: this run, whose own results are not found: each submission of one run is graded by itself. `refused`: the
    files that were not accepted or not written, and why.
    """

    folders: Sequence[Path]
    run: str
    refused: list[str] = field(default_factory=list)

    def find(self, key: str, stem: str) -> QuestionResult | None:
        """Find the result of a question; None if no earlier run stored it."""
        for path in (folder / f"{key}.json" for folder in self.folders):
            try:
                data = read_private(path, _FILE_BYTES)
                result = decode_result(data)
                _require_own(result, key, stem)
            except FileNotFoundError:
                continue
            except (OSError, ResultRefused) as error:
                self.refused.append(f"{path}: {getattr(error, 'strerror', None) or error}")
                continue
            if result.run != self.run:
                self._note_use(path, data)
                return result
        return None

    def save(self, result: QuestionResult) -> None:
        """Store a result; one that JSON cannot carry unchanged is left out."""
        try:
            data = encode_result(result)
        except (TypeError, ValueError):
            return
        self._write(f"{result.key}.json", data)

    def take_refused(self) -> list[str]:
        """Return the files that were refused since the last call."""
        refused, self.refused = self.refused, []
        return refused

    def _note_use(self, path: Path, data: bytes) -> None:
        """Keep a result that was used: in the folder that is written to, with the present time."""
        if path.parent == self.folders[0]:
            with contextlib.suppress(OSError):
                os.utime(path)
        else:
            self._write(path.name, data)

    def _write(self, name: str, data: bytes) -> None:
        path = self.folders[0] / name
        try:
            write_private(path, data, is_synchronized=False)  # a result that is lost is graded again
        except OSError as error:
            self.refused.append(f"{path}: cannot be written: {error.strerror}")


def encode_result(result: QuestionResult) -> bytes:
    """Encode a result; TypeError or ValueError if it could not be read back unchanged."""
    data = _serialize(result)
    if decode_result(data) != result:
        raise ValueError("JSON cannot carry it unchanged")
    return data


def decode_result(data: bytes) -> QuestionResult:
    """Decode a result; ResultRefused if the bytes are not exactly what `encode_result` writes."""
    try:
        result = open_adapter().validate_python(json.loads(data))
        again = _serialize(result)
    except (ValueError, RecursionError) as error:
        raise ResultRefused("it is not valid") from error
    if again != data:
        raise ResultRefused("it has fields or values that a result does not have")
    return result


def _serialize(result: QuestionResult) -> bytes:
    return json.dumps(asdict(result), allow_nan=False).encode("ascii") + b"\n"


@cache
def open_adapter() -> TypeAdapter[QuestionResult]:
    """Return the reader of results, which is slow to load."""
    from pydantic import TypeAdapter  # noqa: PLC0415  (the run itself reads no result)

    return TypeAdapter(QuestionResult)


def remove_unused(folder: Path) -> None:
    """Remove the results that no run has used for a long time, and the files that a killed run left unfinished."""
    remove_unfinished(folder)
    oldest = time.time() - KEPT_S
    for path in folder.glob("*.json"):
        with contextlib.suppress(OSError):
            if _NAME.fullmatch(path.name) and path.lstat().st_mtime < oldest:
                path.unlink()


def _require_own(result: QuestionResult, key: str, stem: str) -> None:
    stems = {result.stem, *(check.stem for check in result.checks), *(text.stem for text in result.texts)}
    if result.key != key or stems != {stem}:
        raise ResultRefused("it is the result of something else")
