"""Packed check: turns the data of a derived check into bytes, and back.

The bytes hold plain values and the records of records.py, and nothing that is run or looked up. A check with anything
else in it, such as a function, has no bytes: it is derived at each start.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.records import RECORDS, list_fields
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.wire import WireError

_RECORD = "\0record"  # the key under which a dict has the name of the record that it stands for


class _NotPlain(Exception):
    """A value has no bytes."""


def pack_check(check: NamedTuple) -> bytes | None:
    """Return the bytes of a check; None if it has none."""
    try:
        return encode(_write(check))
    except (_NotPlain, WireError):
        return None


def unpack_check(data: bytes) -> Any:
    """Return the check of these bytes; ValueError if they are none."""
    try:
        return _read(decode(data, allow_handles=False, allow_exports=False))
    except (WireError, LookupError, TypeError) as error:
        raise ValueError("the bytes hold no check") from error


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
