"""The wire carries every allowed value unchanged, in frames that arrive in pieces of any size."""

import math
import struct
import tracemalloc
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.programs.plain_values import NAME_LIMIT, Handle
from autograder.sandbox.protocol import wire as form
from autograder.sandbox.protocol.decoder import HANDLES, decode
from autograder.sandbox.protocol.wire import FRAME_LIMIT, Export, FrameReader, Tensor, WireError, encode, pack_frame
from tests.selftest.support.linear_cost import assert_linear, measure_least


def through(value: object) -> Any:
    return decode(encode(value), {**HANDLES, Export: lambda export: export})


def identical(one: Any, two: Any) -> bool:
    """Tell whether types, bits and order are the same at every depth."""
    if type(one) is not type(two):
        return False
    if type(one) in (list, tuple):
        return len(one) == len(two) and all(map(identical, one, two))
    if type(one) is dict:
        return identical(list(one.items()), list(two.items()))
    if type(one) is np.ndarray:
        return one.dtype == two.dtype and one.shape == two.shape and one.tobytes() == two.tobytes()
    if type(one) is float:
        return struct.pack("<d", one) == struct.pack("<d", two)
    if type(one) is Handle:
        return one == two and identical(one.attributes, two.attributes)
    return bool(one == two)


PLAIN = {
    "none": None,
    "smallest int in eight bytes": -(2**63),
    "first int over eight bytes": 2**63,
    "first int below eight bytes": -(2**63) - 1,
    "largest int": 2 ** (8 * form.INT_BYTES_LIMIT - 1) - 1,
    "smallest int": -(2 ** (8 * form.INT_BYTES_LIMIT - 1)) + 1,
    "float": 0.1,
    "minus zero": -0.0,
    "NaN with a payload": struct.unpack("<d", struct.pack("<Q", 0xFFF8000000ABCDEF))[0],
    "text": "p\u00e4r\x00\x1b[31m\U0001f600",
    "lone surrogate": "\ud800 and \udfff",
    "bytes": bytes(range(256)),
    "empty containers": [[], (), {}, "", b""],
    "nested": {"a": [1, (2.5, {"b": None})], 7: (True, [False])},
    "keys that look alike": {1: "int", "1": "str", -1: "negative", "": "empty"},
    "deepest": None,
    "largest dict": dict.fromkeys(range(form.DICT_LIMIT)),
    "longest name": Handle(0, "N" * NAME_LIMIT, True),
    "handle": Handle(3, "Machine", False, {"stack": ["ROOT"], "next": Handle(4, "list", True)}),
    "export": Export(2**63 - 1, "predict", True, ("shift", "reduce"), ("stack",)),
}
for _ in range(form.DEPTH_LIMIT):
    PLAIN["deepest"] = [PLAIN["deepest"]]


@pytest.mark.parametrize("value", PLAIN.values(), ids=PLAIN)
def test_plain_value_crosses_unchanged(value: object) -> None:
    assert identical(through(value), value)


@pytest.mark.parametrize("dtype", form.DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 2), (2, 0, 3), (1,) * form.AXES_LIMIT], ids=str)
def test_array_of_any_dtype_crosses_unchanged(dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(5).integers(0, 2, size=shape).astype(dtype)
    assert identical(through(values), values)


ROWS = np.arange(24.0).reshape(4, 6)
LAYOUTS = {
    "Fortran order": np.asfortranarray(ROWS),
    "transposed": ROWS.T,
    "negative strides": ROWS[::-1, ::-2],
    "every other row": ROWS[::2],
    "broadcast": np.broadcast_to(ROWS[0], (3, 6)),
    "read-only": np.frombuffer(bytes(16), dtype=np.float64),
    "unaligned": np.frombuffer(bytes(17), dtype=np.uint8)[1:].view(np.float64),
    "big-endian": ROWS.astype(">f8"),
    "big-endian complex": np.array([1 + 2j, -3j], dtype=">c16"),
    "big-endian int with 0 axes": np.array(258, dtype=">i4"),
}


@pytest.mark.parametrize("array", LAYOUTS.values(), ids=LAYOUTS)
def test_any_memory_layout_crosses_as_a_plain_array(array: np.ndarray[Any, Any]) -> None:
    came = through(array)
    assert identical(came, array.astype(array.dtype.newbyteorder("=")))
    assert came.dtype.isnative
    assert [came.flags[flag] for flag in ("C_CONTIGUOUS", "WRITEABLE", "ALIGNED", "OWNDATA")] == [True] * 4


def request(value: object) -> Any:
    """Send a value as the grader does; a handle arrives as its number."""
    packed = encode(value, convert=np.generic.item)
    return decode(packed, {Handle: lambda handle: handle.id, Tensor: lambda tensor: tensor})


def test_a_request_holds_numbers_of_objects_and_tensors() -> None:
    tensor, *others = request((Tensor(np.ones((2, 3)), False, True), Handle(7, "F", True), np.float64(1.5)))
    assert (tensor.array.tolist(), tensor.requires_grad, tensor.is_parameter) == ([[1.0] * 3] * 2, False, True)
    assert others == [7, 1.5]


def arrays() -> st.SearchStrategy[np.ndarray[Any, Any]]:
    """Generate arrays of any dtype, up to four axes and arbitrary bits."""

    def filled(dtype: np.dtype[Any], shape: list[int], seed: int) -> np.ndarray[Any, Any]:
        size = dtype.itemsize * math.prod(shape)
        raw = np.frombuffer(np.random.default_rng(seed).bytes(size + 1), dtype=np.uint8)[:size]
        return (raw & 1 if dtype.kind == "b" else raw).view(dtype).reshape(shape)

    shapes = st.lists(st.integers(0, 4), max_size=4)
    return st.builds(filled, st.sampled_from(form.DTYPES), shapes, st.integers(0, 2**32))


texts = st.text(st.characters(), max_size=8) | st.text(st.characters(categories=["Cs"]), max_size=3)
int64s = st.integers(-(2**63), 2**63 - 1)
names = st.text(max_size=5)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**8000), 2**8000)
    | st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack("<d", struct.pack("<Q", bits))[0])
    | st.sampled_from([0.0, -0.0, math.inf, -math.inf, math.nan])
    | texts
    | st.binary(max_size=8)
    | arrays()
    | st.builds(Export, st.integers(0, 2**63 - 1), names, st.booleans(), st.tuples(names), st.tuples())
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(texts | int64s, inner, max_size=4)
        | st.builds(Handle, st.integers(0, 2**63 - 1), names, st.booleans(), st.dictionaries(names, inner, max_size=2))
    ),
    max_leaves=20,
)


@pytest.mark.slow
@given(values)
def test_any_value_crosses_unchanged(value: object) -> None:
    assert identical(through(value), value)


PAYLOADS = [b"first", b"", b"x" * 40, b"\0\0\0\0", b"last"]
STREAM = b"".join(map(pack_frame, PAYLOADS))


def read_in_pieces(stream: bytes, size: int) -> list[bytes]:
    reader = FrameReader()
    return [payload for start in range(0, len(stream), size) for payload in reader.feed(stream[start : start + size])]


def test_every_split_point_gives_the_payloads() -> None:
    for cut in range(len(STREAM) + 1):
        reader = FrameReader()
        assert reader.feed(STREAM[:cut]) + reader.feed(STREAM[cut:]) == PAYLOADS


def test_payload_over_the_limit_is_not_packed() -> None:
    with pytest.raises(WireError, match="16777217 bytes are over the limit of 16777216"):
        pack_frame(bytes(FRAME_LIMIT + 1))


@pytest.mark.parametrize("claim", [FRAME_LIMIT + 1, 2**31, 2**32 - 1])
def test_header_that_claims_too_much_is_refused_before_any_body(claim: int) -> None:
    reader = FrameReader()
    assert reader.feed(pack_frame(b"fine")) == [b"fine"]
    with pytest.raises(WireError, match=f"{claim} bytes are over the limit of 16777216"):
        reader.feed(struct.pack("<I", claim))


def test_header_of_the_largest_frame_allocates_nothing() -> None:
    reader = FrameReader()
    tracemalloc.start()
    try:
        assert reader.feed(struct.pack("<I", FRAME_LIMIT) + b"a few bytes") == []
        assert tracemalloc.get_traced_memory()[1] < 10_000
    finally:
        tracemalloc.stop()


def test_largest_frame_costs_the_same_in_smaller_pieces() -> None:
    frame = pack_frame(bytes(FRAME_LIMIT))
    large_s, small_s = (measure_least(partial(read_in_pieces, frame), size) for size in (2**16, 2**11))
    assert small_s < 8 * large_s  # 32 times as many pieces: a reader that copies what it has for each takes 32 times


def test_many_empty_frames_at_once_take_linear_time() -> None:
    def read(count: int) -> None:
        assert len(FrameReader().feed(pack_frame(b"") * count)) == count

    assert_linear(read, 6_000)
