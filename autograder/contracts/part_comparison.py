"""Part comparison: tells whether a returned part is right, and fails with the difference where it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.checks import checks
from autograder.checks.array_pair import NO_NAMES, Names
from autograder.checks.cases import Case as ComparedCase
from autograder.checks.check_failed import CheckFailed
from autograder.checks.comparison_log import log_comparison
from autograder.checks.tolerances import choose_tolerance

# Differences of numbers of about 1 that are both almost equal have an error of 1e-16, and large weights make it larger:
# right solutions compute an array whose largest entry is below this to few digits.
SMALLEST = 1e-9


@dataclass(frozen=True)
class Refused:
    """Stands for the right value of a part that is wrong whatever it is compared with; `problem`: in words."""

    problem: str


def is_right(got: Any, expected: Any, *, is_single: bool = False) -> bool:
    """Tell whether a value is right, arrays of a list or dict each for itself."""
    if type(got) is np.ndarray and isinstance(expected, np.ndarray):
        right = np.asarray(expected, dtype=np.float64)
        if choose_tolerance(right, single=is_single).holds_easily(got, right):
            return True
    try:
        _compare("part", got, expected, is_single=is_single)
    except CheckFailed:
        return False
    return True


def compare_part(what: str, got: Any, expected: Any, *, is_single: bool = False, names: Names = NO_NAMES) -> None:
    """Fail unless a value is right; the failure says how it differs."""
    try:
        with log_comparison(what, got, expected):
            _compare(what, got, expected, is_single=is_single)
    except CheckFailed as failed:
        if not failed.relation and is_numeric(expected):
            right = np.asarray(expected, dtype=np.float64)
            failed.relation = ComparedCase(what, got, right, names=names, single=is_single).describe()
        raise


def is_numeric(expected: Any) -> bool:
    """Tell whether a right value is a number or an array of numbers."""
    return isinstance(expected, (int, float, np.ndarray, np.generic)) and not isinstance(expected, bool)


def is_zero(value: Any) -> bool:
    """Tell whether a value is 0, or holds nothing but zeros."""
    if isinstance(value, (list, tuple)):
        return all(map(is_zero, value))
    return isinstance(value, (int, float, np.ndarray)) and not np.any(value)


def _is_listed(expected: Any) -> bool:
    """Tell whether a right value is a list of texts, or of such lists: its items are compared together."""
    items = [each for one in expected for each in (one if isinstance(one, (list, tuple)) else [one])]
    return bool(items) and all(isinstance(each, str) for each in items)


def _compare(what: str, got: Any, expected: Any, *, is_single: bool) -> None:
    if isinstance(expected, Refused):
        raise CheckFailed(what, expected="what the assignment asks for", found=expected.problem)
    if isinstance(expected, dict):
        values = checks.mapping(what, got, tuple(expected))
        for key, right in expected.items():
            _compare(f"{what}[{key!r}]", values[key], right, is_single=is_single)
    elif isinstance(expected, (list, tuple)) and not _is_listed(expected):
        names = [f"{what}[{k}]" for k in range(len(expected))]
        got = got.tolist() if isinstance(got, np.ndarray) and got.ndim == 1 else got
        for name, value, right in zip(names, checks.parts(what, got, names), expected, strict=True):
            _compare(name, value, right, is_single=is_single)
    elif not is_numeric(expected):
        checks.equal(what, got, expected)
    else:
        right = np.asarray(expected, dtype=np.float64)
        is_zero = np.abs(right).max(initial=0.0) <= SMALLEST
        checks.compare_numbers(what, got, np.zeros_like(right) if is_zero else right, single=is_single or is_zero)
