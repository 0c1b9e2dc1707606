"""Trusted form: the encodings of the grader's own records, such as programs, for a worker and for itself.

Run by both sides, with the rights of each. `pickle` decodes them, which may not be given bytes that student code made:
a worker trusts the grader, the grader trusts its own bytes and no worker. What is kept from one start to the next is
read by the grader alone, and `pickle` then calls nothing but what its caller lists, and finds no more by its name.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Collection
from typing import Any

from autograder.sandbox.protocol import wire as form

Described = tuple[Callable[..., Any], tuple[Any, ...]]


def pack_records(records: object) -> bytes:
    """Encode programs or recipes, which a worker finds by the names of their classes; WireError for too many bytes."""
    payload = pickle.dumps(records, protocol=5)
    form.check_size(len(payload))
    return payload


def unpack_records(payload: bytes) -> Any:
    """Decode programs or recipes, in a worker."""
    return pickle.loads(payload)  # noqa: S301  (the grader's bytes)


def pack_kept(value: object, called: Collection[Any], describe: Callable[[Any], Described]) -> bytes:
    """Encode a value; WireError for more than a frame holds. Exceptions of `describe` propagate.

    `describe`: says of a part of another type than Python's plain ones which of `called` makes it, from what.
    """
    written = io.BytesIO()
    _Writer(written, called, describe).dump(value)
    form.check_size(written.tell())
    return written.getvalue()


def unpack_kept(payload: bytes, called: Collection[Any]) -> Any:
    """Decode a value; ValueError if something else than one of `called` would be called, or fails."""
    try:
        return _Reader(payload, called).load()
    except (pickle.UnpicklingError, EOFError, LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes hold no kept value") from error


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, called: Collection[Any], describe: Callable[[Any], Described]) -> None:
        super().__init__(file, protocol=5)
        self._called, self._describe = called, describe

    def persistent_id(self, value: Any) -> None:
        """Describe what pickle writes by itself and the wire format lacks: the items of a set have no order."""
        if isinstance(value, (set, frozenset, bytearray)):
            self._describe(value)

    def reducer_override(self, value: Any) -> Any:
        """Describe a part; those that are called are written by their names."""
        return NotImplemented if any(value is each for each in self._called) else self._describe(value)


class _Reader(pickle.Unpickler):
    def __init__(self, payload: bytes, called: Collection[Any]) -> None:
        super().__init__(io.BytesIO(payload))
        self._called = {(each.__module__, each.__name__): each for each in called}

    def find_class(self, module: str, name: str) -> Any:
        """Find what may be called."""
        return self._called[module, name]
