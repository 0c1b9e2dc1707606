"""Call values: copies values of calls, changes their precision, names their arrays, and finds what cannot cross.

An argument may be a list or a dict of arrays; each of them has a name of its own, such as `grads["W"]`. Where right
values are not continuous, as at ties and kinks, they jump when arguments are moved a little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import NotNumbers, convert_to_numbers, drop_unit_axes
from autograder.contracts.case import Named
from autograder.contracts.interval import Interval
from autograder.contracts.signature import ContractError, Function, Signature

if TYPE_CHECKING:
    from autograder.contracts.kinds import Values

_ASIDE = 1e-12  # so little that values which do not jump stay right, even where arguments are tiny


def map_leaves(change: Function, value: Any) -> Any:
    """Return a value with `change` of each part that is no list, tuple or dict."""
    if isinstance(value, (list, tuple)):
        items = [map_leaves(change, each) for each in value]
        if type(value) is list:
            return items
        return tuple(items)
    if isinstance(value, dict):
        return {key: map_leaves(change, each) for key, each in value.items()}
    return change(value)


def is_real(leaf: Any) -> bool:
    """Return whether a part of a value is an array of reals."""
    return isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f"


def map_reals(change: Function, value: Any) -> Any:
    """Return a value with `change` of each array of reals."""

    def change_reals(leaf: Any) -> Any:
        if is_real(leaf):
            return change(leaf)
        return leaf

    return map_leaves(change_reals, value)


def convert_reals(value: Any, dtype: type) -> Any:
    """Return a value with arrays of reals in another precision: right values of doubles have all digits."""
    return map_reals(lambda leaf: leaf.astype(dtype, copy=False), value)


def is_finite(value: Any) -> bool:
    """Return whether all numbers of a value are finite."""
    leaves = name_leaves("", value)
    reals = filter(is_real, map(np.asarray, leaves.values()))
    return all(np.isfinite(array).all() for array in reals)


_PLAIN_DTYPES = "biufc"
_MADE = "of which a driver makes it, or for `new question` a function make_word of the solution, see docs/contracts.md"
_HOLDERS = (dict, list, tuple)


def require_crossing(signature: Signature, arguments: Sequence[Any]) -> None:
    """Require that arguments can cross; ContractError says which part cannot."""
    for argument, value in zip(signature.arguments, arguments, strict=False):
        for problem in _list_uncrossable(argument.name, value):
            raise ContractError(f"{signature.name}: {problem}")


def _list_uncrossable(where: str, value: Any) -> Iterator[str]:
    """Describe the parts of an argument that cannot cross."""
    if not isinstance(value, _HOLDERS):
        yield from _describe_uncrossable(where, value)
        return
    if isinstance(value, dict):
        for key in value:
            if type(key) not in (int, str):
                problem = f"{where} has the key {key!r}, and keys that cross to student code are texts or integers"
                yield f"{problem}; give a list of pairs, {_MADE}"
    for name, item in _name_items(where, value):
        yield from _list_uncrossable(name, item)


def _describe_uncrossable(where: str, value: Any) -> Iterator[str]:
    """Describe a part of an argument if it cannot cross."""
    refused = "which cannot cross to student code; give"
    is_scalar_type = isinstance(value, type) and issubclass(value, (np.generic, bool, int, float))
    if is_scalar_type or isinstance(value, np.dtype):
        name = np.dtype(value).name
        yield f"{where} is the type {name}, {refused} its name {name!r}, as numpy does"
    elif isinstance(value, (set, frozenset)):
        yield f"{where} is a set, {refused} a list, {_MADE}"
    elif isinstance(value, np.ndarray):
        if value.dtype.kind not in _PLAIN_DTYPES:
            yield f"{where} is an array of {value.dtype}, {refused} a list"
    elif callable(value):
        package, *_ = getattr(value, "__module__", "").split(".")
        if package != "autograder":
            yield f"{where} is a {type(value).__name__}, {refused} make_toy of it"


def name_leaves(name: str, value: Any) -> Named:
    """Return the arrays of a value by name: `dW`, `dWs[0]` in a list, `grads["W"]` in a dict."""
    if not isinstance(value, _HOLDERS):
        return {name: value}
    leaves: dict[str, Any] = {}
    for item_name, item in _name_items(name, value):
        leaves |= name_leaves(item_name, item)
    return leaves


def replace_leaves(name: str, value: Any, leaves: Named) -> Any:
    """Return a value with the arrays that stand in `leaves` under the names of `name_leaves`."""
    names = iter(name_leaves(name, value))
    return map_leaves(lambda leaf: leaves.get(next(names), leaf), value)


def take_leaves(name: str, value: Any, wanted: Any) -> Named:
    """Return what a student's value has in the places of the arrays of `wanted`; CheckFailed where it lacks one."""
    if not isinstance(wanted, _HOLDERS):
        return {name: value}
    items = dict(_name_items(name, wanted))
    if isinstance(wanted, dict):
        value = checks.mapping(name, value, tuple(wanted)).values()
    else:
        value = checks.parts(name, value, list(items))
    leaves: dict[str, Any] = {}
    for each in map(take_leaves, items, value, items.values()):
        leaves |= each
    return leaves


def has_shapes_of(value: Any, wanted: Any) -> bool:
    """Return whether a value has the arrays of another, of the same shapes but for axes of length 1."""
    leaves = name_leaves("", wanted)
    try:
        taken = take_leaves("", value, wanted)
        numbers = map(convert_to_numbers, taken.values())
        shapes = [drop_unit_axes(each.shape) for each in numbers]
    except (CheckFailed, NotNumbers):
        return False
    return shapes == [drop_unit_axes(np.shape(leaf)) for leaf in leaves.values()]


def _name_items(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the items of a dict, a list or a tuple, each with its name."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(key, str):
            yield f'{name}["{key}"]', item
        else:
            yield f"{name}[{key}]", item


def move_aside(signature: Signature, values: Values, sign: int) -> Values:
    """Move all real numbers a little to one side, each by another step; those with bounds stay within."""
    rng = np.random.default_rng(0)  # the same steps for both signs

    def move(value: Any, interval: Interval) -> Any:
        steps = sign * _ASIDE * rng.uniform(-1, 1, size=np.shape(value))
        changed = value + steps
        if not interval.is_all:
            changed = value * (1 - np.abs(steps))
        if isinstance(value, float):
            return float(changed)
        return changed

    moved = {}
    for way, leaf in signature.list_leaves():
        moved[way] = leaf.kind.map_reals(move, values[way])
    return moved
