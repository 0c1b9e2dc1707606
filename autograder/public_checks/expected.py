"""Expected: turns visible checks and right results into plain data for the handout, and the data back.

The data of a contract's check holds requests, right values and shares. It holds neither the kinds of cases nor anything
that they are drawn from, so that nothing of a hidden check can be derived from it. Recorded results become functions
that look them up; nothing here computes them. A result is found by the function's name and its arguments: numbers are
compared to eight digits, functions by their names. For a class, the state before and after each method is recorded.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from autograder.contracts.packed_check import RECORDS, list_fields

_Find = Callable[[str, Sequence[Any]], Any]  # the result of the function of this name for these arguments
_KEY_CHARACTERS = 20
_DIGITS = 8  # as many as a text shows; tolerances are 3e-5
_SECRET = ("kinds",)  # fields of a check
_NO_DEFAULT = object()


class OnlyOnGradescope(Exception):
    """The check needs something that the handout has not; the text says what."""


def compute_key(name: str, arguments: Sequence[Any]) -> str:
    """Compute the key of a call's result."""
    text = json.dumps([name, _reduce_precision(encode_plain(list(arguments)))])
    return hashlib.sha256(text.encode()).hexdigest()[:_KEY_CHARACTERS]


def _encode_name(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return encode_plain(value[:])  # without the names of a named tuple
    return {"named": getattr(value, "__name__", type(value).__name__)}


def encode_plain(value: Any, encode_other: Callable[[Any], Any] = _encode_name) -> Any:
    """Encode a value in JSON's types; `encode_other` does so with functions and objects, by default by their names."""
    if isinstance(value, np.ndarray):
        return {"array": encode_plain(value.tolist()), **_describe_array(value)}
    if isinstance(value, np.generic):
        return encode_plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if type(value) in (list, tuple):
        items = [encode_plain(item, encode_other) for item in value]
        return {"tuple": items} if isinstance(value, tuple) else items
    if isinstance(value, Mapping):
        pairs = value.items()
        return {"dict": [[encode_plain(key), encode_plain(item, encode_other)] for key, item in pairs]}
    return encode_other(value)


def _describe_array(value: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Describe what the nested lists of an array do not say."""
    dtype = {} if value.dtype == np.float64 else {"dtype": value.dtype.name}
    return dtype if value.size else {**dtype, "shape": list(value.shape)}


def encode_rounded(value: Any) -> Any:
    """Encode a value as `encode_plain` does, each number to eight digits: the last differ between processors."""
    return round_numbers(encode_plain(value))


def encode_check(check: Any) -> Any:
    """Encode a check as `encode_rounded` does, but for defaults; OnlyOnGradescope if it is no plain data."""
    return round_numbers(encode_plain(check, _encode_record))


def _encode_record(value: Any) -> dict[str, Any]:
    fields, name = list_fields(value), type(value).__name__
    if fields is None or name not in RECORDS:
        raise OnlyOnGradescope(f"a {name}")
    defaults = getattr(type(value), "_field_defaults", {})
    told = {key: item for key, item in fields.items() if not _is_same(item, defaults.get(key, _NO_DEFAULT))}
    shown = {key: encode_plain(item, _encode_record) for key, item in told.items() if key not in _SECRET}
    return {"record": name, **shown}


def _is_same(value: object, default: object) -> bool:
    return value is default or (value == default if type(value) is type(default) is tuple else False)


def round_numbers(value: Any) -> Any:
    """Round each number of an encoded value to eight digits."""
    if isinstance(value, dict):
        return {key: round_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [round_numbers(item) for item in value]
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def decode_plain(value: Any) -> Any:
    """Decode a value or check that was encoded here; returns a fresh object each time."""
    if isinstance(value, list):
        return [decode_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "record" in value:
        return RECORDS[value["record"]](**{key: decode_plain(item) for key, item in value.items() if key != "record"})
    if "array" in value:
        found = np.array(decode_plain(value["array"]), dtype=value.get("dtype", "float64"))
        return found.reshape(value.get("shape", found.shape))
    if "tuple" in value:
        return tuple(decode_plain(value["tuple"]))
    if "dict" in value:
        return {decode_plain(key): decode_plain(item) for key, item in value["dict"]}
    return float(value["float"])


def load_recorded(question: str) -> dict[str, Any]:
    """Load the functions and classes of a question's recorded results, by name; its data is beside the grader's zip."""
    path = Path(__file__).parents[3] / f"{question}.json.gz"
    return build_recorded(json.loads(gzip.decompress(path.read_bytes()))["recorded"])


def build_recorded(content: Mapping[str, Any]) -> dict[str, Any]:
    """Build the functions and classes of recorded results, by name."""
    find = partial(_find_result, content["results"])
    classes = {
        name: type(name, (), {method: _build_method(find, f"{name}.{method}") for method in methods})
        for name, methods in content["classes"].items()
    }
    return {name: _build_function(find, name) for name in content["functions"]} | classes


def _find_result(results: Mapping[str, Any], name: str, arguments: Sequence[Any]) -> Any:
    try:
        return decode_plain(results[compute_key(name, arguments)])
    except KeyError:
        problem = f"the right result of {name} for these arguments is not part of the handout"
        raise OnlyOnGradescope(problem) from None


def _build_function(find: _Find, name: str) -> Callable[..., Any]:
    return lambda *arguments: find(name, arguments)


def _build_method(find: _Find, name: str) -> Callable[..., Any]:
    def look_up(self: Any, *arguments: Any) -> Any:
        state, value = find(name, (dict(vars(self)), *arguments))
        vars(self).update(state)
        return value

    return look_up


def _reduce_precision(value: Any) -> Any:
    """Keep eight digits of every number: the last digits differ between processors."""
    if isinstance(value, dict) and "array" in value:
        return _reduce_precision({"shape": value.get("shape"), "entries": value["array"]})
    if isinstance(value, dict):
        return {key: _reduce_precision(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_reduce_precision(item) for item in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value + 0.0:.{_DIGITS}g}"
    return value
