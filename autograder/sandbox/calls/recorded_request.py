"""Recorded request: one request of a test about functions and objects, and the reply to it.

Run by the grader, with its rights, and on a student's computer. Trusts nothing of a reply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograder.programs.outcome import Outcome
from autograder.sandbox.protocol import messages


@dataclass(frozen=True)
class RecordedRequest:
    """A request of a test, as the worker received it, and its reply: a value, or the Outcome where there was none."""

    kind: str
    arguments: tuple[Any, ...]
    reply: object = None

    @property
    def value(self) -> object:
        """The value of the reply; None where there was none."""
        return None if isinstance(self.reply, Outcome) else self.reply


def list_single(asked: Sequence[RecordedRequest]) -> list[RecordedRequest]:
    """List the requests, with a request of many calls as so many requests; all of them ended as it did."""
    single: list[RecordedRequest] = []
    for each in asked:
        if each.kind != messages.EACH:
            single.append(each)
            continue
        function, calls, *_ = each.arguments
        reply = each.reply
        replies = reply if isinstance(reply, list) and len(reply) == len(calls) else [reply] * len(calls)
        pairs = zip(calls, replies, strict=True)
        single += [RecordedRequest(messages.CALL, (function, tuple(call)), reply) for call, reply in pairs]
    return single
