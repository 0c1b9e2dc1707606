"""Expression: writes a plain value as an expression of Python, for lines that a student pastes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

import numpy as np

_NUMBERS = 300  # of one array
_DIGITS = 8  # as in the text of a failed check
FRESH = '"".join'
_IDENTITY = re.compile(r"\bis(?:[ \t]+not)?[ \t]+[\"'](\w+)[\"']|[\"'](\w+)[\"'][ \t]+is\b")


class Unwritable(Exception):
    """A value has no text of a sensible size."""


def find_identity_texts(sources: Iterable[str]) -> frozenset[str]:
    """Find the texts that code compares by `is`, which is true of some equal texts and false of others."""
    found = (match for source in sources for match in _IDENTITY.finditer(source))
    return frozenset(match.group(1) or match.group(2) for match in found)


def write_text(text: str, *, fresh_texts: Collection[str]) -> str:
    """Write a text; one of the `fresh_texts` as another object than an equal one in a source file."""
    is_fresh = text in fresh_texts and len(text) > 1  # Python has each letter once
    return f"{FRESH}({text!r})" if is_fresh else repr(text)


def write_value(value: Any, quote: Callable[[str], str] = repr) -> str:
    """Write an expression that makes the value; Unwritable for one that is too large, or no plain value."""
    write = partial(write_value, quote=quote)
    if isinstance(value, np.ndarray):
        return _write_array(value)
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, (bool, int, bytes)):
        return repr(value)
    if isinstance(value, float):
        return repr(float(f"{value:.{_DIGITS}g}")) if np.isfinite(value) else f"float('{value}')"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{write(key)}: {write(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(write, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    raise Unwritable


def _write_array(values: np.ndarray[Any, Any]) -> str:
    if values.size > _NUMBERS or values.dtype.kind not in "bif" or not np.isfinite(values).all():
        raise Unwritable
    if not values.size:
        return f"np.zeros({values.shape})"
    is_usual = values.dtype in (np.float64, np.int64, np.bool_)
    return f"np.array({write_value(values.tolist())}" + (")" if is_usual else f", dtype=np.{values.dtype})")
