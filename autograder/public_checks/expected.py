"""Expected: turns visible checks and right values into plain data for the handout, and the data back.

The data of a check holds requests, right values and shares. It holds neither the kinds of cases nor anything that they
are drawn from, so that nothing of a hidden check can be derived from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.contracts.packed_check import RECORDS, list_fields

_DIGITS = 8  # as many as a text shows; tolerances are 3e-5
_SECRET = ("kinds",)  # fields of a check
_NO_DEFAULT = object()


class OnlyOnGradescope(Exception):
    """The check needs something that the handout has not; the text says what."""


def encode(value: Any) -> Any:
    """Encode a value or check in JSON's types, each number with eight digits: the last differ between processors.

    OnlyOnGradescope if it is no plain data.
    """
    if isinstance(value, np.ndarray):
        return {"array": encode(value.tolist()), **_describe_array(value)}
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, float):
        if math.isfinite(value):
            return float(f"{value:.{_DIGITS}g}")
        return {"float": repr(value)}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if type(value) is list:
        return [encode(item) for item in value]
    if type(value) is tuple:
        return {"tuple": encode(list(value))}
    if isinstance(value, Mapping):
        return {"dict": [list(map(encode, pair)) for pair in value.items()]}
    return _encode_record(value)


def _describe_array(value: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Describe what the nested lists of an array do not say."""
    described: dict[str, Any] = {}
    if value.dtype != np.float64:
        described["dtype"] = value.dtype.name
    if not value.size:
        described["shape"] = list(value.shape)
    return described


def _encode_record(value: Any) -> dict[str, Any]:
    """Encode a record without the fields that have their defaults."""
    fields = list_fields(value)
    name = type(value).__name__
    if fields is None or name not in RECORDS:
        raise OnlyOnGradescope(f"a {name}")
    defaults = getattr(type(value), "_field_defaults", {})
    shown = {"record": name}
    for key, item in fields.items():
        if key not in _SECRET and not _is_same(item, defaults.get(key, _NO_DEFAULT)):
            shown[key] = encode(item)
    return shown


def _is_same(value: object, default: object) -> bool:
    """Whether a value is the default; tuples alone are compared, because arrays have no truth value."""
    if type(value) is tuple and type(default) is tuple:
        return value == default
    return value is default


def decode(value: Any) -> Any:
    """Decode a value or check that was encoded here; returns a fresh object each time."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "record" in value:
        fields = {key: decode(item) for key, item in value.items() if key != "record"}
        return RECORDS[value["record"]](**fields)
    if "array" in value:
        dtype = value.get("dtype", "float64")
        array = np.array(decode(value["array"]), dtype=dtype)
        return array.reshape(value.get("shape", array.shape))
    if "tuple" in value:
        return tuple(map(decode, value["tuple"]))
    if "dict" in value:
        return dict(map(decode, value["dict"]))
    return float(value["float"])
