"""Part comparison: decides whether a returned part is right, and fails with the difference where it is not.

Of several right answers a rule says which one a part is, or what is wrong with it; its source stands alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from autograder.checks import checks
from autograder.checks.array_pair import Names
from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import is_numeric
from autograder.contracts.case import Case, Named, Places
from autograder.contracts.given import require_known
from autograder.contracts.signature import ContractError, Function, Signature
from autograder.programs.source import Source, read_source

_OTHER_FORM = "it was called with arguments of another form"


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

    def find_right(self, part: str, right: Any, arguments: Named, parts: Named) -> Any:
        """Return the value with which a returned part is compared; `Refused` where the part is wrong anyhow.

        ContractError where the function uses what its source does not have.
        """
        value = parts[part]
        if self.is_dialogue and not isinstance(value, list):
            return Refused(_OTHER_FORM)
        if self.is_dialogue and right and not value:
            return Refused("it was never called")
        seen = SimpleNamespace(arguments=arguments, parts=parts, right=right)
        try:
            with np.errstate(all="ignore"):
                function = self.source.make()
                found = function(value, seen)
        except NameError as error:
            raise ContractError(f"the rule for {part} may use only np of its module: {error}") from error
        except Exception:  # noqa: BLE001  (a value of another form may cause anything)
            return Refused(_OTHER_FORM) if self.is_dialogue else right
        if not isinstance(found, str):
            return found
        if not found:
            return value
        return Refused(found)


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


def list_uses(signature: Signature) -> Places:
    """List the dialogues that may be parts, with the places of the arguments."""
    arguments = enumerate(signature.arguments)
    return {f"the use of {each.name}": place for place, each in arguments if each.kind.has_dialogue}


def is_right(got: Any, expected: Any, *, is_single: bool = False) -> bool:
    """Return whether a returned part is right."""
    return not isinstance(expected, Refused) and checks.is_right(got, expected, is_single=is_single)


def compare_part(what: str, got: Any, expected: Any, *, is_single: bool = False) -> None:
    """Fail unless a returned part is right."""
    if isinstance(expected, Refused):
        raise CheckFailed(what, expected="what the assignment asks for", found=expected.problem)
    checks.compare_values(what, got, expected, is_single=is_single)


def name_neighbours(case: Case, given: Named, part: str, right: Any) -> Names:
    """Name the arguments `given` that a wrong value may equal, and a step in the other direction."""
    also = {f"{name} as it was passed in": value for name, value in given.items() if is_numeric(value)}
    if is_numeric(right) and is_numeric(given.get(part)):
        also[f"{part} after a step in the other direction"] = 2 * given[part] - right
    segments = {}
    start = 0
    for words, length in case.segments.get(part, {}).items():
        segments[words] = range(start, start + length)
        start += length
    return Names(also=also, rows=segments)


def is_zero(value: Any) -> bool:
    """Return whether a value is 0, or holds nothing but zeros."""
    if isinstance(value, (list, tuple)):
        return all(map(is_zero, value))
    return isinstance(value, (int, float, np.ndarray)) and not np.any(value)
