"""Question result: the part of a report that is about one question, as bytes to store and read back.

Bytes are JSON, validated field by field; nothing in them is run or looked up. They are accepted only if writing the
result again gives the same bytes.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache

from pydantic import TypeAdapter, ValidationError

from autograder.results import CheckResult, QuestionStatus, Report, Verdict, WrittenText

# A check that takes as long may depend on the time that other questions left it; no limit of a check is ever lower.
SLOW_S = 1.0
_OPEN = (Verdict.UNDECIDED, Verdict.NOT_RUN)


class ResultRefused(Exception):
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


def encode_result(result: QuestionResult) -> bytes:
    """Encode a result; TypeError, ValueError or ResultRefused if it could not be read back unchanged."""
    data = _write(result)
    if decode_result(data) != result:
        raise ValueError("JSON cannot carry it unchanged")
    return data


def decode_result(data: bytes) -> QuestionResult:
    """Decode a result; ResultRefused if the bytes are not exactly what `encode_result` writes."""
    try:
        result = _open_adapter().validate_python(json.loads(data))
        again = _write(result)
    except (ValueError, ValidationError, RecursionError) as error:
        raise ResultRefused("it is not valid") from error
    if again != data:
        raise ResultRefused("it has fields or values that a result does not have")
    return result


def _write(result: QuestionResult) -> bytes:
    return json.dumps(asdict(result), allow_nan=False).encode("ascii") + b"\n"


@cache
def _open_adapter() -> TypeAdapter[QuestionResult]:
    return TypeAdapter(QuestionResult)
