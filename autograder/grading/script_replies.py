"""Script replies: the form of what a worker answers to the script of one test, and a hash of it.

Run by the grader. The worker's replies are untrusted: nothing else looks at them before their form is checked here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeAlias, TypeGuard

Call: TypeAlias = tuple[int, str, bytes, bytes]  # of a test's own function: export, method, arguments, answer
Reply: TypeAlias = tuple["bytes | None", list[Call]]  # the value, or None for an object that stays in the worker

_CALL = [int, str, bytes, bytes]


def are_replies(value: object) -> TypeGuard[list[Reply]]:
    """Whether a value has the form of the replies to a script; their bytes may still mean anything."""
    return type(value) is list and all(map(_is_reply, value))


def hash_replies(script: tuple[object, ...], replies: Sequence[Reply]) -> bytes:
    """Hash what identifies a script, a plain value, together with all replies to it."""
    sizes: list[object] = [*script]  # with them, the bytes of all parts one after another are unambiguous
    parts: list[bytes] = []
    for payload, calls in replies:
        sizes.append(None if payload is None else len(payload))
        sizes.append([(number, method, len(given), len(answer)) for number, method, given, answer in calls])
        parts.append(payload or b"")
        parts += (part for call in calls for part in call[2:])
    return hashlib.sha256(b"".join((repr(sizes).encode(), *parts))).digest()


def _is_reply(value: object) -> bool:
    if type(value) is not tuple or len(value) != 2 or type(value[1]) is not list:
        return False
    payload, calls = value
    return (payload is None or type(payload) is bytes) and all(map(_is_call, calls))


def _is_call(value: object) -> bool:
    return type(value) is tuple and [type(part) for part in value] == _CALL
