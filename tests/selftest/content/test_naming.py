"""Mistakes have their names, and nothing a wrong one."""

from __future__ import annotations

from collections import Counter

import pytest

from autograder.mistakes import Mistake
from tests.selftest.support.doubles import Judged, judge_doubles
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.left_out import judge_left_out, list_judged
from tests.selftest.support.tiers import sample

pytestmark = [pytest.mark.content, pytest.mark.once]

# The least share of the pairs of a question with both names. A mask is compared by properties of the whole value, so
# that nothing in dropout has a name.
LEAST_SHARE = {"dropout": 0.0}
LEAST = 0.6
PAIRED = "q1c_neural"  # has many pairs


def assert_named(judged: list[Judged], least: float) -> None:
    """Nothing has a wrong name, and the share of those with all of their names is at least `least`."""
    verdicts = Counter(each.verdict for each in judged)
    assert [(each.name, each.named) for each in judged if each.verdict == "named wrongly"] == []
    assert verdicts["named rightly"] >= least * len(judged), verdicts


@pytest.mark.ci
@pytest.mark.parametrize("stem", ASSIGNMENT.stems)
def test_of_two_mistakes_on_different_parts_both_are_named(stem: str) -> None:
    judged = list(judge_doubles(stem))
    assert len(judged) >= (10 if stem == PAIRED else 0)
    assert_named(judged, LEAST_SHARE.get(stem, LEAST))


JUDGED = [mistake for stem in ASSIGNMENT.stems for mistake in list_judged(stem)]


@pytest.mark.parametrize("mistake", sample(JUDGED, by=lambda _: ["any"], name=lambda each: each.id, second=3, ci=6))
def test_a_mistake_that_the_bank_lacks_has_no_false_name(mistake: Mistake) -> None:
    assert [each.name for each in judge_left_out(mistake) if not each.is_confirmed] == []
