"""Replies: asks requests of a student's module, or of functions of this process, and returns the replies."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.contracts.live_argument import serve_live
from autograder.contracts.request import Find, ObjectRequest, Request, is_of_one_call
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.student import Module

AnyRequest = Request | ObjectRequest


def ask_all(module: Module, requests: Sequence[AnyRequest]) -> list[Any]:
    """Return the reply to each request: a value, or the Outcome of a call that gave none.

    Raises CallFailed where no call gave a value, and where one ended the worker.
    """
    replies: list[Any] = []
    for alike, group in itertools.groupby(requests, _find_like):
        together = list(group)
        if replies and alike is None and all(isinstance(each, Outcome) for each in replies):
            break  # no plain call gave a value: the others would not either, and the first error is the one to repeat
        replies += _ask_together(module, together) if alike else [_ask_one(module, each) for each in together]
    if all(isinstance(each, Outcome) for each in replies):
        raise CallFailed(replies[0])
    return replies


def _find_like(request: AnyRequest) -> tuple[str, int | None] | None:
    """Return what calls that cross together have in common; None for one that crosses alone."""
    return (request.function, request.part) if isinstance(request, Request) and request.is_plain else None


def _ask_together(module: Module, requests: Sequence[Any]) -> list[Any]:
    """Ask in one message; where one call fails, each for itself, so that it does not hide the others."""
    first, calls = requests[0], [serve_live(each.arguments) for each in requests]
    try:
        return getattr(module, first.function).each(calls, part=first.part)  # type: ignore[no-any-return]
    except CallFailed as failed:
        if not is_of_one_call(failed.outcome):
            raise
        reply = _ask_one(module, first)
        if isinstance(reply, Outcome) and reply.kind is OutcomeKind.NOT_WRITTEN:
            raise
        return [reply, *(_ask_one(module, each) for each in requests[1:])]


def _ask_one(module: Module, request: AnyRequest) -> Any:
    try:
        return request.ask(module)
    except CallFailed as failed:
        if not is_of_one_call(failed.outcome):
            raise
        return failed.outcome


def answer_by(find: Find, request: AnyRequest) -> Any:
    """Return the reply of functions of this process; an Outcome where one raises an error."""
    try:
        value = request.answer(find)
    except Exception as error:  # noqa: BLE001  (whatever a formula raises is its reply)
        return Outcome(OutcomeKind.RAISED, error_type=type(error).__name__)
    return make_plain(value)


def make_plain(value: Any) -> Any:
    """Return a value with Python's numbers in place of numpy's, as they cross from a worker."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(make_plain, value)) if type(value) in (list, tuple) else tuple(map(make_plain, value))
    if isinstance(value, dict):
        return {key: make_plain(each) for key, each in value.items()}
    return value.item() if isinstance(value, np.generic) else value
