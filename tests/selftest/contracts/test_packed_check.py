"""Derived checks as bytes and in the handout: they come back as they were, and hold nothing but data."""

import dataclasses
import os
import pickle
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from autograder.checks.values import is_equal
from autograder.contracts import Contract, judge_functions
from autograder.contracts.packed_check import add_digest, make_array, pack_check, unpack_check
from autograder.programs.recipes import Toy
from tests.selftest.contracts.test_dialogues import ASK
from tests.selftest.contracts.test_laws import TOSS
from tests.selftest.contracts.test_toys import CONTRACT as WITH_TOYS
from tests.selftest.contracts.toy_contracts import ALL, PICK, SEED

RIGHT = {each.name: each.reference for each in ALL}
ROWS = [(contract, purpose) for contract in ALL for purpose in ("ordinary", "everywhere")] + [(PICK, "gradient_check")]


def flatten(value: Any) -> Any:
    """Turn records, and their copies, into the same plain values."""
    if dataclasses.is_dataclass(value):
        return [type(value).__name__, *(flatten(getattr(value, each.name)) for each in dataclasses.fields(value))]
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *map(flatten, value)]
    if hasattr(value, "items"):
        return {key: flatten(each) for key, each in value.items()}
    return value.item() if isinstance(value, np.generic) else value


@pytest.mark.parametrize(("contract", "purpose"), ROWS, ids=lambda each: getattr(each, "name", each))
def test_a_check_comes_back_as_it_was(contract: Contract, purpose: str) -> None:
    check = contract.derive(purpose, SEED)
    data = pack_check(check)
    assert data is not None
    again = unpack_check(data)
    assert type(again) is type(check)
    assert is_equal(flatten(again), flatten(check))
    packed = pack_check(again)
    assert packed is not None and pack_check(unpack_check(packed)) == packed
    assert judge_functions(again, RIGHT.__getitem__) == (1.0, None)


VISIBLE = [*(each.ordinary() for each in (*ALL, ASK, TOSS, WITH_TOYS)), PICK.gradient_check()]


class _Other(NamedTuple):
    value: object


@pytest.mark.parametrize(
    "value",
    [
        *(len, _Other(1), Path("/"), object(), {"a"}, frozenset("a"), bytearray(b"a")),
        *(np.longdouble([1.0]), np.array([None]), np.ma.array([1.0]), np.zeros((17, 2**17))),
    ],
    ids=lambda value: f"{type(value).__name__} {getattr(value, 'dtype', '')}",
)
def test_a_check_with_anything_else_has_no_bytes(value: object) -> None:
    check = PICK.derive("ordinary", SEED)._replace(untouched=value)  # type: ignore[call-arg]
    assert pack_check(check) is None


class _Calls:
    """Pickled as a call of a function."""

    def __init__(self, called: Any, *arguments: object) -> None:
        self.call = called, arguments

    def __reduce__(self) -> tuple[Any, tuple[object, ...]]:
        return self.call


def write_bytes(value: object) -> bytes:
    """Write any value as the bytes of a check."""
    return add_digest(pickle.dumps(value))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        add_digest(b"x"),
        write_bytes(_Calls(os.mkdir, "/called")),
        write_bytes(_Calls(eval, "1")),
        write_bytes(_Calls(Toy)),
        write_bytes(_Calls(make_array, "f8", (3,), b"")),
        write_bytes([1.0, 2.0])[:-1],
    ],
    ids=["empty", "no digest", "no pickle", "a function", "a builtin", "no fields", "too few bytes", "cut"],
)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"the bytes (hold no kept value|are not whole)"):
        unpack_check(data)
    assert not Path("/called").exists()
