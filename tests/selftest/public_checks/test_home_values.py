"""Values at home: student code gets the copies, and a check the values, that would cross between grader and worker."""

from __future__ import annotations

from collections import OrderedDict, deque, namedtuple
from typing import Any

import numpy as np
import pytest

from autograder.public_checks.home_values import copy_argument, make_plain
from autograder.sandbox.calls.values import Values
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.outcome import CallFailed
from autograder.sandbox.protocol.wire import Handle, WireError

Pair = namedtuple("Pair", "a b")
CYCLE: list[Any] = []
CYCLE.append(CYCLE)


class Rows(np.ndarray):
    """A subclass of an array, as numpy's matrix is."""


class Own:
    """An object that stays where it is."""


VALUES: dict[str, Any] = {
    "none": None,
    "numbers": [True, 3, -0.5, float("inf"), 10**30],
    "texts": ("a", b"b", np.str_("c")),
    "scalars": [np.float64(1.5), np.int32(2), np.bool_(True)],
    "array": np.arange(6.0).reshape(2, 3).T,
    "strided": np.arange(10)[::2],
    "subclass": np.arange(4.0).reshape(2, 2).view(Rows),
    "masked": np.ma.masked_array([1.0, 2.0], [False, True]),
    "objects": np.array([1, "a", None], dtype=object),
    "no axes": np.array(2.5),
    "long": np.array([1.5], dtype=np.longdouble),
    "named": Pair(1, np.float32(2)),
    "sequences": [deque([1]), range(3), {1: 2}.keys(), {1: 2}.values()],
    "dict": OrderedDict(a=np.arange(2), b={"c": (1,)}),
    "own": [Own(), len, np.add, {1, 2}, iter([])],
}
REFUSED: dict[str, Any] = {
    "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
    "keys": {(1, 2): 3},
    "cycle": CYCLE,
}


def cross(value: Any) -> Any:
    """Return what the grader receives from a worker."""
    return decode(Values(None).pack(value), allow_handles=True, allow_exports=False)


def keep(value: Any) -> Handle:
    """Describe an object as a worker does; the numbers do not count."""
    return Handle(0, type(value).__name__, callable(value))


def show(value: Any) -> str:
    """Write a value with its types, the number of an object as 0."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.flags.c_contiguous} {value.tolist()}"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}[{', '.join(map(show, value))}]"
    if isinstance(value, dict):
        return f"{type(value).__name__}[{', '.join(f'{key!r}: {show(item)}' for key, item in value.items())}]"
    if isinstance(value, Handle):
        return f"object {value.type_name} {value.is_callable}"
    return f"{type(value).__name__} {value!r}"


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_what_would_cross(name: str) -> None:
    assert show(make_plain(VALUES[name], keep)) == show(cross(VALUES[name]))


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_cross_is_refused(name: str) -> None:
    with pytest.raises(WireError):
        cross(REFUSED[name])
    with pytest.raises(CallFailed) as failed:
        make_plain(REFUSED[name], keep)
    assert failed.value.outcome.detail == "it returned something that cannot be handed over"


def test_arguments_are_copies_in_c_order() -> None:
    array = np.arange(6.0).reshape(2, 3).T
    given = {"x": [array, (np.float64(2),)]}
    copied = copy_argument(given, keep)
    assert copied["x"][0] is not array and copied["x"][0].flags.c_contiguous
    assert np.array_equal(copied["x"][0], array)
    assert type(copied["x"][1][0]) is float
    assert copy_argument(Own(), keep).type_name == "Own"
