"""Encoder: turns a value into a payload.

Run by both sides, with the rights of each. Trusts no value. Code under test can tamper with the encoder of its own
worker; that changes only bytes, which the grader decodes with the same care as any others. The encoder is strict all
the same, so that an honest worker never sends a message that the grader refuses: types are compared by identity, and
each limit is checked before the bytes are produced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from autograder.programs.plain_values import NAME_LIMIT, Handle, type_name
from autograder.sandbox.protocol import wire as form
from autograder.sandbox.protocol.wire import Export, Tensor, WireError


def encode(value: object, *, convert: Callable[[object], object] | None = None) -> bytes:
    """Encode `value`; a part of any other type than the format's is replaced by `convert(part)`, one level deeper.

    WireError for a value over a limit, and for a part that cannot be encoded. Exceptions of `convert` propagate.
    """
    encoder = _Encoder(convert)
    try:
        encoder.put(value, 0)
        payload = b"".join(encoder.chunks)
        form.check_size(len(payload))
    except WireError as error:
        error.where = f"value{error.where}"
        raise
    return payload


class _Encoder:
    """The chunks of a payload and the totals that are limited."""

    def __init__(self, convert: Callable[[object], object] | None) -> None:
        self.convert = convert
        self.chunks: list[Any] = []  # bytes and C-contiguous arrays: `join` copies each once
        self.size = 0  # bytes of the chunks that can be large
        self.nodes = 0
        self.text = 0

    def put(self, value: Any, depth: int) -> None:
        form.check_depth(depth)
        # By id: a dict with types as keys would run the __hash__ and __eq__ of a metaclass.
        _get_writer(id(type(value)), _Encoder.put_other)(self, value, depth)

    def put_int(self, value: int, depth: int) -> None:
        if value in form.INT64:
            self.chunks.append(b"i" + form.I64.pack(value))
            return
        length = value.bit_length() // 8 + 1
        if length > form.INT_BYTES_LIMIT:
            raise WireError(f"an int of {length} bytes is over the limit of {form.INT_BYTES_LIMIT}")
        self.put_blob(b"I", value.to_bytes(length, "little", signed=True))

    def put_str(self, value: str, depth: int) -> None:
        form.add_text(self.text, len(value))  # before the copy is made
        blob = value.encode("utf-8", "surrogatepass")
        self.text = form.add_text(self.text, len(blob))
        self.put_blob(b"s", blob)

    def put_blob(self, tag: bytes, blob: bytes) -> None:
        self.reserve(len(blob))
        self.chunks += (tag + form.U32.pack(len(blob)), blob)

    def put_items(self, tag: bytes, items: tuple[Any, ...], depth: int) -> None:
        self.nodes = form.add_nodes(self.nodes, len(items))
        self.chunks.append(tag + form.U32.pack(len(items)))
        depth += 1
        index = 0
        try:
            for index, item in enumerate(items):  # noqa: B007  (the index is that of the part that failed)
                self.put(item, depth)
        except WireError as error:
            error.where = f"[{index}]{error.where}"
            raise

    def put_dict(self, value: dict[Any, Any], depth: int) -> None:
        if self.convert is not None and not all(map(form.is_key, value)):
            self.put_other(value, depth)
            return
        self.nodes = form.add_nodes(self.nodes, form.count_dict_nodes(len(value)))
        items = tuple(value.items())
        self.chunks.append(b"d" + form.U32.pack(len(items)))
        for key, item in items:
            form.check_key(key)
            self.put(key, depth + 1)
            self.put_part(key, item, depth + 1)

    def put_part(self, key: int | str, value: object, depth: int) -> None:
        try:
            self.put(value, depth)
        except WireError as error:
            label = key[:NAME_LIMIT] if isinstance(key, str) else key
            error.where = f"[{label!r}]{error.where}"
            raise

    def put_array(self, value: np.ndarray[Any, Any], depth: int) -> None:
        code = form.DTYPE_CODES.get(value.dtype.char)
        if code is None:
            self.put_other(value, depth)
            return
        self.nodes = form.add_nodes(self.nodes, form.HEAVY_NODES)
        self.reserve(
            form.compute_array_size(value.shape, value.itemsize)
        )  # a broadcast array is larger than its memory
        self.chunks.append(b"a" + bytes((code, value.ndim)) + form.SHAPES[value.ndim].pack(*value.shape))
        if code == 0:
            value = value.view(np.uint8) != 0  # a bool from view() or empty() can hold any byte
        self.chunks.append(np.asarray(value, form.DTYPES[code], order="C"))

    def put_record(self, value: Handle | Export | Tensor, depth: int) -> None:
        record = tuple(vars(value).values())
        form.check_record(record, type(value))
        self.chunks.append(form.TAGS[type(value)])
        self.put(record, depth + 1)

    def put_other(self, value: Any, depth: int) -> None:
        if self.convert is not None:
            self.put(self.convert(value), depth + 1)
        elif type(value) is np.ndarray:
            raise WireError(f"an array of dtype {str(value.dtype)[:NAME_LIMIT]} cannot cross")
        else:
            raise WireError(f"a value of type {type_name(value)} cannot cross")

    def reserve(self, size: int) -> None:
        self.size += size
        form.check_size(self.size)


_WRITERS: Mapping[int, Callable[[_Encoder, Any, int], None]] = MappingProxyType(
    {
        id(type(None)): lambda encoder, value, depth: encoder.chunks.append(b"N"),
        id(bool): lambda encoder, value, depth: encoder.chunks.append(b"T" if value else b"F"),
        id(int): _Encoder.put_int,
        id(float): lambda encoder, value, depth: encoder.chunks.append(b"f" + form.F64.pack(value)),
        id(str): _Encoder.put_str,
        id(bytes): lambda encoder, value, depth: encoder.put_blob(b"b", value),
        # A copy of a list: `convert` may run code that modifies it.
        id(list): lambda encoder, value, depth: encoder.put_items(b"l", tuple(value), depth),
        id(tuple): lambda encoder, value, depth: encoder.put_items(b"t", value, depth),
        id(dict): _Encoder.put_dict,
        id(np.ndarray): _Encoder.put_array,
        **{id(kind): _Encoder.put_record for kind in form.TAGS},
    }
)
_get_writer = _WRITERS.get
