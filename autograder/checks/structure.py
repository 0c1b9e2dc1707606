"""Structure: compares a value with the right one, numbers and arrays in lists and dicts each for itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.checks.tolerances import choose_tolerance
from autograder.checks.values import describe, is_listed, is_numeric

# Differences of numbers of about 1 that are both almost equal have an error of 1e-16, and large weights make it larger:
# right solutions compute an array whose largest entry is below this to few digits.
SMALLEST = 1e-9


def is_right(got: Any, expected: Any, *, is_single: bool = False) -> bool:
    """Tell whether a value is right within the tolerance of `close`; `is_single`: the inputs were float32."""
    if type(got) is np.ndarray and isinstance(expected, np.ndarray):
        right = np.asarray(expected, dtype=np.float64)
        if choose_tolerance(right, single=is_single).holds_easily(got, right):
            return True
    try:
        compare_values("part", got, expected, is_single=is_single)
    except CheckFailed:
        return False
    return True


def compare_values(what: str, got: Any, expected: Any, *, is_single: bool = False) -> None:
    """Fail unless a value is right."""
    if isinstance(expected, dict):
        _require_keys(what, got, expected)
        for key, right in expected.items():
            compare_values(f"{what}[{key!r}]", got[key], right, is_single=is_single)
    elif isinstance(expected, (list, tuple)) and not is_listed(expected):
        names = [f"{what}[{k}]" for k in range(len(expected))]
        if isinstance(got, np.ndarray) and got.ndim == 1:
            got = got.tolist()
        values = checks.parts(what, got, names)
        for name, value, right in zip(names, values, expected, strict=True):
            compare_values(name, value, right, is_single=is_single)
    elif not is_numeric(expected):
        checks.equal(what, got, expected)
    else:
        right = np.asarray(expected, dtype=np.float64)
        is_zero = np.abs(right).max(initial=0.0) <= SMALLEST
        if is_zero:
            right = np.zeros_like(right)
        checks.compare_numbers(what, got, right, single=is_single or is_zero)


def _require_keys(what: str, got: Any, expected: Mapping[Any, Any]) -> None:
    """Fail unless a value is a dict with all keys, which may be words of a hidden input: visible rows name them."""
    is_dict = isinstance(got, dict)
    missing = [key for key in expected if not is_dict or key not in got]
    if missing or not is_dict:
        found = f"a dict without {len(missing)} of the {len(expected)} keys" if is_dict else describe(got)
        named = f"a dict without {_list_keys(missing)}" if is_dict else found
        shown = (f"expected: a dict with the keys {_list_keys(expected)}", f"found:    {named}")
        raise CheckFailed(what, expected="a dict with the right keys", found=found, values=shown)


def _list_keys(keys: Iterable[Any]) -> str:
    return ", ".join(map(str, keys))
