"""Dialogue: writes down what a function asks of an object that it is given, question by question, as plain values.

A question is the name of a method, empty where the object itself is called, and the arguments. Of an object among them
the attributes that the asked one reads are kept, by name.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograder.contracts.call_values import map_leaves

Question = tuple[str, tuple[Any, ...]]
Dialogue = list[Question]
_USE = "the use of "


def write_down(function: Callable[..., Any], name: str, dialogue: Dialogue, reads: Sequence[str]) -> Callable[..., Any]:
    """Return a function that writes each question down before it passes it on; it sees copies of the arguments."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        seen = [_see(each, reads) for each in (*arguments, *keywords.values())]
        dialogue.append((name, tuple(map_leaves(_write, each) for each in seen)))
        return function(*seen)

    return call


def name_use(argument: str) -> str:
    """Name the part that is the dialogue with an argument."""
    return f"{_USE}{argument}"


def is_use(part: str) -> bool:
    """Tell whether a part is such a dialogue."""
    return part.startswith(_USE)


def _see(value: Any, reads: Sequence[str]) -> Any:
    """Return a copy, with records of attributes in place of objects."""
    if isinstance(value, (list, tuple)):
        return type(value)(_see(each, reads) for each in value) if type(value) in (list, tuple) else list(value)
    attributes = getattr(value, "attributes", None)  # of an object that stays with the student's code
    if isinstance(attributes, dict):
        return SimpleNamespace(**{name: _see(each, reads) for name, each in attributes.items() if type(name) is str})
    if value is None or isinstance(value, (bool, int, float, str, bytes, dict, np.ndarray, np.generic)):
        return copy.deepcopy(value)
    found = {name: _see(getattr(value, name), ()) for name in reads if hasattr(value, name)}
    return list(value) if not found and isinstance(value, Iterable) else SimpleNamespace(**found)


def _write(value: Any) -> Any:
    return dict(vars(value)) if isinstance(value, SimpleNamespace) else copy.deepcopy(value)
