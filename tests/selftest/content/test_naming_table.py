"""Mistakes have their names, and nothing a wrong one; the table of docs/diagnosis.md is what its command writes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from autograder.mistakes import Mistake
from tests.selftest.support.doubles import Judged, judge_doubles, judge_guarded
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.left_out import judge_left_out, list_judged, read_true_names
from tests.selftest.support.naming_table import (
    BEGIN,
    END,
    HELPED,
    NOTHING,
    ORIGINS,
    PAGE,
    RIGHT,
    Named,
    describe_help,
    judge_question,
    render,
    replace_part,
)
from tests.selftest.support.replayed_submission import find_contracts, judge, right_function
from tests.selftest.support.tiers import sample

TABLE = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].strip()


def read_row(title: str) -> list[list[int]]:
    """Read the counts of a row of the page; empty cells are left out."""
    (row,) = [line for line in TABLE.splitlines() if line.startswith(f"| {title} ")]
    return [[int(count) for count in cell.split("/")] for cell in row.split("|")[2:-1] if cell.strip()]


@pytest.mark.exhaustive
@pytest.mark.parametrize("stem", ["normalization", pytest.param("sgd", marks=pytest.mark.exhaustive)])
def test_a_row_of_the_page_is_made_anew(stem: str) -> None:
    assert render(judge_question(stem)).splitlines()[2] in TABLE.splitlines()


def test_the_page_has_all_questions_and_the_shares_that_it_should() -> None:
    for stem in ASSIGNMENT.stems:
        assert not find_contracts(stem) or read_row(stem)
    known, wordings, mutants, doubles = read_row("all")
    for counts in (known, wordings, doubles):
        assert counts[0] >= 0.9 * sum(counts)
        assert counts[1] == 0
    assert mutants[1] == 0
    assert mutants[0] >= 0.8 * sum(mutants)
    assert mutants[3] <= 0.04 * sum(mutants)  # most remember the call before: what is wrong has no kind of its own


def test_a_cell_counts_each_verdict() -> None:
    judged = [Named("sgd", ORIGINS[0], name, verdict, ()) for name, verdict in [("a", RIGHT), ("b", HELPED)]]
    assert render(judged).splitlines()[2] == "| sgd | 1 / 0 / 1 / 0 |  |  |  |"
    assert replace_part(f"text {BEGIN} old {END} more", "new") == f"text {BEGIN}\nnew\n{END} more"


@pytest.mark.exhaustive
def test_a_failed_check_without_a_line_beyond_the_values_helps_nobody() -> None:
    right = right_function("sgd", "sgd")

    def spoil(iterations: int) -> Any:
        """Return an sgd that is wrong for a number of iterations."""
        return lambda *given: np.cos(7 * right(*given)) if given[3] == iterations else right(*given)

    few = judge("sgd", "sgd", spoil(3), explains=True).checks
    untold = [each for each in few if each.output.startswith("FAIL x is wrong in ")]
    assert untold and describe_help(untold) == NOTHING
    rare = judge("sgd", "sgd", spoil(11), explains=True).checks
    (told,) = [each for each in rare if each.output.startswith("FAIL x is wrong where iterations is 11;")]
    assert describe_help([told]) == HELPED
    scaled = judge("sgd", "sgd", lambda *arguments: right(*arguments) * 1.5, explains=True).checks
    assert describe_help([each for each in scaled if each.output.startswith("FAIL")]) == HELPED


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


@pytest.mark.exhaustive
@pytest.mark.parametrize("stem", ASSIGNMENT.stems)
def test_of_two_mistakes_on_different_parts_both_are_named(stem: str) -> None:
    judged = list(judge_doubles(stem))
    assert len(judged) >= (10 if stem == PAIRED else 0)
    assert_named(judged, LEAST_SHARE.get(stem, LEAST))


@pytest.mark.exhaustive
def test_a_mistake_that_guards_its_corner_cases_is_still_named() -> None:
    judged = [each for stem in ASSIGNMENT.stems for each in judge_guarded(stem)]
    assert len(judged) >= 2
    assert_named(judged, LEAST)


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
