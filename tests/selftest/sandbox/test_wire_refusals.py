"""The encoder accepts no look-alike of a plain value and says why a value may not cross."""

import enum
import tracemalloc
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.programs.plain_values import Handle, type_name
from autograder.sandbox.protocol import wire as form
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.wire import Export, WireError, encode


class LyingFloat(float):
    @property
    def __class__(self) -> type:
        return float

    @__class__.setter
    def __class__(self, value: type) -> None: ...


class LyingArray(np.ndarray[Any, Any]):
    shape = property(lambda self: (2, 2))  # type: ignore[assignment]
    dtype = property(lambda self: np.dtype(np.float64))  # type: ignore[assignment]


class LyingList(list[Any]):
    def __len__(self) -> int:
        return 0


class LyingText(str):
    def encode(self, *_: Any) -> bytes:  # type: ignore[override]
        return b"passed"


class LyingMeta(type):
    __name__ = property(lambda cls: "float")  # type: ignore[assignment]

    def __hash__(cls) -> int:
        return hash(float)

    def __eq__(cls, other: object) -> bool:
        return True


class LyingClass(float, metaclass=LyingMeta):
    pass


Pair = namedtuple("Pair", "a b")
Colour = enum.IntEnum("Colour", "RED")
LOOKALIKES = [
    LyingFloat(1.0),
    np.zeros((0, 3)).view(LyingArray),
    LyingList([1]),
    LyingText("failed"),
    LyingClass(1.0),
    Pair(1, 2),
    Colour(1),
    np.float64(1.0),
    np.bool_(True),
    np.array([1.0]).view(np.matrix),
    bytearray(b"a"),
    1j,
    {1},
    type("LyingHandle", (Handle,), {})(1, "a", False),
]


@pytest.mark.parametrize("value", LOOKALIKES, ids=lambda value: type.__dict__["__name__"].__get__(type(value)))
def test_subclass_is_never_taken_for_its_base(value: object) -> None:
    with pytest.raises(WireError, match=f"a value of type {type_name(value)} cannot cross, at value"):
        encode(value)
    assert through(value, type_name) == type_name(value)


def through(value: object, convert: Callable[[Any], object]) -> Any:
    return decode(encode(value, convert=convert))


FOREIGN = {
    "object": np.array([None]),
    "<U1": np.array(["a"]),
    "|S1": np.array([b"a"]),
    "datetime64": np.array(["2020-01-01"], dtype="datetime64[D]"),
    "timedelta64": np.array([1], dtype="timedelta64[s]"),
    "float128|longdouble": np.zeros(2, dtype=np.longdouble),
    "complex256|clongdouble": np.zeros(2, dtype=np.clongdouble),
    r"\[\('a', '<f8'\)\]": np.zeros(2, dtype=[("a", "<f8")]),
    r"\[\('p', 'O'\)\]": np.zeros(2, dtype=[("p", object)]),
    r"\|V8": np.zeros(2, dtype="V8"),
}


@pytest.mark.parametrize("dtype", FOREIGN)
def test_array_of_another_dtype_goes_to_convert_or_is_refused(dtype: str) -> None:
    with pytest.raises(WireError, match=f"an array of dtype ({dtype}).* cannot cross"):
        encode(FOREIGN[dtype])
    assert through(FOREIGN[dtype], type_name) == "ndarray"


def test_convert_is_asked_for_foreign_values_at_any_depth() -> None:
    value = {"a": [Pair(1, np.float64(2.5))]}
    came = through(value, lambda foreign: tuple(foreign) if isinstance(foreign, tuple) else float(foreign))
    assert came == {"a": [(1, 2.5)]}


def test_what_convert_changes_still_gives_a_sound_payload() -> None:
    items: list[Any] = [object(), 1]
    assert through(items, items.append) == [None, 1]
    entries: dict[Any, Any] = {"a": object()}
    assert through(entries, lambda _: entries.setdefault("b", 2)) == {"a": 2}


def nested(levels: int) -> Any:
    return [nested(levels - 1)] if levels else None


def cyclic() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


TOO_MUCH = {
    "cyclic list": (cyclic(), r"nested deeper than 32 levels, at value(\[0\]){33}$"),
    "one level too deep": (nested(form.DEPTH_LIMIT + 1), "nested deeper than 32 levels"),
    "items in all": ([[None] * 200_001] * 2, r"more than 400000 parts, at value\[1\]"),
    "arrays in all": ([np.zeros(())] * 50_000, r"more than 400000 parts, at value\[\d+\]"),
    "dicts in all": ([{}] * 50_000, r"more than 400000 parts, at value\[\d+\]"),
    "dict": (dict.fromkeys(range(1025)), "a dict of 1025 entries is over the limit of 1024"),
    "int": (2**8192, "an int of 1025 bytes is over the limit of 1024"),
    "text": ("a" * (form.TEXT_LIMIT + 1), "more than 8388608 bytes of text"),
    "text once encoded": ("\u00e4" * (form.TEXT_LIMIT // 2 + 1), "more than 8388608 bytes of text"),
    "text in all": (["a" * (form.TEXT_LIMIT // 2 + 1)] * 2, r"more than 8388608 bytes of text, at value$"),
    "bytes and their header": (bytes(form.FRAME_LIMIT), "16777221 bytes are over the limit of 16777216"),
    "bytes in all": ([bytes(2**23)] * 3, r"25165824 bytes are over the limit of 16777216, at value\[2\]"),
    "bytes of arrays in all": ([np.zeros(2**20)] * 3, r"25165824 bytes are over the limit of 16777216, at value\[2\]"),
    "broadcast array": (np.broadcast_to(np.zeros(1), 2**28), "2147483648 bytes are over the limit"),
    "giant axis of an empty array": (np.empty((0, 2**40)), "8796093022208 bytes are over the limit"),
    "key of another type": (
        {"a": {(1, 2): 0}},
        r"a dict key must be a str or an int of 8 bytes, not tuple, at value\['a'\]",
    ),
    "key that is a bool": ({True: 0}, "a dict key must be a str or an int of 8 bytes, not bool"),
    "key that is a large int": ({2**63: 0}, "a dict key must be a str or an int of 8 bytes, not int"),
    "key that is a subclass": ({LyingText("a"): 0}, "a dict key must be a str or an int of 8 bytes, not LyingText"),
    "handle's id": (Handle(-1, "a", False), "the id of a handle or export is an int of 0 to"),
    "handle's type": (Handle(1, "a" * 201, False), "a name is a str of at most 200 characters"),
    "handle's int attribute": (Handle(1, "a", False, {7: 0}), "a name is a str of at most 200"),  # type: ignore[dict-item]
    "export's field": (Export(1, "a", 1), "a handle or export has a field of another type"),  # type: ignore[arg-type]
    "export's method": (Export(1, "a", False, ("b" * 201,)), "a name is a str of at most 200 characters"),
}


@pytest.mark.parametrize(("value", "message"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_value_over_a_limit_is_refused_in_words(value: object, message: str) -> None:
    with pytest.raises(WireError, match=message):
        encode(value)


HUGE = {
    "text": "\u00e4" * 2**24,
    "broadcast array": np.broadcast_to(np.zeros(1), 2**28),
    "broadcast array of bools": np.broadcast_to(np.zeros(1, dtype=np.bool_), 2**28),
}


@pytest.mark.parametrize("value", HUGE.values(), ids=HUGE)
def test_huge_value_is_refused_before_it_is_copied(value: object) -> None:
    tracemalloc.start()
    with pytest.raises(WireError):
        encode(value)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000


def test_message_names_the_place_and_cuts_long_keys() -> None:
    with pytest.raises(WireError) as caught:
        encode({"k" * 1000: [0, {-5: object()}]})
    assert str(caught.value) == f"a value of type object cannot cross, at value[{'k' * 200!r}][1][-5]"
