"""Rare conditions and triggers: what is true of few calls, or of one call after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.mutation.call_memory import list_triggers
from autograder.mutation.conditions import Condition
from autograder.mutation.mutant import Operator
from autograder.mutation.rare_conditions import list_rare_conditions
from autograder.mutation.recorded_calls import Recorded

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


def find(*calls: tuple[Any, ...], known: tuple[Condition, ...] = ()) -> dict[str, tuple[Operator, Condition]]:
    """The rare conditions of calls, by their names."""
    recorded = Recorded(["x", "labels", "y", "rate"], calls, 1.0, {"rate": 0.25})
    return {rare.name: (rare.operator, rare) for rare in list_rare_conditions(recorded, known)}


@pytest.mark.parametrize(("name", "operator", "special"), RARE, ids=[name for name, *_ in RARE])
def test_what_is_special_about_a_call_is_listed(name: str, operator: Operator, special: tuple[Any, ...]) -> None:
    found_operator, condition = find(ORDINARY, *(call for *_, call in RARE))[name]
    assert found_operator is operator
    assert condition.holds(special)
    assert not condition.holds(ORDINARY)


def test_conditions_of_the_same_calls_are_listed_once() -> None:
    long = (np.zeros((40, 3)), LABELS, X, 0.5)
    sizes = [name for name, (operator, _) in find(ORDINARY, long).items() if operator is Operator.SIZE]
    assert sizes == ["x has a first axis of length 3", "x has a first axis longer than 32"]
    known = Condition("x is long", lambda arguments: len(arguments[0]) > 10)
    assert "x has a first axis longer than 32" not in find(ORDINARY, long, known=(known,))


def test_labels_are_those_that_are_labels_in_every_call() -> None:
    names = list(find((np.eye(3), LABELS, X + 1, 0.5), (X, LABELS, X + 1, 0.5)))
    assert not [name for name in names if name.startswith("x has a label")]


def test_triggers_compare_with_the_call_before() -> None:
    calls = [(X, 1.0), (X, 2.0), (X[:1], 2.0), (X[:1], 3.0)]
    held = {
        name: [trigger(each) for each in calls]
        for name, make in list_triggers(["x", "rate"], [0, 1])
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
