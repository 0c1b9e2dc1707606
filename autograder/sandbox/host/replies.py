"""Replies: turns a worker's reply into a value or an `Outcome`.

Run by the grader, on untrusted replies. The texts in an outcome are the student's; they are escaped and cut where they
are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from autograder.programs.outcome import CallFailed, Frame, Outcome, OutcomeKind, is_name
from autograder.programs.plain_values import NAME_LIMIT
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import HANDLES, decode
from autograder.sandbox.protocol.wire import TooLarge, WireError

FILES_TOO_LARGE = Outcome(
    OutcomeKind.RAISED,
    detail="it is, with the files that it may import, larger than the grader can handle (8 MB of text)",
    is_at_load=True,
)
_GARBLED = Outcome(OutcomeKind.GARBLED, detail="the worker sent something that is no reply")
_UNDEFINED = ("NameError", "AttributeError")  # an UnboundLocalError is of code that gives the name a value elsewhere


def refuse_large_replies(limit_bytes: int) -> Outcome:
    """Return the outcome of a check whose replies take more than `limit_bytes` together."""
    message = f"its values take more than {limit_bytes >> 20} MB together"
    return Outcome(OutcomeKind.RAISED, detail="it returned something that cannot be handed over", message=message)


def read_parts(parts: Any, count: int, read_ending: Callable[[Any], Outcome], *, most_bytes: int) -> list[Any]:
    """Return the parts of the reply to a program, of which there are `count`: a value, or how it failed, for each.

    TooLarge, before anything is made of it, for a part of more than `most_bytes`.
    """
    if type(parts) is not list or len(parts) != count:
        raise CallFailed(_GARBLED)
    return [_read_part(each, read_ending, most_bytes) for each in parts]


def _read_part(part: Any, read_ending: Callable[[Any], Outcome], most_bytes: int) -> Any:
    if type(part) is list:
        return [_read_part(each, read_ending, most_bytes) for each in part]
    if type(part) is not bytes:
        return read_ending(part)
    if len(part) > most_bytes:
        raise TooLarge(f"{len(part)} bytes")
    try:
        most_nodes = most_bytes // limit.NODE_BYTES
        return decode(part, HANDLES, most_nodes=most_nodes)
    except TooLarge:
        raise
    except WireError as error:
        raise CallFailed(replace(_GARBLED, detail=str(error))) from error


def read_failure(
    reply: Any, placeholders: Collection[str], files: Mapping[str, int], withheld: Collection[str] = ()
) -> Outcome:
    """Return the outcome of a call without a value.

    An error about one of the `placeholders`, names that the starter code leaves undefined, means that the function is
    not written yet. A call of one of the functions `withheld`, which the grader supplies, means the same. Only the
    frames of a traceback that are in `files`, the student's with their numbers of lines, are kept.
    """
    outcome = _read_error(reply, files, withheld)
    if outcome.error_type not in _UNDEFINED or outcome.missing_name not in placeholders:
        return outcome
    return replace(outcome, kind=OutcomeKind.NOT_WRITTEN, detail=f"{outcome.missing_name} has no value")


def _read_error(reply: Any, files: Mapping[str, int], withheld: Collection[str]) -> Outcome:
    if messages.is_message(reply, messages.USED_SUPPLIED, str) and reply[1] in withheld:
        detail = f"the {reply[1]} that was called is the one that the grader supplies; write {reply[1]} yourself"
        return Outcome(OutcomeKind.NOT_WRITTEN, detail=detail)
    if messages.is_message(reply, messages.UNSENDABLE, str):
        detail = "it returned something that cannot be handed over"
        return Outcome(OutcomeKind.RAISED, detail=detail, message=reply[1][: limit.MESSAGE_CHARACTERS])
    if not messages.is_message(reply, messages.RAISED, str, tuple, str, str, list):
        return _GARBLED
    _, error_type, kinds, message, missing_name, frames = reply
    kept = [_read_frame(*frame) for frame in frames[-limit.FRAMES_KEPT :] if _is_frame(frame, files)]
    return Outcome(  # cut as workers do: every check keeps it
        _choose_kind(kinds),
        error_type=error_type[:NAME_LIMIT],
        message=message[: limit.MESSAGE_CHARACTERS],
        missing_name=missing_name[:NAME_LIMIT],
        frames=tuple(kept),
    )


def _choose_kind(kinds: tuple[Any, ...]) -> OutcomeKind:
    names = [kind for kind in kinds if type(kind) is str]
    if "NotImplementedError" in names:
        return OutcomeKind.NOT_WRITTEN
    if "MemoryError" in names:
        return OutcomeKind.OUT_OF_MEMORY
    return OutcomeKind.RAISED


def _is_frame(frame: Any, files: Mapping[str, int]) -> bool:
    if not messages.has_form(frame, (str, int, str)):
        return False
    file, line, _ = frame
    return bool(0 < line <= files.get(file, 0))


def _read_frame(file: str, line: int, function: str) -> Frame:
    shown = function if is_name(function.strip("<>")) else ""
    return Frame(file, line, shown)
