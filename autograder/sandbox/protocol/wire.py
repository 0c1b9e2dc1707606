"""Wire: turns a value into a payload, and frames payloads; defines what may cross between grader and worker.

Run by both sides, with the rights of each. Trusts no value and no length: memory is allocated for received bytes only.
The decoder shares the limits, so that it accepts all output of the encoder. Code under test can tamper with the encoder
of its own worker; that changes only bytes, which the grader decodes with the same care as any others. The encoder is
strict all the same, so that an honest worker never sends a message that the grader refuses: types are compared by
identity, and each limit is checked before the bytes are produced.

A payload is one node. A node is a tag byte and a body; all numbers are little-endian:

    N T F          None, True, False
    i  f           int in 8 bytes, float in 8 bytes (all bits of a NaN are kept)
    I s b          u32 length and the bytes: larger int (two's complement), str (UTF-8, lone surrogates too), bytes
    l t d          u32 count and that many nodes (a dict: key and value in turn)
    L S            a list and a tuple of texts alone: u32 count, the length of each as u32, all texts as one str node
    a              dtype code and number of axes, one byte each; u64 for each axis; the elements in C order
    h e p          a tuple node with the fields of a Handle, of an Export, of a Tensor

A frame of the byte stream is a little-endian u32 length and a payload of that many bytes.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, final

import numpy as np

from autograder.programs.plain_values import NAME_LIMIT, Handle, type_name

FRAME_LIMIT = 16 * 2**20  # bytes: a header or a broadcast array that claims gigabytes
DEPTH_LIMIT = 32  # levels: a list nested 100,000 deep (recursion), a cyclic list, an endless `convert`
NODE_LIMIT = 400_000  # nodes: millions of empty lists, which take 15 times the memory of their bytes
HEAVY_NODES = 8  # nodes that a dict or an array counts as: a 0-d array takes 30 times the memory of its bytes
TEXT_LIMIT = 8 * 2**20  # bytes of all strings: one rare character makes a str take four times its bytes
DICT_LIMIT = 1024  # entries: keys chosen to collide make filling a dict quadratic
INT64 = range(-(2**63), 2**63)  # int keys: all multiples of 2**61 - 1 collide, but this range has few of them
INT_BYTES_LIMIT = 1024  # bytes: an int of more than 4300 digits, which Python refuses to print in a message
AXES_LIMIT = 32  # axes: a shape that NumPy itself refuses, with another exception

_NAMES = ("?", "<i1", "<i2", "<i4", "<i8", "<u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16")
U32, I64, F64 = struct.Struct("<I"), struct.Struct("<q"), struct.Struct("<d")
SHAPES = tuple(struct.Struct(f"<{axes}Q") for axes in range(AXES_LIMIT + 1))
DTYPES = tuple(map(np.dtype, _NAMES))
DTYPE_CODES = MappingProxyType({char: DTYPES.index(np.dtype(char)) for char in "?bhilqBHILQefdFD"})


class WireError(Exception):
    """A value that may not cross, or bytes that encode none; the message says what was wrong and where."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.where = ""  # the path in the value or the position in the payload, set while the error propagates

    def __str__(self) -> str:
        return f"{self.args[0]}, at {self.where}" if self.where else f"{self.args[0]}"


@dataclass(frozen=True)
class Export:
    """A callback or object that stays in the grader; `snapshot`: the attributes to send of handles passed to it."""

    id: int
    name: str
    is_callable: bool
    methods: tuple[str, ...] = ()
    snapshot: tuple[str, ...] = ()


@final
@dataclass(frozen=True)
class Tensor:
    """A tensor of PyTorch on its way to a worker, by its elements; `is_parameter`: whether it is an nn.Parameter."""

    array: np.ndarray[Any, Any]
    requires_grad: bool
    is_parameter: bool


Record = type[Handle] | type[Export] | type[Tensor]
_FIELDS: Mapping[Record, tuple[type, ...]] = MappingProxyType(
    {
        Handle: (int, str, bool, dict),
        Export: (int, str, bool, tuple, tuple),
        Tensor: (np.ndarray, bool, bool),
    }
)
TEXTS: Mapping[bytes, bytes] = MappingProxyType({b"l": b"L", b"t": b"S"})
TAGS: Mapping[Record, bytes] = MappingProxyType({Handle: b"h", Export: b"e", Tensor: b"p"})


class TooLarge(WireError):
    """A value has more parts than are allowed."""


def check_size(size: int) -> None:
    """Refuse more bytes than a frame can hold."""
    if size > FRAME_LIMIT:
        raise WireError(f"{size} bytes are over the limit of {FRAME_LIMIT}")


def check_depth(depth: int) -> None:
    """Refuse a node `depth` levels below the top."""
    if depth > DEPTH_LIMIT:
        raise WireError(f"nested deeper than {DEPTH_LIMIT} levels")


def add_nodes(nodes: int, more: int) -> int:
    """Add to the nodes of a value and return the total; WireError over the limit."""
    if nodes + more > NODE_LIMIT:
        raise TooLarge(f"more than {NODE_LIMIT} parts")
    return nodes + more


def add_text(text: int, more: int) -> int:
    """Add to the bytes of text of a value and return the total; WireError over the limit."""
    if text + more > TEXT_LIMIT:
        raise WireError(f"more than {TEXT_LIMIT} bytes of text")
    return text + more


def count_dict_nodes(entries: int) -> int:
    """Count the nodes of a dict; WireError over the limit of entries."""
    if entries > DICT_LIMIT:
        raise WireError(f"a dict of {entries} entries is over the limit of {DICT_LIMIT}")
    return HEAVY_NODES + 2 * entries


def is_key(key: object) -> bool:
    """Return whether a dict key is exactly a str or a small int: hashing it must neither run code nor collide."""
    return type(key) is str or (type(key) is int and key in INT64)


def check_key(key: object) -> None:
    """Refuse other keys of a dict."""
    if not is_key(key):
        raise WireError(f"a dict key must be a str or an int of 8 bytes, not {type_name(key)}")


def compute_array_size(shape: tuple[int, ...], itemsize: int) -> int:
    """Compute the bytes of an array; an empty array may not hide a giant axis: reshaping it would fail later."""
    if len(shape) > AXES_LIMIT:
        raise WireError(f"an array of {len(shape)} axes is over the limit of {AXES_LIMIT}")
    size = itemsize * math.prod(shape)
    check_size(size or itemsize * math.prod(axis or 1 for axis in shape))
    return size


def check_record(record: object, kind: Record) -> None:
    """Refuse fields that form no record of the kind: wrong types, an invalid id, or a name that is too long."""
    types = _FIELDS[kind]
    if type(record) is not tuple or len(record) != len(types):
        raise WireError(f"a handle or export has {len(types)} fields")
    if tuple(map(type, record)) != types:
        raise WireError("a handle or export has a field of another type")
    if kind is Tensor:
        return
    identifier, name, _, *groups = record
    if identifier < 0 or identifier not in INT64:
        raise WireError("the id of a handle or export is an int of 0 to 2**63 - 1")
    for part in chain((name,), *groups):
        if type(part) is not str or len(part) > NAME_LIMIT:
            raise WireError(f"a name is a str of at most {NAME_LIMIT} characters")


def encode(value: object, *, convert: Callable[[object], object] | None = None) -> bytes:
    """Encode `value`; a part of any other type than the format's is replaced by `convert(part)`, one level deeper.

    WireError for a value over a limit, and for a part that cannot be encoded. Exceptions of `convert` propagate.
    """
    encoder = _Encoder(convert)
    try:
        encoder.put(value, 0)
        payload = b"".join(encoder.chunks)
        check_size(len(payload))
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
        check_depth(depth)
        # By id: a dict with types as keys would run the __hash__ and __eq__ of a metaclass.
        _get_writer(id(type(value)), _Encoder.put_other)(self, value, depth)

    def put_int(self, value: int, depth: int) -> None:
        if value in INT64:
            self.chunks.append(b"i" + I64.pack(value))
            return
        length = value.bit_length() // 8 + 1
        if length > INT_BYTES_LIMIT:
            raise WireError(f"an int of {length} bytes is over the limit of {INT_BYTES_LIMIT}")
        self.put_blob(b"I", value.to_bytes(length, "little", signed=True))

    def put_str(self, value: str, depth: int) -> None:
        add_text(self.text, len(value))  # before the copy is made
        blob = value.encode("utf-8", "surrogatepass")
        self.text = add_text(self.text, len(blob))
        self.put_blob(b"s", blob)

    def put_blob(self, tag: bytes, blob: bytes) -> None:
        self.reserve(len(blob))
        self.chunks += (tag + U32.pack(len(blob)), blob)

    def put_items(self, tag: bytes, items: tuple[Any, ...], depth: int) -> None:
        self.nodes = add_nodes(self.nodes, len(items))
        depth += 1
        if items and all(map(operator.is_, map(type, items), repeat(str))):
            self.chunks.append(TEXTS[tag] + struct.pack(f"<{1 + len(items)}I", len(items), *map(len, items)))
            self.put("".join(items), depth)
            return
        self.chunks.append(tag + U32.pack(len(items)))
        index = 0
        try:
            for index, item in enumerate(items):  # noqa: B007  (the index is that of the part that failed)
                self.put(item, depth)
        except WireError as error:
            error.where = f"[{index}]{error.where}"
            raise

    def put_dict(self, value: dict[Any, Any], depth: int) -> None:
        if self.convert is not None and not all(map(is_key, value)):
            self.put_other(value, depth)
            return
        self.nodes = add_nodes(self.nodes, count_dict_nodes(len(value)))
        items = tuple(value.items())
        self.chunks.append(b"d" + U32.pack(len(items)))
        for key, item in items:
            check_key(key)
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
        code = DTYPE_CODES.get(value.dtype.char)
        if code is None:
            self.put_other(value, depth)
            return
        self.nodes = add_nodes(self.nodes, HEAVY_NODES)
        self.reserve(compute_array_size(value.shape, value.itemsize))  # a broadcast array is larger than its memory
        self.chunks.append(b"a" + bytes((code, value.ndim)) + SHAPES[value.ndim].pack(*value.shape))
        if code == 0:
            value = value.view(np.uint8) != 0  # a bool from view() or empty() can hold any byte
        self.chunks.append(np.asarray(value, DTYPES[code], order="C"))

    def put_record(self, value: Handle | Export | Tensor, depth: int) -> None:
        record = tuple(vars(value).values())
        check_record(record, type(value))
        self.chunks.append(TAGS[type(value)])
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
        check_size(self.size)


_WRITERS: Mapping[int, Callable[[_Encoder, Any, int], None]] = MappingProxyType(
    {
        id(type(None)): lambda encoder, value, depth: encoder.chunks.append(b"N"),
        id(bool): lambda encoder, value, depth: encoder.chunks.append(b"T" if value else b"F"),
        id(int): _Encoder.put_int,
        id(float): lambda encoder, value, depth: encoder.chunks.append(b"f" + F64.pack(value)),
        id(str): _Encoder.put_str,
        id(bytes): lambda encoder, value, depth: encoder.put_blob(b"b", value),
        # A copy of a list: `convert` may run code that modifies it.
        id(list): lambda encoder, value, depth: encoder.put_items(b"l", tuple(value), depth),
        id(tuple): lambda encoder, value, depth: encoder.put_items(b"t", value, depth),
        id(dict): _Encoder.put_dict,
        id(np.ndarray): _Encoder.put_array,
        **{id(kind): _Encoder.put_record for kind in TAGS},
    }
)
_get_writer = _WRITERS.get


def pack_frame(payload: bytes) -> bytes:
    """Prefix a payload with its length. WireError over FRAME_LIMIT."""
    check_size(len(payload))
    return U32.pack(len(payload)) + payload


class FrameReader:
    """The unread bytes of a stream. After a WireError the rest of the stream is meaningless: discard the reader."""

    def __init__(self) -> None:
        self._unread = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the payloads that `data` completes. WireError as soon as a header exceeds FRAME_LIMIT."""
        unread = self._unread
        unread += data
        start, payloads = 0, []
        while len(unread) - start >= U32.size:
            (length,) = U32.unpack_from(unread, start)
            check_size(length)
            stop = start + U32.size + length
            if stop > len(unread):
                break
            with memoryview(unread) as view:
                payloads.append(bytes(view[start + U32.size : stop]))
            start = stop
        del unread[:start]
        return payloads
