"""Expected: the right results of public checks, recorded when the handout was made; nothing here computes them.

A result is found by the function's name and by what it is given, as far as that is plain values: numbers are compared
to nine digits, functions by their names. Of a class, its state before and after each method is recorded.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

_KEY_CHARACTERS = 20


class NotRecorded(Exception):
    """A result that the handout does not hold was asked for."""


def compute_key(name: str, arguments: Sequence[Any]) -> str:
    """Under what the result of a call is kept."""
    text = json.dumps([name, _rounded(as_plain(list(arguments)))])
    return hashlib.sha256(text.encode()).hexdigest()[:_KEY_CHARACTERS]


def as_plain(value: Any) -> Any:
    """A value in the types that JSON has; functions and other objects by their names."""
    if isinstance(value, np.ndarray):
        return {"array": as_plain(value.tolist()), "shape": list(value.shape), "dtype": value.dtype.name}
    if isinstance(value, np.generic):
        return as_plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        items = [as_plain(item) for item in value]
        return {"tuple": items} if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {"dict": [[as_plain(key), as_plain(item)] for key, item in value.items()]}
    return {"named": getattr(value, "__name__", type(value).__name__)}


def from_plain(value: Any) -> Any:
    """The value that `as_plain` was given; a fresh one each time."""
    if isinstance(value, list):
        return [from_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return np.array(from_plain(value["array"]), dtype=value["dtype"]).reshape(value["shape"])
    if "tuple" in value:
        return tuple(from_plain(value["tuple"]))
    if "dict" in value:
        return {from_plain(key): from_plain(item) for key, item in value["dict"]}
    return float(value["float"])


def recorded(path: Path) -> dict[str, Any]:
    """By name the functions and classes whose results stand in a file."""
    content = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {name: _function(name, content["results"]) for name in content["functions"]}
    for name, methods in content["classes"].items():
        names[name] = _class(name, methods, content["results"])
    return names


def _result(name: str, arguments: Sequence[Any], results: Mapping[str, Any]) -> Any:
    try:
        return from_plain(results[compute_key(name, arguments)])
    except KeyError:
        raise NotRecorded(f"the right result of {name} for these arguments is not part of the handout") from None


def _function(name: str, results: Mapping[str, Any]) -> Callable[..., Any]:
    def look_up(*arguments: Any) -> Any:
        return _result(name, arguments, results)

    return look_up


def _class(name: str, methods: Sequence[str], results: Mapping[str, Any]) -> type:
    def method_of(method: str) -> Callable[..., Any]:
        def look_up(self: Any, *arguments: Any) -> Any:
            state, value = _result(f"{name}.{method}", (dict(vars(self)), *arguments), results)
            vars(self).update(state)
            return value

        return look_up

    return type(name, (), {method: method_of(method) for method in methods})


def _rounded(value: Any) -> Any:
    """With nine digits of every number: another processor may make the last ones differently."""
    if isinstance(value, dict) and "array" in value:
        return _rounded({"shape": value["shape"], "entries": value["array"]})
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value + 0.0:.9g}"
    return value
