"""Decoder: turns arbitrary bytes into a value of exact base types, or raises WireError.

Run by both sides, with the rights of each. Hostile bytes reach the grader here, and nothing in them is trusted: each
length is checked against the remaining bytes before anything is allocated, and no name is looked up.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from autograder.programs.plain_values import Handle
from autograder.sandbox.protocol import wire as form
from autograder.sandbox.protocol.wire import WireError

Makers = Mapping[form.Record, Callable[[Any], Any]]
NO_RECORDS: Makers = MappingProxyType({})
HANDLES: Makers = MappingProxyType({Handle: lambda handle: handle})


def decode(payload: bytes, makers: Makers = NO_RECORDS, *, most_nodes: int = form.NODE_LIMIT) -> Any:
    """Decode a payload into new objects; arrays own their data and are writable, native and C-contiguous.

    `makers`: by each kind of record that is allowed, what turns it into a part of the value.
    WireError for an invalid payload, TooLarge for one of more than `most_nodes` parts. An int in a longer form than
    necessary is accepted: the grader compares values, never bytes. Memory stays below 2 len(payload) + 8 TEXT_LIMIT +
    100 NODE_LIMIT bytes; the worst payloads take about a second.
    """
    form.check_size(len(payload))
    decoder = _Decoder(payload, makers)
    decoder.nodes = max(0, form.NODE_LIMIT - most_nodes)
    try:
        value = decoder.take(0)
        if decoder.left:
            raise WireError(f"{decoder.left} bytes follow the value")
    except WireError as error:
        error.where = f"byte {decoder.position}"
        raise
    return value


class _Decoder:
    """A payload and the position of its first unread byte."""

    def __init__(self, payload: bytes, makers: Makers) -> None:
        self.payload = payload
        self.size = len(payload)
        self.position = 0
        self.nodes = 0
        self.text = 0
        self.makers = makers

    @property
    def left(self) -> int:
        return len(self.payload) - self.position

    def take(self, depth: int) -> Any:
        form.check_depth(depth)
        position = self.position
        if position >= self.size:
            self.skip(1)
        self.position = position + 1
        tag = self.payload[position]
        read = _get_reader(tag)
        if read is None:
            raise WireError(f"no value begins with the byte {tag}")
        return read(self, depth)

    def skip(self, size: int) -> int:
        """Advance past the next `size` bytes and return their position."""
        start = self.position
        if size > self.size - start:
            raise WireError(f"{size} bytes needed and {self.left} left")
        self.position = start + size
        return start

    def take_large_int(self, depth: int) -> int:
        length = self.take_count(1)
        if length > form.INT_BYTES_LIMIT:
            raise WireError(f"an int of {length} bytes is over the limit of {form.INT_BYTES_LIMIT}")
        start = self.skip(length)
        return int.from_bytes(self.payload[start : self.position], "little", signed=True)

    def take_bytes(self, depth: int) -> bytes:
        start = self.skip(self.take_count(1))
        return self.payload[start : self.position]

    def take_str(self, depth: int) -> str:
        blob = self.take_bytes(depth)
        self.text = form.add_text(self.text, len(blob))
        try:
            return blob.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise WireError("a str is not UTF-8") from error

    def take_count(self, least: int) -> int:
        """Read a count of items, each of at least `least` bytes; WireError if the remaining bytes are too few."""
        start = self.skip(4)
        count: int = form.U32.unpack_from(self.payload, start)[0]
        if count * least > self.size - start - 4:
            raise WireError(f"{count} items claimed and {self.left} bytes left")
        return count

    def take_list(self, depth: int) -> list[Any]:
        count = self.take_count(1)
        self.nodes = form.add_nodes(self.nodes, count)
        depth += 1
        take = self.take
        return [take(depth) for _ in range(count)]

    def take_texts(self, depth: int) -> list[str]:
        count = self.take_count(4)
        self.nodes = form.add_nodes(self.nodes, count)
        lengths = struct.unpack_from(f"<{count}I", self.payload, self.skip(4 * count))
        joined = self.take(depth + 1)
        if type(joined) is not str or len(joined) != sum(lengths):
            raise WireError("the texts of a list have other lengths")
        texts, end = [], 0
        for length in lengths:
            texts.append(joined[end : end + length])
            end += length
        return texts

    def take_dict(self, depth: int) -> dict[str | int, Any]:
        count = self.take_count(2)
        self.nodes = form.add_nodes(self.nodes, form.count_dict_nodes(count))
        entries: dict[str | int, Any] = {}
        for _ in range(count):
            key = self.take(depth + 1)
            form.check_key(key)
            if key in entries:
                raise WireError("a dict has a key twice")
            entries[key] = self.take(depth + 1)
        return entries

    def take_array(self, depth: int) -> np.ndarray[Any, Any]:
        start = self.skip(2)
        code, axes = self.payload[start], self.payload[start + 1]
        if code >= len(form.DTYPES):
            raise WireError(f"no dtype has the code {code}")
        if axes > form.AXES_LIMIT:
            raise WireError(f"an array of {axes} axes is over the limit of {form.AXES_LIMIT}")
        dtype = form.DTYPES[code]
        shape = form.SHAPES[axes].unpack_from(self.payload, self.skip(8 * axes))
        start = self.skip(form.compute_array_size(shape, dtype.itemsize))
        self.nodes = form.add_nodes(self.nodes, form.HEAVY_NODES)
        array: np.ndarray[Any, Any] = np.ndarray(shape, dtype, self.payload, start).copy()
        if code == 0 and array.size and array.view(np.uint8).max() > 1:
            raise WireError("a bool is neither 0 nor 1")
        return array

    def take_record(self, depth: int) -> Any:
        kind = _RECORDS[self.payload[self.position - 1]]
        if kind not in self.makers:
            raise WireError(f"a record of the kind {kind.__name__} is not allowed here")
        record = self.take(depth + 1)
        form.check_record(record, kind)
        return self.makers[kind](kind(*record))


_RECORDS: Mapping[int, form.Record] = MappingProxyType({ord(tag): kind for kind, tag in form.TAGS.items()})
_READERS: Mapping[int, Callable[[_Decoder, int], Any]] = MappingProxyType(
    {
        ord("N"): lambda decoder, depth: None,
        ord("T"): lambda decoder, depth: True,
        ord("F"): lambda decoder, depth: False,
        ord("i"): lambda decoder, depth: form.I64.unpack_from(decoder.payload, decoder.skip(8))[0],
        ord("I"): _Decoder.take_large_int,
        ord("f"): lambda decoder, depth: form.F64.unpack_from(decoder.payload, decoder.skip(8))[0],
        ord("s"): _Decoder.take_str,
        ord("b"): _Decoder.take_bytes,
        ord("l"): _Decoder.take_list,
        ord("t"): lambda decoder, depth: tuple(decoder.take_list(depth)),
        ord("L"): _Decoder.take_texts,
        ord("S"): lambda decoder, depth: tuple(decoder.take_texts(depth)),
        ord("d"): _Decoder.take_dict,
        ord("a"): _Decoder.take_array,
        **dict.fromkeys(_RECORDS, _Decoder.take_record),
    }
)
_get_reader = _READERS.get
