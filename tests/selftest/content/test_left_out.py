"""Without its own entry in the bank, a known mistake has no name that is false of it."""

from __future__ import annotations

import pytest

from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.left_out import judge_question, read_true_names


@pytest.mark.parametrize("stem", ASSIGNMENT.stems)
def test_a_mistake_that_the_bank_lacks_has_no_false_name(stem: str) -> None:
    true = read_true_names(stem)
    unconfirmed = [each for each in judge_question(stem) if not each.is_confirmed]
    assert [each for each in unconfirmed if each.name not in true.get(each.mistake, {})] == []
    listed = {(mistake, name) for mistake, names in true.items() for name in names}
    assert listed - {(each.mistake, each.name) for each in unconfirmed} == set()  # no reason is left over


def test_some_are_named_by_what_is_true_of_them() -> None:
    assert any(each.name == "general.sign" and each.is_confirmed for each in judge_question("output_layer"))
