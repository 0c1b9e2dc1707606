"""A relation is said of a check only where it holds in all cases that the check compares."""

import re

import numpy as np
import pytest

from autograder.checks import CheckFailed, Names, checks
from autograder.checks.cases import Case, find_relation, keep_cases
from autograder.results import CheckResult, Verdict
from tests.selftest.support.toy_assignment import checks_of, reference_text

pytestmark = pytest.mark.once

RNG = np.random.default_rng(5)
SHAPES = [(4, 3), (3, 3), (2, 5), (1, 4), (5, 1)]
RIGHT = [RNG.normal(size=shape) for shape in SHAPES]
SYMMETRIC = RIGHT[1] + RIGHT[1].T


def compare(pairs: list[tuple[object, np.ndarray]], names: Names = Names()) -> str:  # noqa: B008  (a frozen record)
    """Describe the cases that these values and the right ones make."""
    with keep_cases() as keeper:
        for got, right in pairs:
            checks.close("value", got, right, names=names)
    assert keeper.failed is not None
    return str(keeper.complete(keeper.failed).relation or "")


class TestAllCases:
    def test_a_relation_that_holds_in_all_is_said(self) -> None:
        assert compare([(-right, right) for right in RIGHT]) == "every entry has the wrong sign"
        assert compare([(right.T, right) for right in RIGHT]) == "it is the transpose of the right array"

    def test_values_that_are_right_by_chance_are_no_evidence(self) -> None:
        pairs = [(RIGHT[0].T, RIGHT[0]), (SYMMETRIC, SYMMETRIC), (np.zeros((2, 2)), np.zeros((2, 2)))]
        assert compare(pairs) == "it is the transpose of the right array"
        assert compare([(2 * RIGHT[0], RIGHT[0]), (np.zeros(4), np.zeros(4))]) == "every entry is 2 times the right one"

    def test_a_value_that_is_right_is_evidence_against_a_factor(self) -> None:
        assert "times" not in compare([(2 * RIGHT[0], RIGHT[0]), (RIGHT[1], RIGHT[1])])

    def test_a_factor_that_is_a_size_is_named_by_it(self) -> None:
        pairs: list[tuple[object, np.ndarray]] = [(len(right) * right, right) for right in RIGHT]
        assert compare(pairs) == "every entry is the right one times the number of rows"
        pairs = [(right / right.shape[1], right) for right in RIGHT]
        assert compare(pairs) == "every entry is the right one divided by the number of columns"

    @pytest.mark.parametrize("wrong_rows", [[slice(0, 1), slice(1, None)], [slice(0, 1), slice(3, None)]])
    def test_statements_that_contradict_each_other_are_not_said(self, wrong_rows: list[slice]) -> None:
        pairs: list[tuple[object, np.ndarray]] = []
        for rows in wrong_rows:
            got = RIGHT[0].copy()
            got[rows] = RNG.normal(size=got[rows].shape)
            pairs.append((got, RIGHT[0]))
        assert checks_first(pairs) == "only the first row is wrong"
        assert compare(pairs) == ""

    def test_where_few_cases_are_wrong_their_shape_is_said(self) -> None:
        noise = [RNG.normal(size=right.shape) for right in RIGHT]
        said = compare([(right + each * (len(right) == 1), right) for right, each in zip(RIGHT, noise, strict=True)])
        assert said == "1 of the 5 cases compared is wrong: where the right value has one row"
        said = compare([(right + noise[k] * (k in (0, 3)), right) for k, right in enumerate(RIGHT)])
        assert said == "2 of the 5 cases compared are wrong"


def checks_first(pairs: list[tuple[object, np.ndarray]]) -> str:
    """Return the relation of the first case alone."""
    with pytest.raises(CheckFailed) as failed:
        checks.close("value", *pairs[0])
    return str(failed.value.relation)


def test_a_value_that_is_no_array_of_numbers_is_a_case_without_a_relation() -> None:
    assert find_relation([Case("value", "text", RIGHT[0]), Case("value", 2 * RIGHT[0], RIGHT[0])]) is None


class TestInTheSandbox:
    def judge(self, change: str) -> dict[str, CheckResult]:
        """Judge the right function of rows, its value changed."""
        wrong = f"\n\n_right = unit_rows\n\ndef unit_rows(x):\n    y = _right(x)\n    {change}\n"
        results = checks_of("rows", reference_text("rows") + "\nimport numpy as np\n" + wrong)
        return {name: each for name, each in results.items() if each.verdict is Verdict.FAILED}

    def test_a_check_collects_its_cases_before_it_speaks(self) -> None:
        failed = self.judge("return y + (len(y) == 1) * np.arange(y.shape[1]) ** 2")
        said = [line for each in failed.values() for line in each.output.splitlines() if "relation" in line]
        assert any(re.search(r"of the \d+ cases compared (is|are) wrong", line) for line in said), failed
