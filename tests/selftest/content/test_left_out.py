"""Without its own entry in the bank, a known mistake has no name that is false of it."""

from __future__ import annotations

import pytest

from autograder.mistakes import Mistake
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.left_out import judge_left_out, list_judged, read_true_names
from tests.selftest.support.tiers import sample

JUDGED = [mistake for stem in ASSIGNMENT.stems for mistake in list_judged(stem)]


@pytest.mark.parametrize("mistake", sample(JUDGED, by=lambda _: ["any"], name=lambda each: each.id, second=3, ci=6))
def test_a_mistake_that_the_bank_lacks_has_no_false_name(mistake: Mistake) -> None:
    unconfirmed = {each.name for each in judge_left_out(mistake) if not each.is_confirmed}
    assert unconfirmed == set(read_true_names(mistake.stem).get(mistake.id, {}))  # each has a reason, and none is left


def test_every_reason_is_about_a_mistake() -> None:
    known = {(mistake.stem, mistake.id) for mistake in JUDGED}
    assert {(stem, name) for stem in ASSIGNMENT.stems for name in read_true_names(stem)} <= known


def test_some_are_named_by_what_is_true_of_them() -> None:
    (mistake,) = [each for each in JUDGED if each.id == "grad_preactivation_negative"]
    assert [(each.name, each.is_confirmed) for each in judge_left_out(mistake)] == [("general.sign", True)]
