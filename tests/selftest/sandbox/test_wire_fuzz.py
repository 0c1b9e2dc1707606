"""For arbitrary bytes the decoder returns a value or raises WireError, within the promised memory."""

import struct
import tracemalloc
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.programs.plain_values import Handle
from autograder.sandbox.protocol.decoder import HANDLES, decode
from autograder.sandbox.protocol.wire import Export, Tensor, WireError, encode

pytestmark = [pytest.mark.slow, pytest.mark.once]

FIXED_MEMORY = 20_000  # bytes for the decoder itself and the exception


def read(payload: bytes) -> Any:
    return decode(payload, {**HANDLES, Export: lambda export: export})


def u32(number: int) -> bytes:
    return struct.pack("<I", number)


def text(value: str) -> bytes:
    return b"s" + u32(len(value)) + value.encode()


def array(code: int, *shape: int, data: bytes = b"") -> bytes:
    return b"a" + bytes((code, len(shape))) + struct.pack(f"<{len(shape)}Q", *shape) + data


def record(tag: bytes, *fields: bytes) -> bytes:
    return tag + b"t" + u32(len(fields)) + b"".join(fields)


ONE = b"i" + struct.pack("<q", 1)
HOSTILE = {
    "nothing": (b"", "1 bytes needed and 0 left, at byte 0"),
    "unknown tag": (b"V", "no value begins with the byte 86, at byte 1"),
    "two values": (b"NN", "1 bytes follow the value, at byte 1"),
    "short int": (b"i\0\0", "8 bytes needed and 2 left, at byte 1"),
    "short count": (b"l\0\0", "4 bytes needed and 2 left"),
    "bytes that claim 4 GiB": (b"b" + u32(2**32 - 1), "4294967295 items claimed and 0 bytes left"),
    "str that claims too much": (b"s" + u32(5) + b"four", "5 items claimed and 4 bytes left"),
    "list that claims too much": (b"l" + u32(2**31) + b"N" * 50, "2147483648 items claimed and 50 bytes left"),
    "dict that claims too much": (b"d" + u32(2) + b"NNN", "2 items claimed and 3 bytes left"),
    "list with a missing item": (b"l" + u32(2) + b"l" + u32(0), r"1 bytes needed and 0 left|2 items claimed"),
    "texts that claim too much": (b"L" + u32(2) + u32(1), "2 items claimed and 4 bytes left"),
    "texts with other lengths": (b"L" + u32(2) + u32(1) * 2 + text("abc"), "the texts of a list have other lengths"),
    "texts that are none": (b"S" + u32(1) * 2 + b"N", "the texts of a list have other lengths"),
    "bomb of texts": (b"L" + u32(400_001) + bytes(4 * 400_001) + text(""), "more than 400000 parts"),
    "huge int": (b"I" + u32(1025) + bytes(1025), "an int of 1025 bytes is over the limit of 1024"),
    "text that is not UTF-8": (b"s" + u32(1) + b"\xff", "a str is not UTF-8"),
    "text over the limit": (b"s" + u32(2**23 + 1) + bytes(2**23 + 1), "more than 8388608 bytes of text"),
    "depth bomb": ((b"l" + u32(1)) * 100_000 + b"N", "nested deeper than 32 levels"),
    "node bomb": (b"l" + u32(400_001) + b"N" * 400_001, "more than 400000 parts"),
    "array bomb": (b"l" + u32(44_445) + array(0, data=b"\0") * 44_445, "more than 400000 parts"),
    "bomb of empty dicts": (b"l" + u32(44_445) + (b"d" + u32(0)) * 44_445, "more than 400000 parts"),
    "dict bomb": (b"d" + u32(1025) + b"N" * 2050, "a dict of 1025 entries is over the limit of 1024"),
    "key twice": (b"d" + u32(2) + (ONE + b"N") * 2, "a dict has a key twice"),
    "key that is a bool": (b"d" + u32(1) + b"TN", "a dict key must be a str or an int of 8 bytes, not bool"),
    "key that is a large int": (b"d" + u32(1) + b"I" + u32(9) + b"\1" * 9 + b"N", "a dict key must be .*, not int"),
    "object dtype": (array(14, 1, data=bytes(8)), "no dtype has the code 14"),
    "too many axes": (array(1, *[1] * 33, data=b"\0"), "an array of 33 axes is over the limit of 32"),
    "short shape": (b"a\1\2" + bytes(8), "16 bytes needed and 8 left"),
    "array without its elements": (array(11, 1000), "8000 bytes needed and 0 left"),
    "array of 64 GiB": (array(1, 2**36), "68719476736 bytes are over the limit"),
    "shape whose product overflows to 1": (array(1, 2**64 - 1, 2**64 - 1, data=b"\0"), "bytes are over the limit"),
    "empty array with a giant axis": (array(1, 0, 2**63), "9223372036854775808 bytes are over the limit"),
    "bool that is 2": (array(0, 2, data=b"\1\2"), "a bool is neither 0 nor 1"),
    "handle that is no tuple": (b"hN", "a handle or export has 4 fields"),
    "export of four fields": (record(b"e", ONE, text("f"), b"T", b"t" + u32(0)), "a handle or export has 5 fields"),
    "handle without attributes": (record(b"h", ONE, text("F"), b"T", b"N"), "has a field of another type"),
    "handle with a negative id": (
        record(b"h", b"i" + b"\xff" * 8, text("F"), b"T", b"d" + u32(0)),
        "the id of a handle",
    ),
    "handle with a long type": (
        record(b"h", ONE, text("F" * 201), b"T", b"d" + u32(0)),
        "a name is a str of at most 200",
    ),
    "handle with an int attribute": (record(b"h", ONE, text("F"), b"T", b"d" + u32(1) + ONE + b"N"), "a name is a str"),
    "export with a method 1": (
        record(b"e", ONE, text("f"), b"T", b"t" + u32(1) + ONE, b"t" + u32(0)),
        "a name is a str",
    ),
}


def peak_of_reading(payload: bytes) -> int:
    """Measure the peak memory of decoding, which may end in WireError."""
    tracemalloc.start()
    with suppress(WireError):
        read(payload)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize(("payload", "message"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_payload_is_refused_in_words(payload: bytes, message: str) -> None:
    with pytest.raises(WireError, match=message):
        read(payload)
    if len(payload) < 10_000:  # in words that take no memory beyond its worth
        assert peak_of_reading(payload) < FIXED_MEMORY + 30 * len(payload)


WORST = {
    "empty lists": (b"l" + u32(0), 1),
    "rare characters": (b"s" + u32(4) + "\U0001f600".encode(), 1),
    "lists of a text": (b"L" + u32(1) * 2 + text("a"), 2),
    "arrays without axes": (array(1, data=b"\1"), 9),
    "empty arrays of 32 axes": (array(1, *[0] * 32), 9),
    "dicts of one entry": (b"d" + u32(1) + ONE + b"N", 11),
    "handles": (record(b"h", ONE, text("F"), b"T", b"d" + u32(0)), 13),
}


@pytest.mark.sampled(second=2)
@pytest.mark.parametrize(("item", "nodes"), WORST.values(), ids=WORST)
def test_memory_is_bounded_by_the_parts(item: bytes, nodes: int) -> None:
    items = 20_000
    payload = b"l" + u32(items) + item * items
    assert peak_of_reading(payload) < FIXED_MEMORY + len(payload) + 100 * nodes * items


RECORDS = (Handle(1, "F", False), Export(1, "f", True), Tensor(np.ones(2), True, False))


@pytest.mark.parametrize("allowed", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_crosses_only_where_its_kind_is_allowed(allowed: object) -> None:
    for value in RECORDS:
        kind = type(value)
        with nullcontext() if value is allowed else pytest.raises(WireError, match=f"{kind.__name__} is not allowed"):
            assert decode(encode([value]), {type(allowed): type}) == [kind]


def test_every_truncated_payload_is_refused() -> None:
    payload = encode(SAMPLES)
    for length in range(len(payload)):
        with pytest.raises(WireError):
            read(payload[:length])


SAMPLES = [
    {"gradient": np.arange(6.0).reshape(2, 3), 3: -0.5, "text": "\ud800a"},
    (None, True, 2**70, b"raw", []),
    Handle(5, "Machine", False, {"stack": ["ROOT"], "buffer": np.zeros((0, 2), dtype=np.int8)}),
    Export(6, "predict", True, ("shift",), ("stack",)),
]
TAGS = b"NTFiIfsbltdahe"
numbers = st.integers(0, 12) | st.sampled_from([2**16, 2**31, 2**32 - 1])
fragments = (
    st.sampled_from([bytes((tag,)) for tag in TAGS])
    | numbers.map(u32)
    | st.integers(0, 2**64 - 1).map(lambda number: struct.pack("<Q", number))
    | st.integers(0, 5).map(lambda number: struct.pack("<Q", number))
    | st.binary(max_size=9)
)


def value_or_wire_error(payload: bytes) -> None:
    """Decode, and assert that a value can be encoded again to stable bytes."""
    assert peak_of_reading(payload) < FIXED_MEMORY + 200 * len(payload)
    try:
        value = read(payload)
    except WireError:
        return
    again = encode(value)
    assert encode(read(again)) == again


@given(st.binary(max_size=200) | st.lists(fragments, max_size=30).map(b"".join))
@example(b"I" + u32(0))
def test_any_bytes_and_pieces_of_the_format_give_a_value_or_a_wire_error(payload: bytes) -> None:
    value_or_wire_error(payload)


@given(
    st.sampled_from([*SAMPLES, SAMPLES]), st.lists(st.tuples(st.integers(0, 400), fragments), min_size=1, max_size=4)
)
def test_mutated_payloads_give_a_value_or_a_wire_error(value: object, changes: list[tuple[int, bytes]]) -> None:
    payload = bytearray(encode(value))
    for place, fragment in changes:
        start = place % (len(payload) + 1)
        payload[start : start + len(fragment)] = fragment
    value_or_wire_error(bytes(payload))
