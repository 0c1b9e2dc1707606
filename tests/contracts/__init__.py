"""Contracts: for each function of the assignment, the inputs that it must handle, drawn by Hypothesis.

A file for each question holds `CONTRACTS`, one for each function that is graded. They follow the text of the assignment
and know nothing of the hidden tests, so that they measure these: `./run_autograder matrix --generate` judges mutants of
the references by the contracts, and lists those that are wrong and pass every hidden test.
"""

from __future__ import annotations

import copy
import importlib
import random
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis.errors import Flaky, NoSuchExample
from hypothesis.strategies import SearchStrategy

from tests.contracts.agreement import agree, holds_single

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Observe = Callable[[ModuleType, Any], object]
EXCUSED = Path(__file__).with_name("excused.toml")
_EXAMPLES = 2_000  # a survivor may be wrong in one of some hundred cases
_SHRINK_S = 4.0  # of computing time


@dataclass(frozen=True)
class Contract:
    """The cases of one function; `observe` runs a module's function on a case, `agrees` compares two observations."""

    function: str
    cases: SearchStrategy[Any]
    observe: Observe
    agrees: Callable[[Any, Any, Any], bool]

    def draw_cases(self, number: int, count: int) -> list[Any]:
        """Draw cases; the same for the same seed `number`."""
        drawn: list[Any] = []
        rules = settings(
            max_examples=count,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )

        @rules
        @seed(number)
        @given(self.cases)
        def collect(case: Any) -> None:
            drawn.append(case)

        collect()
        return drawn

    def find_smallest(self, is_wrong: Callable[[Any], bool], known: Any) -> Any:
        """Find a small case that is wrong, in a few seconds; the `known` one if Hypothesis finds none."""
        rules = settings(max_examples=_EXAMPLES, database=None, deadline=None, suppress_health_check=list(HealthCheck))
        best, end = known, time.process_time() + _SHRINK_S

        def is_smaller(case: Any) -> bool:
            nonlocal best
            if time.process_time() > end:
                raise _Late
            found = is_wrong(case)
            best = case if found else best
            return found

        with suppress(NoSuchExample, Flaky, _Late):
            return find(self.cases, is_smaller, settings=rules, random=random.Random(0))  # noqa: S311  (reproducible)
        return best


class _Late(BaseException):
    pass


def load(stem: str) -> list[Contract]:
    """Load the contracts of a question; none for a question without functions."""
    name = f"{__name__}.{stem}"
    if importlib.util.find_spec(name) is None:
        return []
    return list(importlib.import_module(name).CONTRACTS)


def read_excused() -> dict[str, str]:
    """Read the survivors that are excused, each with its reason."""
    table = tomllib.loads(EXCUSED.read_text(encoding="utf-8"))
    return {mutant: entry["reason"] for entry in table.get("excused", []) for mutant in entry["mutants"]}


def call_function(function: str, *, keeps_arguments: bool = False) -> Observe:
    """Return an `observe` that makes the calls of a case, in turn, and records values, errors and kept arguments."""

    def observe(module: ModuleType, calls: Sequence[tuple[Any, ...]]) -> list[object]:
        return [_call(getattr(module, function), arguments, keeps_arguments) for arguments in calls]

    return observe


def _call(function: Callable[..., Any], arguments: Sequence[Any], keeps_arguments: bool) -> object:
    given_arguments = copy.deepcopy(tuple(arguments))
    try:
        with np.errstate(all="ignore"):
            value = function(*given_arguments)
    except Exception as error:  # noqa: BLE001  (a mutant may raise anything)
        return error
    left = [each for each in given_arguments if isinstance(each, np.ndarray)] if keeps_arguments else []
    return (value, left)


def make_contract(
    function: str, cases: SearchStrategy[Any], *, keeps_arguments: bool = False, agrees: Any = None
) -> Contract:
    """Make the contract of a function that is called with positional arguments; a case is a list of calls."""
    return Contract(function, cases, call_function(function, keeps_arguments=keeps_arguments), agrees or agree_on_calls)


def agree_on_calls(case: object, right: Any, got: Any) -> bool:
    """Tell whether all calls gave the same."""
    return agree(right, got, is_single=holds_single(case))
