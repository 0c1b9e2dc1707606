"""Every mistake is caught by its own tests and named; `matrix` says of all that every test catches one."""

from collections.abc import Sequence

import pytest

from autograder.grading.collection import collect_hidden_tests
from autograder.mistakes import Mistake
from autograder.results import CheckResult, Verdict, Visibility
from tests.selftest.support.grading import (
    ASSIGNMENT,
    build_submission_source,
    checks_of,
    find_rows,
    load,
    reference_text,
)
from tests.selftest.support.pasted_lines import read_lines, run_lines
from tests.selftest.support.project_sources import assert_none
from tests.selftest.support.tiers import sample

pytestmark = [pytest.mark.content, pytest.mark.once]

MISTAKES = [mistake for question_id in ASSIGNMENT.question_ids for mistake in load(question_id)]


@pytest.mark.parametrize(
    "mistake",
    sample(
        MISTAKES, by=lambda each: [each.question_id], name=lambda each: f"{each.question_id}-{each.id}", few=1, ci=1
    ),
)
def test_mistake_is_caught_by_exactly_the_tests_that_are_derived_and_named_itself(mistake: Mistake) -> None:
    checks = checks_of(mistake.question_id, build_submission_source(mistake))
    caught = {name for name, check in checks.items() if check.verdict is not Verdict.PASSED}
    outputs = "\n".join(f"{name}: {checks[name].output} {checks[name].fault}" for name in sorted(caught))
    assert sorted(caught) == sorted(find_rows(mistake)), outputs
    # Visible results are explained by the visible pass alone, which may not tell one mistake from another.
    # Errors and numbers that are not finite name nothing.
    alone = {
        name
        for name in caught
        if checks[name].visibility is Visibility.VISIBLE or "found:    the call raised" in checks[name].output
    }
    assert {checks[name].diagnosis for name in caught - alone} <= {(mistake.id,)}, outputs
    assert {checks[name].diagnosis for name in alone} <= {(mistake.id,), ()}, outputs
    assert {checks[name].fault for name in caught} == {""}
    assert_lines_show_the_failure(mistake, [checks[name] for name in sorted(caught)])


def assert_lines_show_the_failure(mistake: Mistake, failed: Sequence[CheckResult]) -> None:
    """Run the lines that checks tell a student to run: beside the right file they have to show something else."""
    lines = {check.number: read_lines(check) for check in failed if read_lines(check)}
    if lines:
        sources = build_submission_source(mistake), reference_text(mistake.question_id)
        wrong, right = (run_lines(list(lines.values()), mistake.question_id, source) for source in sources)
        assert [number for number, mine, other in zip(lines, wrong, right, strict=True) if mine == other] == []


@pytest.mark.ci
def test_a_mistake_costs_points_in_its_own_function_only() -> None:
    tests = collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids)
    functions = {(each.test.question_id, each.test.name): each.test.functions for each in tests}
    elsewhere = [
        f"{mistake.question_id}-{mistake.id}: {name} gives no points for {mistake.function}"
        for mistake in MISTAKES
        for name in find_rows(mistake)
        if not any(each.startswith(mistake.function) for each in functions[mistake.question_id, name])
    ]
    assert_none(elsewhere)


@pytest.mark.parametrize("question_id", ASSIGNMENT.question_ids)
def test_about_two_fifths_of_the_points_are_visible(question_id: str) -> None:
    tests = [each.test for each in collect_hidden_tests(ASSIGNMENT, question_ids=[question_id])]
    visible = sum(each.points for each in tests if each.visibility is Visibility.VISIBLE)
    assert 0.3 <= visible / sum(each.points for each in tests) <= 0.5
