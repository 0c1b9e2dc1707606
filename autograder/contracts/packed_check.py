"""Packed check: turns the data of a derived check, and replies to one, into bytes, and back.

The bytes hold plain values and the records of `RECORDS`, and nothing that is run or looked up. A check with anything
else in it, such as a function, has no bytes: it is derived at each start. A digest shows whether they are whole.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.contracts.case import Case
from autograder.contracts.check import CaseCheck
from autograder.contracts.gradient_row import GradientCheck
from autograder.contracts.law import LawRun
from autograder.contracts.part_comparison import Rule
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.programs.program import STEPS, Program, StepResult
from autograder.programs.recipes import RECIPES
from autograder.programs.source import Source
from autograder.sandbox.protocol.trusted_form import Described, pack_kept, unpack_kept
from autograder.sandbox.protocol.wire import DTYPE_CODES, WireError

_KINDS: list[Any] = [Case, CaseCheck, GradientCheck, LawRun, Rule]
_KINDS += [Program, StepResult, *STEPS, *RECIPES, Source, Handle, Outcome]
RECORDS: Mapping[str, Any] = {each.__name__: each for each in _KINDS}
"""The kinds of records that checks and replies are made of, by name; whoever writes them down knows no others."""


class _NotPlain(Exception):
    """A value has no bytes."""


def pack_check(check: Any) -> bytes | None:
    """Return the bytes of a check, or of replies; None if it has none."""
    try:
        return add_digest(pack_kept(check, _CALLED, _describe))
    except (_NotPlain, WireError):
        return None


def unpack_check(data: bytes) -> Any:
    """Return the check, or the replies, of these bytes; ValueError if they are none."""
    payload = data[hashlib.sha256().digest_size :]
    if add_digest(payload) != data:
        raise ValueError("the bytes are not whole")
    return unpack_kept(payload, _CALLED)


def make_array(dtype: str, shape: tuple[int, ...], content: bytes) -> np.ndarray[Any, Any]:
    """Make an array of its bytes."""
    return np.frombuffer(content, dtype).reshape(shape).copy()


def add_digest(payload: bytes) -> bytes:
    """Return encoded bytes with their digest before them, for a file."""
    return hashlib.sha256(payload).digest() + payload


def list_fields(value: Any) -> dict[str, Any] | None:
    """List the fields of a named tuple or a dataclass, in their order; None for a value of another kind."""
    if hasattr(value, "_fields"):
        return dict(value._asdict())
    if dataclasses.is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    return None


_CALLED = (*RECORDS.values(), OutcomeKind, make_array, bool, int, float, complex, dict)


def _describe(value: Any) -> Described:
    if isinstance(value, np.generic):
        return type(value.item()), (value.item(),)
    if type(value) is np.ndarray and value.dtype.char in DTYPE_CODES:
        return make_array, (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, Mapping):
        return dict, (dict(value),)
    if type(value) is OutcomeKind:
        return OutcomeKind, (value.value,)
    if RECORDS.get(type(value).__name__) is type(value):
        return type(value), tuple((list_fields(value) or {}).values())
    raise _NotPlain
