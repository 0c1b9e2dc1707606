"""Part comparison: tells whether a returned part is right, and fails with the difference where it is not.

Of several right answers a rule says which one a part is, or what is wrong with it; its source stands alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from autograder.checks import checks
from autograder.checks.array_pair import NO_NAMES, Names
from autograder.checks.cases import Case as ComparedCase
from autograder.checks.check_failed import CheckFailed
from autograder.checks.tolerances import choose_tolerance
from autograder.checks.values import describe
from autograder.contracts.case import Case
from autograder.contracts.given import require_known
from autograder.contracts.signature import Signature
from autograder.programs.source import Source, read_source

Function = Callable[..., Any]
_USE = "the use of "
# Differences of numbers of about 1 that are both almost equal have an error of 1e-16, and large weights make it larger:
# right solutions compute an array whose largest entry is below this to few digits.
SMALLEST = 1e-9


@dataclass(frozen=True)
class Refused:
    """Stands for the right value of a part that is wrong whatever it is compared with; `problem`: in words."""

    problem: str


class InAllCases(NamedTuple):
    """Another right function, which has to hold in all cases of a row."""

    function: Function


@dataclass(frozen=True)
class Rule:
    """A function of the returned part and the case, by its source, for a part with several right answers.

    The case has `arguments` and the returned `parts` by name, and `right`, what the right function returned. A text
    that it returns is what is wrong, empty where nothing is; any other value is the nearest right one. `is_dialogue`:
    the part is that with an argument, and a right one is no other's measure.
    """

    source: Source
    is_dialogue: bool = False

    def find_right(self, part: str, case: Case, arguments: Mapping[str, Any], parts: Mapping[str, Any]) -> Any:
        """Return the value with which a returned part is compared; `Refused` where the part is wrong anyhow."""
        value, right = parts[part], case.expected[part]
        if self.is_dialogue and right and not value:
            return Refused("nothing was asked of it")
        seen = SimpleNamespace(arguments=arguments, parts=parts, right=right)
        try:
            with np.errstate(all="ignore"):
                found = self.source.make()(value, seen)
        except Exception:  # noqa: BLE001  (a value of another form may cause anything)
            return Refused("a value of another form") if self.is_dialogue else right
        if not isinstance(found, str):
            return found
        return Refused(found) if found else value


def read_right(
    signature: Signature, right: Mapping[str, Function | InAllCases]
) -> tuple[dict[str, Rule], dict[str, Function]]:
    """Read rules by part, which may use only `np` of their modules, and by their words other right functions.

    ContractError where a rule is for no part.
    """
    dialogues = list_uses(signature)
    rules: dict[str, Rule] = {}
    others: dict[str, Function] = {}
    for name, function in right.items():
        if isinstance(function, InAllCases):
            others[name] = function.function
        else:
            require_known(signature.name, "part", [name], (*signature.part_names, *dialogues))
            rules[name] = Rule(read_source(function), name in dialogues)
    return rules, others


def name_use(argument: str) -> str:
    """Name the part that is the dialogue with an argument."""
    return f"{_USE}{argument}"


def list_uses(signature: Signature) -> dict[str, int]:
    """List the dialogues that may be parts, with the places of the arguments."""
    arguments = enumerate(signature.arguments)
    return {name_use(each.name): place for place, each in arguments if each.kind.has_dialogue}


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
        _compare(what, got, expected, is_single=is_single)
    except CheckFailed as failed:
        if not failed.relation and is_numeric(expected):
            right = np.asarray(expected, dtype=np.float64)
            failed.relation = ComparedCase(what, got, right, names=names, single=is_single).describe()
        raise


def name_neighbours(case: Case, arguments: Sequence[str], part: str, right: Any) -> Names:
    """Name the `arguments` that a wrong value may equal, and a step in the other direction."""
    given = dict(zip(arguments, case.arguments, strict=False))
    also = {f"{name} as it was passed in": value for name, value in given.items() if is_numeric(value)}
    if is_numeric(right) and is_numeric(given.get(part)):
        also[f"{part} after a step in the other direction"] = 2 * given[part] - right
    return Names(also=also, rows=_list_segments(case.segments.get(part, {})))


def _list_segments(lengths: Mapping[str, int]) -> dict[str, range]:
    """Return the places in a flat array of the pieces with these lengths."""
    segments: dict[str, range] = {}
    start = 0
    for words, length in lengths.items():
        segments[words] = range(start, start + length)
        start += length
    return segments


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
    items: list[Any] = []
    for one in expected:
        items += one if isinstance(one, (list, tuple)) else [one]
    return bool(items) and all(isinstance(each, str) for each in items)


def _compare(what: str, got: Any, expected: Any, *, is_single: bool) -> None:
    if isinstance(expected, Refused):
        raise CheckFailed(what, expected="what the assignment asks for", found=expected.problem)
    if isinstance(expected, dict):
        _require_keys(what, got, expected)
        for key, right in expected.items():
            _compare(f"{what}[{key!r}]", got[key], right, is_single=is_single)
    elif isinstance(expected, (list, tuple)) and not _is_listed(expected):
        names = [f"{what}[{k}]" for k in range(len(expected))]
        if isinstance(got, np.ndarray) and got.ndim == 1:
            got = got.tolist()
        values = checks.parts(what, got, names)
        for name, value, right in zip(names, values, expected, strict=True):
            _compare(name, value, right, is_single=is_single)
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
