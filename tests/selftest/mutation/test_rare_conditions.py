"""Rare conditions and triggers: what is true of few calls, or of one call after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.mutation.conditions import Condition, find_telling, list_rare_conditions
from autograder.mutation.mutant import Operator
from autograder.mutation.recorded_calls import Recorded
from autograder.mutation.wrapped_mutants import list_triggers, list_wrapped_mutants

X, LABELS = np.arange(9.0).reshape(3, 3), np.array([0, 2, 1])
ORDINARY = (X, LABELS, X + 1, 0.5)
RARE: list[tuple[str, Operator, tuple[Any, ...]]] = [
    ("x holds float32", Operator.DTYPE, (X.astype(np.float32), LABELS, X + 1, 0.5)),
    ("x is stored by columns", Operator.LAYOUT, (np.asfortranarray(X), LABELS, X + 1, 0.5)),
    ("labels lacks a class of x", Operator.LABEL, (X, np.array([2, 1, 2]), X + 1, 0.5)),
    ("labels has equal neighbours", Operator.LABEL, (X, np.array([0, 0, 1]), X + 1, 0.5)),
    ("x has a first axis of length 5", Operator.SIZE, (np.zeros((5, 3)), np.arange(5), np.zeros((5, 3)), 0.5)),
    ("x has a last axis longer than 32", Operator.SIZE, (np.zeros((3, 70)), LABELS, np.zeros((3, 70)), 0.5)),
    ("x equals y", Operator.ALIAS, (X, LABELS, X.copy(), 0.5)),
    ("rate is above 0.95", Operator.CONSTANT, (X, LABELS, X + 1, 0.99)),
    ("rate is given as its default", Operator.CONSTANT, (X, LABELS, X + 1, 0.25)),
]


def record(*calls: tuple[Any, ...]) -> Recorded:
    return Recorded(["x", "labels", "y", "rate"], calls, 1.0, {"rate": 0.25})


def find(*calls: tuple[Any, ...]) -> dict[str, Condition]:
    """The rare conditions of calls, by their names."""
    recorded = record(*calls)
    return {rare.name: rare for rare, _ in find_telling(list_rare_conditions(recorded), recorded)}


@pytest.mark.parametrize(("name", "operator", "special"), RARE, ids=[name for name, *_ in RARE])
def test_what_is_special_about_a_call_is_listed(name: str, operator: Operator, special: tuple[Any, ...]) -> None:
    condition = find(ORDINARY, *(call for *_, call in RARE))[name]
    assert condition.operator is operator
    assert condition.holds(special)
    assert not condition.holds(ORDINARY)


def test_conditions_of_the_same_calls_are_listed_once() -> None:
    narrow = X.astype(np.float32)
    made = [each.name for each in list_wrapped_mutants("f", record(ORDINARY, (narrow, LABELS, narrow + 1, 0.5)))]
    assert "wrong if x holds float32" in made
    assert "wrong if y holds float32" not in made
    made = [each.name for each in list_wrapped_mutants("f", record(ORDINARY, (np.zeros((40, 3)), LABELS, X, 0.5)))]
    assert "wrong if x has a first axis longer than 5" in made
    assert "wrong if x has a first axis longer than 32" not in made


def test_labels_are_those_that_are_labels_in_every_call() -> None:
    names = list(find((np.eye(3), LABELS, X + 1, 0.5), (X, LABELS, X + 1, 0.5)))
    assert not [name for name in names if name.startswith("x has a label")]


def test_triggers_compare_with_the_call_before() -> None:
    calls = [(X, 1.0), (X, 2.0), (X[:1], 2.0), (X[:1], 3.0)]
    held = {
        name: [trigger(each) for each in calls]
        for name, make, _ in list_triggers(["x", "rate"], [0, 1])
        if (trigger := make())
    }
    assert held == {
        "in the second call alone": [False, True, False, False],
        "in every second call": [False, True, False, True],
        "if shapes are others than in the call before": [False, False, True, False],
        "if x is that of the call before": [False, True, False, True],
        "if x is not that of the call before": [False, False, True, False],
        "if rate is that of the call before": [False, False, True, False],
        "if rate is not that of the call before": [False, True, False, True],
    }
