"""Call values: copies values of calls, changes their precision, and finds what is not finite or cannot cross."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.contracts.signature import ContractError, Signature

_IMMUTABLE = (bool, int, float, type(None))


def convert_to_single(value: Any) -> Any:
    """Return a value with float32 in place of float64."""
    if isinstance(value, list):
        return [convert_to_single(each) for each in value]
    is_real = isinstance(value, np.ndarray) and value.dtype == np.float64
    return value.astype(np.float32) if is_real else value


def copy_value(value: Any) -> Any:
    """Copy a value and all that it holds, as a worker gets it: texts are other objects than the equal ones here."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) is str:
        return value[:1] + value[1:]
    if type(value) in (list, tuple):
        return type(value)(map(copy_value, value))
    if type(value) is dict:
        return {copy_value(key): copy_value(each) for key, each in value.items()}
    return value if type(value) in _IMMUTABLE else copy.deepcopy(value)


def convert_to_double(value: Any) -> Any:
    """Return a value with float64 in place of float32, so that right values have all digits."""
    if isinstance(value, (list, tuple)):
        return type(value)(convert_to_double(each) for each in value)
    if isinstance(value, dict):
        return {key: convert_to_double(each) for key, each in value.items()}
    is_single = isinstance(value, np.ndarray) and value.dtype == np.float32
    return value.astype(np.float64) if is_single else value


def is_finite(value: Any) -> bool:
    """Tell whether all numbers of a value are finite."""
    if isinstance(value, dict):
        return all(map(is_finite, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_finite, value))
    if isinstance(value, (float, np.floating)) or (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
        return bool(np.isfinite(value).all())
    return True


_PLAIN_DTYPES = "biufc"


def require_crossing(signature: Signature, arguments: Sequence[Any]) -> None:
    """Require that arguments, without the cache, can cross; ContractError says which part cannot."""
    names = (each.name for each in signature.arguments if not each.is_cache)
    problems = (find_uncrossable(value, name) for name, value in zip(names, arguments, strict=False))
    problem = next(filter(None, problems), "")
    if problem:
        raise ContractError(f"{signature.name}: {problem}")


def find_uncrossable(value: Any, where: str) -> str:
    """Describe the first part of an argument that cannot cross; empty where all can. `where`: the argument's name."""
    if type(value) in (list, tuple, dict):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        found = (find_uncrossable(each, f"{where}[{key!r}]") for key, each in items)
        return next(filter(None, found), "")
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, (np.generic, bool, int, float))):
        name = np.dtype(value).name
        return f"{where} is the type {name}, which cannot cross to student code; give its name {name!r}, as numpy does"
    if isinstance(value, np.ndarray) and value.dtype.kind not in _PLAIN_DTYPES:
        return f"{where} is an array of {value.dtype}, which cannot cross to student code; give a list"
    if callable(value) and getattr(value, "__module__", "").partition(".")[0] != "autograder":
        return f"{where} is a {type(value).__name__}, which cannot cross to student code; give make_toy of it"
    return ""
