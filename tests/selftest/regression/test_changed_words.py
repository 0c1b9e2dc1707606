"""The old and the new words of a check that gives other points to the same files, side by side in the report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.regression.comparison import ChangedWords, ComparedRun, group_by_test
from autograder.regression.report import render_report
from autograder.regression.store import Load, StoredResult
from autograder.regression.summary import Cause, Comparison, Difference
from tests.selftest.regression.test_report import moved, stored
from tests.selftest.support.summaries import student, summary

pytestmark = pytest.mark.once

OLD, NEW = "FAIL add(1, 2)\n  found: 4", "FAIL add(1, 2)\n  found: <4>\n  hint: one too many"
OLD_LINES = (("1.1 add: two numbers", False), ("FAIL add(1, 2)", False), ("  found: 4", True))


def compared(*differences: Difference) -> Comparison:
    return Comparison(against="week", compared=9, unstable=(), differences=differences,
                      tests=tuple(group_by_test(differences)))  # fmt: skip


def collect(
    *differences: Difference, before: Load = lambda name: stored(name, OLD), now: Load = lambda name: stored(name, NEW)
) -> tuple[ChangedWords, ...]:
    compared_run = ComparedRun("week", _differences=[*differences])
    for each in differences:
        was, found = before(each.name), now(each.name)
        assert was is not None and found is not None
        compared_run.note_words(each, was, found)
    return compared_run.list_changed_words()


def test_lines_that_the_other_side_lacks_are_marked():
    [changed] = collect(moved("ann", 1.0, 0.0), moved("bo", 1.0, 0.0))
    [pair] = changed.pairs  # the second has the same words
    assert (pair.name, pair.before) == ("ann", OLD_LINES)
    assert [text for text, is_other in pair.after if is_other] == ["  found: <4>", "  hint: one too many"]


def test_changed_files_have_no_words():
    assert collect(moved("ann", 1.0, 0.0, Cause.CODE)) == ()


def test_the_checks_of_a_function_are_shown_together():
    whole = moved("ann", 1.0, 0.0)
    whole = replace(whole, moves=(replace(whole.moves[0], test="algebra: add"),))

    def judge_add(name: str) -> StoredResult:
        made = stored(name)
        for test in made.fields["tests"][:2]:
            test["extra_data"]["functions"] = ["add"]
        return made

    [changed] = collect(whole, before=judge_add, now=judge_add)
    assert [text[:3] for text, _ in changed.pairs[0].before if text[0].isdigit()] == ["1.1", "1.2"]


def test_the_report_shows_both_sides():
    found = compared(moved("ann", 1.0, 0.0))
    run = summary(student("ann"), baseline=found)
    page = "".join(render_report(run, stored, (), collect(*found.differences)))
    assert "<mark>  found: 4</mark>" in page
    assert "<mark>  found: &lt;4&gt;</mark>\n<mark>  hint: one too many</mark>" in page
    assert "0 gain, 1 drop: -1 points" in page
