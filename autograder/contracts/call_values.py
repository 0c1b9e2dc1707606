"""Call values: copies values of calls, changes their precision, names their arrays, and finds what cannot cross.

An argument may be a list or a dict of arrays; each of them has a name of its own, such as `grads["W"]`. Where right
values are not continuous, as at ties and kinks, they jump when arguments are moved a little.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.checks import checks
from autograder.checks.values import NotNumbers, convert_to_numbers, drop_unit_axes
from autograder.contracts.signature import Argument, ArrayKind, ContractError, ListKind, ScalarKind, Signature

Way = tuple[str, ...]
_ASIDE = 1e-10  # so little that values which do not jump move by less than the bound, even where slopes are steep
_MOVED, _MOVED_BY_SHARE = 1e-6, 1e-3  # of a value that jumps: so much, and so much of its largest entry
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


def move_aside(leaves: Sequence[tuple[Way, Argument]], values: Mapping[Way, Any], sign: int) -> dict[Way, Any]:
    """Move all real numbers a little to one side, each by another step; those with bounds stay within."""
    rng = np.random.default_rng(0)  # the same steps for both signs
    return {way: _move(leaf.kind, values[way], sign, rng) for way, leaf in leaves}


def are_apart(first: Any, second: Any) -> bool:
    """Tell whether two values differ by more than the rounding of a continuous function near a point."""
    if isinstance(first, Mapping):
        return first.keys() != second.keys() or any(are_apart(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)):
        return len(first) != len(second) or any(map(are_apart, first, second))
    if not isinstance(first, (int, float, np.ndarray, np.generic)) or np.shape(first) != np.shape(second):
        return bool(np.shape(first) != np.shape(second) or (np.shape(first) == () and first != second))
    one, other = (np.asarray(each, dtype=np.float64) for each in (first, second))
    bound = _MOVED + _MOVED_BY_SHARE * np.abs(one).max(initial=0.0)
    is_whole = np.asarray(first).dtype.kind in "biu"
    return bool((np.abs(one - other) > (0 if is_whole else bound)).any())


def _move(kind: Any, value: Any, sign: int, rng: np.random.Generator) -> Any:
    if isinstance(kind, ListKind) and isinstance(value, list):
        return [_move(kind.item, each, sign, rng) for each in value]
    is_real = isinstance(kind, ArrayKind) and kind.entries == "real" and kind.below is None
    if not is_real and kind != ScalarKind("float"):
        return value
    steps = sign * _ASIDE * rng.uniform(-1, 1, size=np.shape(value))
    moved = value + steps if kind.interval.is_all else value * (1 - np.abs(steps))
    return float(moved) if isinstance(value, float) else moved
