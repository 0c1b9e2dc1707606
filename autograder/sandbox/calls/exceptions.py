"""Exceptions: turns an exception of student code into plain values that describe it.

Run beside student code, with its rights. Trusts no exception: the student controls it and its class, so its text may be
endless, or no text at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from types import TracebackType

from autograder.sandbox import limits as limit


def describe_exception(error: BaseException, paths: Collection[str]) -> tuple[object, ...]:
    """Return its type, its built-in base types, its text, the undefined name, and its traceback lines in `paths`."""
    kinds = tuple(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
    frames = list(_list_frames(error, paths))[-limit.FRAMES_KEPT :]
    return (type(error).__name__[:200], kinds, _read_text(error), _find_missing_name(error), frames)


def _list_frames(error: BaseException, paths: Collection[str]) -> Iterator[tuple[str, int, str]]:
    """List the traceback's lines in the student's own files, innermost last."""
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename in paths:
            yield (code.co_filename, trace.tb_lineno, code.co_name)
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename in paths:
        yield (str(error.filename), error.lineno or 0, "")


def _read_text(error: BaseException) -> str:
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:  # noqa: BLE001  (an exception whose __str__ raises: its type is reported anyway)
        text = ""
    return str(text)[: limit.MESSAGE_CHARACTERS]


def _find_missing_name(error: BaseException) -> str:
    if isinstance(error, UnboundLocalError):  # the only NameError without the attribute `name`
        return _read_text(error).partition("'")[2].partition("'")[0][:200]
    is_about_name = isinstance(error, (NameError, AttributeError, ImportError))
    name = getattr(error, "name", None) if is_about_name else None
    return name[:200] if isinstance(name, str) else ""
