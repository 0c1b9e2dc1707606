"""Kinds of input that a mutant needs, and those that no mutant needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from autograder.contracts import CheckBody
from autograder.diagnosis.replay import Replay
from autograder.grading.hidden_test import RunnableTest
from autograder.matrix.adequacy import AdequacyReport
from autograder.matrix.adequacy_text import render_adequacy
from autograder.matrix.dropped_kinds import Kind, NeededKinds
from autograder.matrix.function_judge import FunctionAdequacy
from tests.selftest.contracts.toy_contracts import BLEND, SEED, blend
from tests.selftest.matrix.test_drawn_contract import FLIP
from tests.selftest.matrix.test_generated_mutants import hidden_test

ROWS = [hidden_test("a", CheckBody(each, stem="toy", seed=SEED)) for each in (BLEND.ordinary(), BLEND.everywhere())]


def note(kinds: NeededKinds, wrong: Callable[..., Any], tests: Sequence[RunnableTest] = ROWS) -> None:
    """Count a wrong blend."""
    module = ModuleType("toy")
    module.blend = wrong  # type: ignore[attr-defined]
    kinds.note(tests, Replay({"toy": module}, lambda _reply: None).run)


def make_wrong(holds: Callable[..., bool], change: Callable[..., Any] = lambda mean, diff: (mean + 1, diff)) -> Any:
    """Make a blend that is wrong where a condition holds."""

    def wrong(x: Any, y: Any, rate: float = 0.5) -> Any:
        value = blend(x, y, rate)
        return change(*value) if holds(x, y, rate) else value

    return wrong


@pytest.fixture
def kinds() -> NeededKinds:
    return NeededKinds(ROWS)


def test_every_case_is_of_one_kind(kinds: NeededKinds) -> None:
    assert kinds.calls.total() == sum(len(test.call.derived.cases) for test in ROWS)  # type: ignore[attr-defined]
    assert kinds.calls[Kind("ordinary", "")] == 3
    assert set(kinds.redundant) == set(kinds.calls)
    assert set(kinds.redundant_groups) == {"ordinary", "sizes", "values", "constants", "state"}


def test_a_kind_is_needed_where_a_mutant_is_wrong_there_alone(kinds: NeededKinds) -> None:
    note(kinds, make_wrong(lambda x, y, rate: np.ptp(x) > 0 and np.array_equal(x, y)))
    note(kinds, make_wrong(lambda x, y, rate: x.dtype == np.float32))
    assert kinds.needed == {Kind("values", "where x and y are equal"), Kind("values", "for float32")}
    assert kinds.needed_groups == {"values"}


def test_a_group_is_needed_where_a_mutant_is_wrong_in_several_of_its_kinds(kinds: NeededKinds) -> None:
    note(kinds, make_wrong(lambda x, y, rate: len(x) in (1, 8)))
    assert (kinds.needed, kinds.needed_groups) == (set(), {"sizes"})


@pytest.mark.parametrize(
    "wrong",
    [
        make_wrong(lambda x, y, rate: True),
        make_wrong(lambda x, y, rate: True, lambda mean, diff: (diff, mean)),
        lambda x, y, rate=0.5: 1 / 0,
    ],
    ids=["everywhere", "in the order", "without a value"],
)
def test_nothing_is_needed_for_a_mutant_that_is_caught_otherwise(kinds: NeededKinds, wrong: Any) -> None:
    note(kinds, wrong)
    assert not kinds.needed_groups


def test_nothing_is_needed_where_a_row_by_hand_catches_it() -> None:
    def fail(student: Any) -> None:
        student.toy.blend(1)

    tests = [hidden_test("a", fail), *ROWS]
    kinds = NeededKinds(tests)
    note(kinds, make_wrong(lambda x, y, rate: x.dtype == np.float32), tests)
    assert not kinds.needed_groups


def test_a_row_with_laws_of_chance_is_judged_as_a_whole() -> None:
    rows = [hidden_test("a", CheckBody(FLIP.ordinary(), stem="toy", seed=SEED))]
    assert rows[0].call.derived.laws  # type: ignore[attr-defined]
    assert not NeededKinds(rows).calls


def test_the_report_names_redundant_kinds_with_their_calls(kinds: NeededKinds) -> None:
    note(kinds, make_wrong(lambda x, y, rate: x.dtype == np.float32))
    judged = FunctionAdequacy("toy", "blend", kinds=kinds)
    lines = render_adequacy(AdequacyReport([judged], {}, is_whole=True)).splitlines()
    assert "toy.blend: no mutant survives without the group state" in lines
    assert "toy.blend: no mutant survives without the group values" not in lines
    assert "toy.blend: no mutant survives without ordinary: ordinary input (3 calls)" in lines
    whole, calls = len(kinds.calls), kinds.calls.total()
    assert f"{whole - 1} of {whole} kinds are redundant one at a time: {calls - 1} of {calls} calls" in lines
