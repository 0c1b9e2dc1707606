"""Argument leaves: the arrays in an argument that may be a list or a dict of arrays, each under its own name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from autograder.checks import checks
from autograder.checks.values import drop_unit_axes

Path = tuple[int | str, ...]


def name_leaves(name: str, value: Any) -> dict[str, Any]:
    """Return the arrays of a value by name: `dW`, `dWs[0]` in a list, `grads["W"]` in a dict."""
    return {_name(name, path): leaf for path, leaf in _list_leaves(value)}


def replace_leaves(name: str, value: Any, leaves: Mapping[str, Any]) -> Any:
    """Return a value with the arrays that stand in `leaves` under the names of `name_leaves`."""
    if isinstance(value, dict):
        return {key: replace_leaves(_name(name, (key,)), each, leaves) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(replace_leaves(_name(name, (k,)), each, leaves) for k, each in enumerate(value))
    return leaves.get(name, value)


def take_leaves(name: str, value: Any, wanted: Any) -> dict[str, Any]:
    """Return what a student's value has in the places of the arrays of `wanted`; CheckFailed where it lacks one."""
    if isinstance(wanted, dict):
        values: Any = checks.mapping(name, value, tuple(wanted))
        keys: Iterable[Any] = wanted
    elif isinstance(wanted, (list, tuple)):
        keys = range(len(wanted))
        values = checks.parts(name, value, [_name(name, (k,)) for k in keys])
    else:
        return {name: value}
    found = [take_leaves(_name(name, (key,)), values[key], wanted[key]) for key in keys]
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
        return drop_unit_axes(np.shape(value)) == drop_unit_axes(np.shape(wanted))
    except ValueError:  # a list of arrays of different shapes
        return False


def _list_leaves(value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        yield from (((key, *path), leaf) for key, each in value.items() for path, leaf in _list_leaves(each))
    elif isinstance(value, (list, tuple)):
        yield from (((k, *path), leaf) for k, each in enumerate(value) for path, leaf in _list_leaves(each))
    else:
        yield (), value


def _name(name: str, path: Path) -> str:
    return name + "".join(f'["{key}"]' if isinstance(key, str) else f"[{key}]" for key in path)
