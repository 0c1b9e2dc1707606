"""Argument leaves: the arrays in an argument that may be a list or a dict of arrays, each under its own name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.checks import checks
from autograder.checks.values import NotNumbers, convert_to_numbers, drop_unit_axes


def name_leaves(name: str, value: Any) -> dict[str, Any]:
    """Return the arrays of a value by name: `dW`, `dWs[0]` in a list, `grads["W"]` in a dict."""
    if not isinstance(value, (dict, list, tuple)):
        return {name: value}
    keys: Iterable[Any] = value if isinstance(value, dict) else range(len(value))
    found = [name_leaves(_name(name, key), value[key]) for key in keys]
    return {leaf: each for leaves in found for leaf, each in leaves.items()}


def replace_leaves(name: str, value: Any, leaves: Mapping[str, Any]) -> Any:
    """Return a value with the arrays that stand in `leaves` under the names of `name_leaves`."""
    if isinstance(value, dict):
        return {key: replace_leaves(_name(name, key), each, leaves) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(replace_leaves(_name(name, k), each, leaves) for k, each in enumerate(value))
    return leaves.get(name, value)


def take_leaves(name: str, value: Any, wanted: Any) -> dict[str, Any]:
    """Return what a student's value has in the places of the arrays of `wanted`; CheckFailed where it lacks one."""
    if isinstance(wanted, dict):
        values: Any = checks.mapping(name, value, tuple(wanted))
        keys: Iterable[Any] = wanted
    elif isinstance(wanted, (list, tuple)):
        keys = range(len(wanted))
        values = checks.parts(name, value, [_name(name, k) for k in keys])
    else:
        return {name: value}
    found = [take_leaves(_name(name, key), values[key], wanted[key]) for key in keys]
    return {leaf: each for leaves in found for leaf, each in leaves.items()}


def has_shapes_of(value: Any, wanted: Any) -> bool:
    """Tell whether a value has the arrays of another, of the same shapes but for axes of length 1."""
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(
            key in value and has_shapes_of(value[key], each) for key, each in wanted.items()
        )
    if isinstance(wanted, (list, tuple)):
        is_list = isinstance(value, (list, tuple)) and len(value) == len(wanted)
        return is_list and all(map(has_shapes_of, value, wanted))
    try:
        return drop_unit_axes(convert_to_numbers(value).shape) == drop_unit_axes(np.shape(wanted))
    except NotNumbers:
        return False


def name_point(gradients: Mapping[str, int], arguments: Sequence[Any]) -> dict[str, Any]:
    """Return the arrays that a loss depends on, each under the name of its gradient.

    `gradients`: by part, the place among the arguments of what the part is the gradient by.
    """
    found = [name_leaves(part, arguments[place]) for part, place in gradients.items()]
    return {name: np.asarray(leaf) for leaves in found for name, leaf in leaves.items()}


def move_arguments(gradients: Mapping[str, int], arguments: Sequence[Any], point: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the arguments at another point; `gradients`, `point`: as in `name_point`."""
    moved = list(arguments)
    for part, place in gradients.items():
        moved[place] = replace_leaves(part, moved[place], point)
    return tuple(moved)


def take_gradients(gradients: Mapping[str, int], arguments: Sequence[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Take a student's gradients from `values` by part, named as in `name_point`; CheckFailed where one is missing."""
    found = [take_leaves(part, values[part], arguments[place]) for part, place in gradients.items()]
    return {name: each for leaves in found for name, each in leaves.items()}


def _name(name: str, key: int | str) -> str:
    return name + (f'["{key}"]' if isinstance(key, str) else f"[{key}]")
