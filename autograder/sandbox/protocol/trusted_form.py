"""Trusted form: the fast encodings of what the grader sends to a worker, and of what it keeps for itself.

Run by both sides, with the rights of each. `marshal` and `pickle` decode them, which may not be given bytes that
student code made: a worker trusts the grader, the grader trusts its own bytes and no worker. What crosses has the
values of the wire format; equal values of equal types have equal bytes. What is kept from one start to the next holds
records, too: only the grader reads it, and `pickle` then calls nothing but what its caller lists, and finds no more
by its name.
"""

from __future__ import annotations

import io
import marshal
import pickle
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from autograder.programs.plain_values import Handle
from autograder.sandbox.protocol import wire as form
from autograder.sandbox.protocol.wire import Export, Tensor, WireError

Described = tuple[Callable[..., Any], tuple[Any, ...]]

_VERSION = 2  # the last without references, which depend on the identity of parts
_PLAIN = frozenset({type(None), bool, int, float, str, bytes})
# The first item of a tuple that stands for a part of another type; no value of the wire format is an Ellipsis.
_MARK = ...
_ARRAY, _HANDLE, _EXPORT, _TENSOR = range(4)


def pack_trusted(value: object, *, convert: Callable[[object], object]) -> bytes:
    """Encode `value`; a part of any other type than the wire format's is replaced by `convert(part)`.

    WireError for an array that cannot cross, and for more than a frame holds. Exceptions of `convert` propagate.
    """
    payload = marshal.dumps(_flatten(value, convert), _VERSION)
    form.check_size(len(payload))
    return payload


def unpack_trusted(
    payload: bytes, *, find_object: Callable[[int], object], make_served: Callable[[Export | Tensor], object]
) -> Any:
    """Decode a value, with the object of each handle, by its number, `make_served` for exports and tensors."""

    def build(flat: Any) -> Any:
        kind = type(flat)
        if kind in _PLAIN:
            return flat
        if kind is list:
            return [build(item) for item in flat]
        if kind is dict:
            return {key: build(item) for key, item in flat.items()}
        if not flat or flat[0] is not _MARK:
            return tuple([build(item) for item in flat])
        if flat[1] == _ARRAY:
            return np.frombuffer(flat[4], flat[2]).reshape(flat[3]).copy()
        if flat[1] == _TENSOR:
            return make_served(Tensor(build(flat[2]), *flat[3:]))
        return find_object(flat[2]) if flat[1] == _HANDLE else make_served(Export(*flat[2:]))

    return build(marshal.loads(payload))  # noqa: S302  (the grader's bytes)


def _flatten(value: Any, convert: Callable[[object], object]) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple:
        return tuple([_flatten(item, convert) for item in value])
    if kind is np.ndarray and value.dtype.char in form.DTYPE_CODES:
        plain = np.asarray(value, form.DTYPES[form.DTYPE_CODES[value.dtype.char]])  # in the byte order of the machine
        return (_MARK, _ARRAY, plain.dtype.str, plain.shape, plain.tobytes())
    if kind is list:
        return [_flatten(item, convert) for item in value]
    if kind is dict and all(map(form.is_key, value)):
        return {key: _flatten(item, convert) for key, item in value.items()}
    if kind is Handle:
        return (_MARK, _HANDLE, value.id)
    if kind is Export:
        return (_MARK, _EXPORT, *vars(value).values())
    if kind is Tensor:
        return (_MARK, _TENSOR, _flatten(value.array, convert), value.requires_grad, value.is_parameter)
    if kind is np.ndarray:
        raise WireError(f"an array of dtype {str(value.dtype)[:40]} cannot cross")
    return _flatten(convert(value), convert)


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
