"""Crossing: says which part of an argument cannot cross to student code, and what to give in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.contracts.named_parts import ContractError
from autograder.contracts.promised import is_cache
from autograder.contracts.signature import Signature

_PLAIN_DTYPES = "biufc"


def require_crossing(signature: Signature, arguments: Sequence[Any]) -> None:
    """Require that arguments, without the cache, can cross; ContractError says which part cannot."""
    names = (each.name for each in signature.arguments if not is_cache(each))
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
