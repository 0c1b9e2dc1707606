"""Versions of a reference with one error are found by the values that they give, and always end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autograder.diagnosis.general_kinds import find_edits
from autograder.diagnosis.replayed_test import Call
from tests.selftest.support.written_module import import_text

TEXT = """
def count_above(values, border):
    total = 0
    for value in values:
        if value > border:
            total += value
    return total


def halve(n):
    steps = 0
    while n > 1:
        n = n // 2
        steps += 1
    return steps
"""
CASES: list[tuple[Any, ...]] = [([1, 5, 7], 2), ([2, 3, 2.5], 2), ([], 1), ([-4, 6, 0.5, 9], 6)]


@pytest.fixture
def toy(tmp_path: Path) -> ModuleType:
    """Load a reference from a file."""
    return import_text("reference.toy", tmp_path / "toy.py", TEXT)


def find(toy: ModuleType, function: str, wrong: Callable[..., Any], cases: list[tuple[Any, ...]]) -> list[str]:
    """Find the kinds of edits that give the values of a wrong version, in order."""
    right = getattr(toy, function)
    calls = [Call(arguments, wrong(*arguments), right(*arguments)) for arguments in cases]
    return list(dict.fromkeys(each.kind for each in find_edits(toy, function, calls)))


def test_an_error_in_one_place_is_found(toy: ModuleType) -> None:
    assert find(toy, "count_above", lambda v, b: sum(x for x in v if x >= b), CASES) == ["general.border"]
    assert find(toy, "count_above", lambda v, b: -sum(x for x in v if x > b), CASES)[0] == "general.sign_of_term"
    assert "general.loop" in find(toy, "count_above", lambda v, b: sum(x for x in v[1:] if x > b), CASES)


def test_other_values_are_not_found(toy: ModuleType) -> None:
    assert find(toy, "count_above", lambda v, b: sum(x for x in v if x > b) + 0.37, CASES) == []
    assert find(toy, "count_above", lambda v, b: sum(x for x in v if x >= b) + 0.37 * (b == 6), CASES) == []


def test_a_function_that_returns_its_argument_has_no_edit(toy: ModuleType) -> None:
    assert find(toy, "count_above", lambda _v, b: b, CASES) == []
    assert find(toy, "count_above", lambda v, b: (v, b), CASES) == []
    assert list(find_edits(toy, "count_above", [Call((object(), 2), 2, 7)])) == []  # beside a function that is given


def test_endless_versions_end(toy: ModuleType) -> None:
    assert find(toy, "halve", lambda _: 0.37, [(5,), (9,)]) == []


def test_a_module_without_a_file_has_no_edits() -> None:
    assert list(find_edits(ModuleType("reference.none"), "double", [])) == []
