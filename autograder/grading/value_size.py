"""Value size: estimates the memory that a value of the wire takes in the grader."""

from __future__ import annotations

import numpy as np

from autograder.sandbox.protocol.outcome import Outcome
from autograder.sandbox.protocol.wire import Handle

_CHARACTER_BYTES = 4  # of a text with one rare character
_SMALL_BYTES = 32  # a number, with its place in a list
_CONTAINER_BYTES = 64


def count_bytes(value: object) -> int:
    """Estimate the bytes of a value, never much too low."""
    if isinstance(value, (list, tuple)):
        return _CONTAINER_BYTES + sum(map(count_bytes, value))
    if isinstance(value, dict):
        return _CONTAINER_BYTES + sum(map(count_bytes, value)) + sum(map(count_bytes, value.values()))
    if isinstance(value, np.ndarray):
        return _CONTAINER_BYTES + int(value.nbytes)
    if isinstance(value, Outcome):
        return _CONTAINER_BYTES + _CHARACTER_BYTES * len(value.message)
    if isinstance(value, Handle):
        return _CONTAINER_BYTES + count_bytes(value.attributes)
    if isinstance(value, str):
        return _CONTAINER_BYTES + _CHARACTER_BYTES * len(value)
    return _CONTAINER_BYTES + len(value) if isinstance(value, bytes) else _SMALL_BYTES
