"""Attempt: one try of a hidden test: why it is made, on which functions, what came back, and what it showed."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from autograder.checks import CheckFailed, NotWritten
from autograder.contracts import CheckBody, ContractError
from autograder.contracts.body import DerivedCheck, FailingCase, judge_check
from autograder.grading.ending import Ending, NoValue, Ours, Partial, Passed, end_in_failure, end_without_value
from autograder.programs.outcome import ENDS_OF_WORKERS, CallFailed, Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.sandbox import limits as limit
from autograder.sandbox.host.bounds import TooLong, limit_memory, limit_time
from autograder.student import RunningAttempt, Student, TestCall

_CHARACTER_BYTES = 4  # of a text with one rare character
_SMALL_BYTES = 32  # a number, with its place in a list
_CONTAINER_BYTES = 64
Body = TestCall | CheckBody
"""What a hidden test runs: a call by hand, or the check of a contract."""
_TOO_MUCH_MEMORY = Outcome(
    OutcomeKind.RAISED,
    detail="it returned something that cannot be handed over",
    message="comparing its values takes too much memory",
)


@dataclass
class Transcript:
    """The replies in one attempt, in order: to requests, and to programs.

    `limit_bytes`: what they may take together. `is_probing`: the test has failed, and later calls only explain the
    failure: they are not kept.
    """

    limit_bytes: int = limit.REPLIES_BYTES
    replies: list[Any] = field(default_factory=list)
    is_probing: bool = False
    _bytes: int = 0

    @property
    def is_small(self) -> bool:
        """Whether the replies are few enough to keep when the attempt has ended."""
        return self._bytes <= limit.EVIDENCE_BYTES

    @property
    def is_over_limit(self) -> bool:
        """Whether the replies are more than a check may keep."""
        return self._bytes > self.limit_bytes

    def count(self, reply: object) -> None:
        """Count the bytes of a reply, until the test has failed."""
        if not self.is_probing:
            self._bytes += count_bytes(reply)

    def keep(self, reply: object) -> None:
        """Keep a reply that was counted, until the test has failed."""
        if not self.is_probing:
            self.replies.append(reply)


def count_bytes(value: object) -> int:
    """Estimate the bytes of a value, never much too low."""
    if isinstance(value, (list, tuple)):
        types = set(map(type, value))
        if types == {str}:  # as thousands are
            return _CONTAINER_BYTES * (1 + len(value)) + _CHARACTER_BYTES * sum(map(len, value))
        if types == {float}:
            return _CONTAINER_BYTES + _SMALL_BYTES * len(value)
        return _CONTAINER_BYTES + sum(map(count_bytes, value))
    if isinstance(value, dict):
        values = list(value.values())
        return sum(map(count_bytes, value)) + count_bytes(values)
    if isinstance(value, np.ndarray):
        return _CONTAINER_BYTES + int(value.nbytes)
    if isinstance(value, Outcome):
        return _CONTAINER_BYTES + _CHARACTER_BYTES * len(value.message)
    if isinstance(value, Handle):
        return limit.HANDLE_BYTES + count_bytes(value.type_name) + count_bytes(value.attributes)
    if isinstance(value, str):
        return _CONTAINER_BYTES + _CHARACTER_BYTES * len(value)
    if isinstance(value, bytes):
        return _CONTAINER_BYTES + len(value)
    if isinstance(value, int):
        return _SMALL_BYTES + value.bit_length() // 8
    return _SMALL_BYTES


class Asked(NamedTuple):
    """A call of a function of the grader's that stood in for the student's, and what it returned."""

    name: str
    arguments: tuple[Any, ...]
    right: Any


class Reason(str, Enum):
    """Why an attempt is made; the closed set that `extra_data.attempts` uses."""

    FIRST = "first"
    SHARED = "shared"  # with the other checks of its pass in one worker, where only a pass counts
    ALONE = "alone"  # in a fresh worker
    MACHINE = "machine"  # ours failed, or may have failed, before
    LIBRARY = "library"  # a module had to be loaded
    FOLLOW_THROUGH = "follow_through"


@dataclass(frozen=True)
class Attempt:
    """One try of a test of `functions`, in which the grader's functions replace those named in `substituted`.

    `deadline` is the monotonic time at which the whole run ends. `need`: what the right solution needs of the test,
    from which its limits follow. `supplied_wins`: the modules that the grader supplies replace the student's copies of
    them. `runs_constructors`: a constructor of the student's runs before the grader's that replaces it, for the sake of
    attributes of its own.
    """

    functions: tuple[str, ...]
    deadline: float
    reason: Reason = Reason.FIRST
    need: limit.Need | None = None
    substituted: tuple[str, ...] = ()
    supplied_wins: bool = False
    runs_constructors: bool = True

    @property
    def is_repeat(self) -> bool:
        """Whether code of the grader's replaces some of the student's."""
        return bool(self.substituted) or self.supplied_wins


@dataclass(frozen=True)
class Tried:
    """What an attempt showed.

    `replies`: the replies of the student's functions, each a value or an Outcome; None if too large to keep.
    `asked`: the first calls of functions that were replaced, and what these returned.
    `observations`: other facts that the test noted. `failing`: the case to show; `lines`: those that show it, or
    that it is right alone. `used`: of the functions that were replaced, those that student code called. `reasons`: why
    each attempt was made until this one. `ends`: of the workers that programs of the check ended. `contradicts`: it is
    right, and an earlier attempt gave a wrong value for the same calls.
    """

    ending: Ending
    replies: tuple[object, ...] | None = ()
    observations: tuple[object, ...] = ()
    printed: bytes = b""
    failing: FailingCase | None = None
    lines: str = ""
    used: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    reasons: tuple[Reason, ...] = ()
    ends: tuple[Outcome, ...] = ()
    contradicts: bool = False

    @property
    def is_late(self) -> bool:
        """Whether student code was stopped because it took too long."""
        return any(each.kind is OutcomeKind.TIMED_OUT for each in self._failures)

    @property
    def is_fatal(self) -> bool:
        """Whether student code ended its process, or would not have ended."""
        return any(each.kind in ENDS_OF_WORKERS for each in self._failures)

    @property
    def was_killed(self) -> bool:
        """Whether something ended a worker by a signal, which the machine does too."""
        return any(each.was_killed for each in self._failures)

    @property
    def outcome_name(self) -> str:
        """How a call ended, for the result: the first that ended its worker, if one did."""
        return self.ends[0].kind.value if self.ends else self.ending.outcome_name

    @property
    def _failures(self) -> tuple[Outcome, ...]:
        if not isinstance(self.ending, NoValue):
            return self.ends
        return (*self.ends, self.ending.outcome)

    @property
    def is_passed(self) -> bool:
        """Whether the test ran to its end with full credit."""
        return isinstance(self.ending, Passed)


@contextmanager
def bound_judging() -> Iterator[None]:
    """Limit the time and memory of the block, which runs the staff's functions on what a worker said.

    CallFailed where the memory is too little: the values are. ContractError where it does not end: their size is
    checked before, so that a right function would.
    """
    most_bytes = limit.measure_address_space() + limit.JUDGING_MEMORY_BYTES
    try:
        with limit_time(limit.JUDGING_S), limit_memory(most_bytes):
            yield
    except MemoryError:
        raise CallFailed(_TOO_MUCH_MEMORY) from None
    except TooLong as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        raise ContractError(f"judging the replies took more than {limit.JUDGING_S:g} s, up to {place}") from None


def judge_replies(body: CheckBody, ask: Callable[[DerivedCheck], Sequence[Any]], points: float) -> Ending:
    """Judge the replies that `ask` gets to the programs of a check worth `points`."""

    def judge() -> Ending:
        replies = ask(body.derived)
        with bound_judging():
            judgement = judge_check(body.derived, replies)
        if judgement.failure is not None:
            return end_in_failure(judgement.failure, points)
        return Passed(judgement.notes)

    return _find_end(judge, points)


def call_body(run: RunningAttempt, call: TestCall, points: float) -> Ending:
    """Call the body by hand of a test worth `points`, and return how it ended."""

    def judge() -> Ending:
        with limit_memory(limit.measure_address_space() + limit.BODY_MEMORY_BYTES):
            score = _require_score(call(Student(run)), points)
        notes = tuple(run.notes)
        if score is None:
            return Passed(notes, run.leaderboard)
        return Partial(score, notes=notes, entry=run.leaderboard)

    return _find_end(judge, points)


def _find_end(judge: Callable[[], Ending], points: float) -> Ending:
    """Return what `judge` returns, or the ending for what it raises."""
    try:
        return judge()
    except CheckFailed as failed:
        return end_in_failure(failed, points)
    except NotWritten as stub:
        return NoValue(Outcome(OutcomeKind.NOT_WRITTEN, detail=str(stub)), otherwise=stub.failed)
    except CallFailed as error:
        return end_without_value(error.outcome)
    except MemoryError as error:
        if _is_of_values(error):
            return end_without_value(_TOO_MUCH_MEMORY)
        return Ours(traceback.format_exc(limit=-6))
    except ContractError as error:
        return Ours(str(error))  # its frames are the grader's, and say nothing to an author
    except Exception:  # noqa: BLE001  (a mistake in a hidden test is our fault, and is reported as ours)
        return Ours(traceback.format_exc(limit=-6))


def _is_of_values(error: MemoryError) -> bool:
    """Whether values took the memory: an array did not fit, or a comparison raised it, and no statement of a test."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    is_of_array = type(error) is not MemoryError  # numpy has a class of its own
    return is_of_array or frame.f_globals["__name__"].startswith("autograder.")


def _require_score(score: float | None, points: float) -> float | None:
    if score is None:
        return None
    if not math.isfinite(score):
        raise ValueError(f"set_score({score}) in a hidden test")
    return None if score >= points else score
