"""The accounts of explain on the examples of this course are the recorded ones."""

import json
import re

import pytest

from autograder.explanation import explain
from tests.selftest.golden.regenerate import EXPLAINED, EXPLAINED_CHECKS, GOLDEN, explain_check, golden_path
from tests.selftest.support.grading import PROJECT

pytestmark = [pytest.mark.content, pytest.mark.once]


def round_numbers(text: str) -> str:
    """Round numbers of more than ten digits, of which the last ones depend on the processor."""
    return re.sub(r"\d+\.\d{10,}", lambda found: f"{float(found[0]):.9g}", text)


@pytest.mark.ci
@pytest.mark.parametrize("number", EXPLAINED_CHECKS)
def test_accounts_are_the_recorded_ones(number: str) -> None:
    recorded = (GOLDEN / EXPLAINED / f"{number}.txt").read_text(encoding="utf-8")
    assert round_numbers(explain_check(number)) == round_numbers(recorded)


@pytest.mark.ci
def test_the_known_mistakes_of_an_object_are_those_that_its_grade_names() -> None:
    graded = json.loads(golden_path("wrong").read_bytes())["tests"]
    (named,) = (test["extra_data"]["diagnosis"] for test in graded if test["number"] == "6.3")
    assert len(named) == 2
    assert [each.id for each in explain(PROJECT, PROJECT / "examples" / "wrong", "6.3").mistakes] == named
