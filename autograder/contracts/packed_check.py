"""Packed check: turns the data of a derived check into bytes, and back.

The bytes hold plain values and the records of `RECORDS`, and nothing that is run or looked up. A check with anything
else in it, such as a function, has no bytes: it is derived at each start. Python's `marshal` reads them, as it reads
the compiled code beside the grader's files, so a digest tells first whether they are whole.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.case import Case
from autograder.contracts.check import CaseCheck
from autograder.contracts.gradient_row import GradientCheck, Loss
from autograder.contracts.law import LawRun, Laws
from autograder.contracts.live_argument import Constant, Generator, Toy
from autograder.contracts.object_check import ObjectCase, ObjectCheck
from autograder.contracts.part_comparison import Rule
from autograder.contracts.request import Earlier, Request, Step
from autograder.sandbox.host.callbacks import CallbackSource
from autograder.sandbox.protocol.trusted_form import pack_trusted, unpack_trusted
from autograder.sandbox.protocol.wire import WireError

_OF_FUNCTIONS = (CallbackSource, Case, CaseCheck, Earlier, GradientCheck, Loss, Request, Rule, Toy)
_BESIDE = (Constant, Generator, LawRun, Laws, ObjectCase, ObjectCheck, Step)
RECORDS: Mapping[str, Any] = {each.__name__: each for each in (*_OF_FUNCTIONS, *_BESIDE)}
"""The kinds of records that a derived check is made of, by name; whoever writes checks down knows no others."""
_RECORD = "\0record"  # the key under which a dict has the name of the record that it stands for


class _NotPlain(Exception):
    """A value has no bytes."""


def pack_check(check: NamedTuple) -> bytes | None:
    """Return the bytes of a check; None if it has none."""
    try:
        payload = pack_trusted(_write(check), convert=_refuse)
    except (_NotPlain, WireError):
        return None
    return add_digest(payload)


def unpack_check(data: bytes) -> Any:
    """Return the check of these bytes; ValueError if they are none."""
    payload = data[hashlib.sha256().digest_size :]
    try:
        if add_digest(payload) != data:
            raise ValueError("the bytes are not whole")
        return _read(unpack_trusted(payload, find_object=_refuse, make_served=_refuse))
    except (_NotPlain, LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes hold no check") from error


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


def _refuse(_part: object) -> object:
    raise _NotPlain


def _write(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (tuple, list):
        return type(value)(map(_write, value))
    if isinstance(value, Mapping):
        return {key: _write(each) for key, each in value.items()}
    name = type(value).__name__
    if RECORDS.get(name) is type(value):
        return {_RECORD: name, "fields": [_write(each) for each in (list_fields(value) or {}).values()]}
    if isinstance(value, tuple) or callable(value):
        raise _NotPlain
    return value


def _read(value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)(map(_read, value))
    if not isinstance(value, dict):
        return value
    if _RECORD in value:
        return RECORDS[value[_RECORD]](*map(_read, value["fields"]))
    return {key: _read(each) for key, each in value.items()}
