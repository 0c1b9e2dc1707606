"""Special inputs: calls that differ from each other in one argument, which is all zeros, whole, large or the like."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.authoring import Names, Student, checks

Arguments = tuple[Any, ...]

# The largest entry of an array that right solutions may compute to few digits: differences of numbers of about 1,
# such as y_hat - 1 where y_hat is about 1, have an error of 1e-16, and large weights make it a hundred times larger.
SMALLEST = 1e-9


def make_special(
    shape: tuple[int, ...], seed: int, *, integers: bool = True, largest: float = 45.0
) -> list[np.ndarray]:
    """Make arrays of one shape: zeros, ones, positive, negative, large and small numbers, integers."""
    rng = np.random.default_rng(seed)
    normal = np.asarray(rng.normal(size=shape))
    large = np.asarray(rng.normal(size=shape)) * 3
    large.flat[0], large.flat[-1] = (-largest, largest) if large.size > 1 else (largest, largest)
    special = [np.zeros(shape), np.abs(normal) + 0.1, -np.abs(normal) - 0.1, large, normal * 1e-4]
    special += [np.ones(shape)]
    return special + [np.asarray(rng.integers(-3, 4, size=shape))] * integers


def vary(base: Arguments, values: dict[int, Sequence[Any]]) -> list[Arguments]:
    """Return the call `base`, and calls that have one of the `values` at one position each."""
    changed = [(position, value) for position, several in values.items() for value in several]
    return [base, *((*base[:position], value, *base[position + 1 :]) for position, value in changed)]


def vary_arrays(base: Arguments, positions: Sequence[int], seed: int, *, integers: bool = True) -> list[Arguments]:
    """Return the call `base`, and calls in which the array at one of the positions is special."""
    return vary(base, {each: make_special(np.shape(base[each]), seed, integers=integers) for each in positions})


@checks.reads_replies
def require_work(name: str, parts: Mapping[str, np.ndarray], first: Sequence[Any], second: Sequence[Any]) -> None:
    """Require numbers that a function computed, right or wrong, so that a check of mutation gives a stub nothing.

    `parts`: the names of the parts that are returned, each with the argument that has its shape. `first`, `second`: the
    parts returned for these arguments, and for others.
    """
    made, others = (
        [checks.array(part, value, parts[part].shape) for part, value in zip(parts, values, strict=True)]
        for values in (first, second)
    )
    checks.not_written(all(map(np.array_equal, made, parts.values())), f"{name} returns its arguments as they are")
    checks.not_written(all(map(np.array_equal, made, others)), f"{name} returns the same for all arguments")


def compare(what: str, got: object, right: Any, *, names: Names = Names()) -> None:  # noqa: B008  (a frozen record)
    """Compare a value with the right one, or with 0 where the right one is 0 or rounding noise."""
    largest = np.abs(np.asarray(right)).max(initial=0.0)
    if largest <= SMALLEST:
        checks.close(what, got, np.zeros(np.shape(right)), single=True)
    else:
        checks.close(what, got, right, names=names)


def check_calls(
    student: Student, stem: str, name: str, right: Callable[..., Any], calls: Sequence[Arguments], parts: Sequence[str]
) -> None:
    """Compare the value of each call, or its parts by name, with the right one."""
    got = getattr(getattr(student, stem), name).each(calls)
    for arguments, value in zip(calls, got, strict=True):
        expected = right(*arguments)
        if len(parts) == 1:
            compare(parts[0], value, expected)
            continue
        for part, found, wanted in zip(parts, checks.parts(name, value, parts), expected, strict=True):
            compare(part, found, wanted)
