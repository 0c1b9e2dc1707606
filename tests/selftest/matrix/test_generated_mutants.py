"""Mutants of the references: how they are made, judged and shown."""

import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.contracts import Contract
from autograder.contracts.random_cases import DrawnContract
from autograder.grading import hidden_test as hidden_test_module
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.matrix.adequacy import FunctionAdequacy, FunctionJudge
from autograder.matrix.mutant import Mutant, Reference
from autograder.results import Visibility

pytestmark = pytest.mark.once

TOY = '''
"""A toy."""
import numpy as np

def _scale(x: np.ndarray) -> np.ndarray:
    return x * 2

def double(x: np.ndarray, shift: float = 0.0) -> np.ndarray:
    """Twice x, shifted."""
    y = _scale(x)
    if shift > 1:
        y = y + shift
    return y

def count_down(n: int) -> int:
    """Zero."""
    while n > 0:
        n -= 1
    return n

def add_two(x: float) -> float:
    x = x + 1
    x = x + 1
    return x
'''


@pytest.fixture
def toy(tmp_path: Path) -> Reference:
    (tmp_path / "toy.py").write_text(TOY, encoding="utf-8")
    return Reference("toy", tmp_path / "toy.py")


def double(x: np.ndarray, shift: float = 0.0) -> np.ndarray:
    return 2 * x + (shift if shift > 1 else 0)


def count_down(n: int) -> int:
    return 0


DOUBLE = Contract(double, "x: (N,), shift: 0.0 | 1.5 | 3.0 -> y: (N,)")
COUNT = Contract(count_down, "n: 0 | 3 -> zero: int")


def hidden_test(name: str, body: Any) -> RunnableTest:
    """Make a hidden test of the toy."""
    described = HiddenTest(f"test_toy.py::{name}", "toy", (), name, "1.1", 1.0, Visibility.VISIBLE, None)
    return RunnableTest(described, body)


def require_doubled(student: Any) -> None:
    assert_equal(student.toy.double(np.arange(3.0)), np.arange(3.0) * 2)


def assert_equal(got: object, right: object) -> None:
    """Fail as a hidden test does."""
    checks = importlib.import_module("autograder.authoring").checks
    checks.close("the value", got, right)


def list_survivors(judged: FunctionAdequacy) -> dict[str, str]:
    """The cases that show survivors, by their names."""
    return {each.id: each.case for each in judged.wrong if not each.is_caught}


def judge(toy: Reference, contract: Contract, *tests: RunnableTest) -> FunctionJudge:
    drawn = DrawnContract([contract])
    return FunctionJudge(toy, drawn, tests, drawn.draw_cases(1, 20))


TRIPLED, AT_TWO = "_scale: return x * 2 -> return x * 3", "if shift > 1: -> if shift > 2:"


def test_an_edit_of_a_function_that_is_called_is_one_of_the_caller(toy: Reference) -> None:
    mutants = {mutant.name: mutant for mutant in toy.list_syntax_mutants("double")}
    halved = toy.make_module(mutants["_scale: return x * 2 -> return x / 2"].install)
    assert halved.double(np.ones(2)).tolist() == [0.5, 0.5]
    assert toy.make_module().double(np.ones(2)).tolist() == [2.0, 2.0]


class TestJudge:
    def test_a_wrong_mutant_survives_unless_a_test_fails(self, toy: Reference) -> None:
        blind = judge(toy, DOUBLE, hidden_test("nothing", lambda student: None))
        mutants = [each for each in blind.list_mutants() if each.name in (TRIPLED, AT_TWO)]
        at_two, tripled = (f"toy.double: {each.name}" for each in mutants)
        survived = list_survivors(blind.judge(mutants))
        assert re.fullmatch(r"\[\(array\(\[[\d., -]+\]\), [\d.]+\)\]", survived[tripled])
        seeing = judge(toy, DOUBLE, hidden_test("doubled", require_doubled)).judge(mutants)
        assert tripled not in list_survivors(seeing)
        assert at_two in list_survivors(seeing)
        assert [each.id for each in seeing.mutants] == [at_two, tripled]

    def test_a_right_mutant_that_loses_points_is_told(self, toy: Reference) -> None:
        def fail(student: Any) -> None:
            assert_equal(1.0, 2.0)

        right = Mutant("right", lambda module: None)
        (found,) = judge(toy, DOUBLE, hidden_test("strict", fail)).judge([right]).mutants
        assert (found.id, found.is_wrong, found.is_caught) == ("toy.double: right", False, True)

    @pytest.mark.ci
    def test_an_endless_mutant_is_wrong_and_caught(self, toy: Reference) -> None:
        def count(student: Any) -> None:
            assert_equal(student.toy.count_down(2), 0)

        body = hidden_test_module._make_call(count)  # as collected tests are called
        counting = judge(toy, COUNT, hidden_test("count", body))
        endless = [mutant for mutant in counting.list_mutants() if mutant.name == "n -= 1 -> (removed)"]
        (found,) = counting.judge(endless).mutants
        assert (found.is_wrong, found.is_caught) == (True, True)
