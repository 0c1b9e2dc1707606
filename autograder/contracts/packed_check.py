"""Packed check: turns the data of a derived check into bytes, and back.

The bytes hold plain values and the records listed here, and nothing that is run or looked up. A check with anything
else in it, such as a function, has no bytes: it is derived at each start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.case import Case
from autograder.contracts.check import CacheSource, CaseCheck
from autograder.contracts.gradient_row import GradientCheck, Loss
from autograder.contracts.law import LawRun
from autograder.contracts.law_judgement import Laws
from autograder.contracts.live_argument import Constant, Generator
from autograder.contracts.object_check import ObjectCase, ObjectCheck
from autograder.contracts.object_request import Step
from autograder.contracts.open_check import OpenCheck
from autograder.contracts.rule import Rule
from autograder.contracts.talk import Draws
from autograder.contracts.toy import Toy
from autograder.sandbox.host.callback_source import CallbackSource
from autograder.sandbox.protocol.wire import WireError, decode, encode

_OF_FUNCTIONS = (CacheSource, CallbackSource, Case, CaseCheck, GradientCheck, Loss, Toy)
_OPEN = (Constant, Draws, Generator, LawRun, Laws, OpenCheck, Rule)
_CLASSES = (*_OF_FUNCTIONS, *_OPEN, ObjectCase, ObjectCheck, Step)
_RECORDS: Mapping[str, Any] = {each.__name__: each for each in _CLASSES}
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
    if _RECORDS.get(name) is type(value):
        names = [each.name for each in fields(value)] if is_dataclass(value) else value._fields
        return {_RECORD: name, "fields": [_write(getattr(value, each)) for each in names]}
    if isinstance(value, tuple) or callable(value):
        raise _NotPlain
    return value


def _read(value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)(map(_read, value))
    if not isinstance(value, dict):
        return value
    if _RECORD in value:
        return _RECORDS[value[_RECORD]](*map(_read, value["fields"]))
    return {key: _read(each) for key, each in value.items()}
