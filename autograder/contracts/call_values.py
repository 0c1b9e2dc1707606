"""Call values: copies values of calls, changes their precision, names their arrays, and finds what cannot cross.

An argument may be a list or a dict of arrays; each of them has a name of its own, such as `grads["W"]`. Where right
values are not continuous, as at ties and kinks, they jump when arguments are moved a little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import NotNumbers, convert_to_numbers, drop_unit_axes
from autograder.contracts.case import Named
from autograder.contracts.interval import Interval
from autograder.contracts.signature import ContractError, Signature

if TYPE_CHECKING:
    from autograder.contracts.kinds import Values, Way

_ASIDE = 1e-12  # so little that values which do not jump stay right, even where arguments are tiny


def map_leaves(change: Callable[[Any], Any], value: Any) -> Any:
    """Return a value with `change` of each part that is no list, tuple or dict."""
    if isinstance(value, (list, tuple)):
        items = [map_leaves(change, each) for each in value]
        return items if type(value) is list else tuple(items)
    if isinstance(value, dict):
        return {key: map_leaves(change, each) for key, each in value.items()}
    return change(value)


def is_real(leaf: Any) -> bool:
    """Return whether a part of a value is an array of reals."""
    return isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f"


def map_reals(change: Callable[[Any], Any], value: Any) -> Any:
    """Return a value with `change` of each array of reals."""
    return map_leaves(lambda leaf: change(leaf) if is_real(leaf) else leaf, value)


def convert_reals(value: Any, dtype: type) -> Any:
    """Return a value with arrays of reals in another precision: right values of doubles have all digits."""
    return map_reals(lambda leaf: leaf.astype(dtype, copy=False), value)


def is_finite(value: Any) -> bool:
    """Return whether all numbers of a value are finite."""
    arrays = map(np.asarray, name_leaves("", value).values())
    return all(np.isfinite(array).all() for array in filter(is_real, arrays))


_PLAIN_DTYPES = "biufc"
_MADE = "of which a driver makes it, or for `new question` a function make_word of the solution, see docs/contracts.md"
_HOLDERS = (dict, list, tuple)


def require_crossing(signature: Signature, arguments: Sequence[Any]) -> None:
    """Require that arguments can cross; ContractError says which part cannot."""
    for argument, value in zip(signature.arguments, arguments, strict=False):
        problem = next(_list_uncrossable(argument.name, value), "")
        if problem:
            raise ContractError(f"{signature.name}: {problem}")


def _list_uncrossable(where: str, value: Any) -> Iterator[str]:
    """Describe the parts of an argument that cannot cross."""
    for key in value if isinstance(value, dict) else ():
        if type(key) not in (int, str):
            problem = f"{where} has the key {key!r}, and keys that cross to student code are texts or integers"
            yield f"{problem}; give a list of pairs, {_MADE}"
    if isinstance(value, _HOLDERS):
        for name, item in _name_items(where, value):
            yield from _list_uncrossable(name, item)
    else:
        yield from filter(None, [_describe_uncrossable(where, value)])


def _describe_uncrossable(where: str, value: Any) -> str:
    """Describe a part of an argument that cannot cross; empty for one that can."""
    is_scalar_type = isinstance(value, type) and issubclass(value, (np.generic, bool, int, float))
    if is_scalar_type or isinstance(value, np.dtype):
        name = np.dtype(value).name
        return f"{where} is the type {name}, which cannot cross to student code; give its name {name!r}, as numpy does"
    if isinstance(value, (set, frozenset)):
        return f"{where} is a set, which cannot cross to student code; give a list, {_MADE}"
    if isinstance(value, np.ndarray) and value.dtype.kind not in _PLAIN_DTYPES:
        return f"{where} is an array of {value.dtype}, which cannot cross to student code; give a list"
    if callable(value) and getattr(value, "__module__", "").partition(".")[0] != "autograder":
        return f"{where} is a {type(value).__name__}, which cannot cross to student code; give make_toy of it"
    return ""


def name_leaves(name: str, value: Any) -> dict[str, Any]:
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


def take_leaves(name: str, value: Any, wanted: Any) -> dict[str, Any]:
    """Return what a student's value has in the places of the arrays of `wanted`; CheckFailed where it lacks one."""
    if not isinstance(wanted, _HOLDERS):
        return {name: value}
    names = [each for each, _ in _name_items(name, wanted)]
    if isinstance(wanted, dict):
        value = checks.mapping(name, value, tuple(wanted)).values()
        wanted = wanted.values()
    else:
        value = checks.parts(name, value, names)
    leaves: dict[str, Any] = {}
    for each in map(take_leaves, names, value, wanted):
        leaves |= each
    return leaves


def has_shapes_of(value: Any, wanted: Any) -> bool:
    """Return whether a value has the arrays of another, of the same shapes but for axes of length 1."""
    right = map(np.shape, name_leaves("", wanted).values())
    try:
        taken = [convert_to_numbers(leaf).shape for leaf in take_leaves("", value, wanted).values()]
    except (CheckFailed, NotNumbers):
        return False
    return list(map(drop_unit_axes, taken)) == list(map(drop_unit_axes, right))


def _name_items(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the items of a dict, a list or a tuple, each with its name."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield name + (f'["{key}"]' if isinstance(key, str) else f"[{key}]"), item


def move_aside(signature: Signature, values: Values, sign: int) -> dict[Way, Any]:
    """Move all real numbers a little to one side, each by another step; those with bounds stay within."""
    rng = np.random.default_rng(0)  # the same steps for both signs

    def move(value: Any, interval: Interval) -> Any:
        steps = sign * _ASIDE * rng.uniform(-1, 1, size=np.shape(value))
        changed = value + steps if interval.is_all else value * (1 - np.abs(steps))
        return float(changed) if isinstance(value, float) else changed

    moved = {}
    for way, leaf in signature.list_leaves():
        moved[way] = leaf.kind.map_reals(move, values[way])
    return moved
