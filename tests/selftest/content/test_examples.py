"""The example submissions get exactly their recorded results, every time; the unchanged templates get 0."""

import re
from collections import Counter
from typing import Any

import pytest

from tests.selftest.golden.regenerate import ANSWERED, EXAMPLES, as_text, golden_path, results_of
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.session_store import make_once
from tests.selftest.support.text_grading import shorten_loops

pytestmark = pytest.mark.content

# The others fail, which takes as long as twenty right ones.
TIERED = [pytest.param(example, marks=() if example == "right" else pytest.mark.ci) for example in EXAMPLES]


def results(example: str) -> dict[str, Any]:
    """Grade an example once, two tests at a time; the recorded results are those of one at a time.

    Endless loops end sooner than students' ones: on a busy machine their full time would be longer than the grader
    waits for a question, after which it tries less.
    """

    def grade_it() -> dict[str, Any]:
        with pytest.MonkeyPatch.context() as patch:
            shorten_loops(patch)
            return results_of(PROJECT / "examples" / example)

    return make_once(f"example {example}", grade_it)


def judged(graded: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tests with a score; the others show texts to a person."""
    return [test for test in graded["tests"] if "score" in test]


def verdicts(graded: dict[str, Any]) -> Counter[str]:
    """Count the verdicts."""
    return Counter(test["extra_data"]["verdict"] for test in judged(graded))


@pytest.mark.parametrize("example", TIERED)
def test_example_gets_the_results_written_down(example: str) -> None:
    written = golden_path(example).read_text(encoding="utf-8")
    assert as_text(results(example)).splitlines() == written.splitlines()


@pytest.mark.parametrize("example", TIERED)
def test_readme_states_the_score(example: str) -> None:
    readme = (PROJECT / "examples" / "README.md").read_text(encoding="utf-8")
    stated = re.search(rf"`{example}`[^`]*?([\d.]+) of (\d+) points", readme)
    assert stated is not None
    maximum = sum(question.points for question in ASSIGNMENT.questions if question.question_id in ANSWERED)
    assert (float(stated[1]), float(stated[2])) == (results(example)["score"], maximum)


def test_right_example_has_full_points_in_every_question_and_is_not_told_anything() -> None:
    points: Counter[str] = Counter()
    for test in judged(results("right")):
        points[test["extra_data"]["question"]] += test["score"]
    assert points == pytest.approx(
        {each.question_id: each.points for each in ASSIGNMENT.questions if each.question_id in ANSWERED}
    )
    assert verdicts(results("right")).keys() == {"passed"}
    assert {test["output"] for test in judged(results("right"))} == {"Passed."}
    assert "Notes on your files" not in results("right")["output"]


@pytest.mark.ci
def test_template_has_no_point_and_every_function_is_not_written() -> None:
    results = results_of(PROJECT / "student_template")
    assert results["score"] == 0
    assert verdicts(results).keys() == {"not_written"}
