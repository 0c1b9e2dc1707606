"""PrairieLearn's results.json, against the schema of its documentation written down here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograder.gradescope import prairielearn
from autograder.gradescope.results_json import build_placeholder, build_results, build_unreadable
from autograder.gradescope.schema import Results
from autograder.results import Visibility, WrittenText
from tests.selftest.cli.test_main import ONLY, run
from tests.selftest.support.grader_process import write_submission
from tests.selftest.support.reports import check, failed, report, undecided

pytestmark = pytest.mark.once

GRADED = {
    "gradable": bool,
    "score": float,
    "output": str,
    "tests": list,
}  # the score is the share of the question's points
NOT_GRADABLE = {"gradable": bool, "format_errors": list}  # does not count as an attempt
LISTED = {"name": str, "points": float, "max_points": float, "message": str, "output": str}


def read_documented(content: bytes) -> dict[str, Any]:
    """Read a file, which has the fields and types of the documentation and no others."""
    fields: dict[str, Any] = json.loads(content)
    assert {name: type(value) for name, value in fields.items()} == (GRADED if fields["gradable"] else NOT_GRADABLE)
    assert 0 <= fields.get("score", 0) <= 1
    assert all(isinstance(line, str) for line in fields.get("format_errors", []))
    for test in fields.get("tests", []):
        assert {name: type(value) for name, value in test.items()} == LISTED
    return fields


TEXT = WrittenText(stem="a", key="why", title="Why?", number="2.1", points=3.0, answer="It falls.", rubric="x" * 5)


def emit(results: Results) -> dict[str, Any]:
    """Emit for PrairieLearn."""
    return read_documented(prairielearn.emit(results))


def test_the_score_is_the_share_of_all_points_without_advice_and_texts() -> None:
    hidden = failed("the secret input", number="1.2", points=6.0, visibility=Visibility.AFTER_DUE_DATE)
    advice = failed(points=0.0, number="1.9", is_advice=True)
    fields = emit(build_results(report(check(), hidden, advice, texts=(TEXT,))))
    assert (fields["gradable"], fields["score"]) == (True, 0.25)


def test_tests_that_students_do_not_see_yet_are_left_out() -> None:
    unseen = [failed("the secret", number=f"1.{each.value}", visibility=each) for each in Visibility][1:]
    content = prairielearn.emit(build_results(report(check(), *unseen, texts=(TEXT,)))).decode()
    assert "secret" not in content and "It falls" not in content
    assert [test["name"] for test in json.loads(content)["tests"]] == ["1.1 add: two numbers"]


def test_each_test_says_how_it_ended() -> None:
    tests = emit(build_results(report(check(), failed())))["tests"]
    ends = [(each["points"], each["max_points"], each["message"]) for each in tests]
    assert ends == [(2.0, 2.0, "passed"), (0.0, 2.0, "not passed")]


@pytest.mark.parametrize(
    "results",
    [build_placeholder(), build_unreadable("no file"), build_results(report(check(), undecided())), Results()],
    ids=["unfinished", "unreadable", "not judged", "empty"],
)
def test_what_was_not_judged_in_full_costs_no_attempt(results: Results) -> None:
    fields = emit(results)
    assert fields["gradable"] is False
    assert fields["format_errors"] != [""]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "status"), [("submission", 0), ("nowhere", 2)], ids=["graded", "unreadable"])
def test_the_command_writes_the_format_whatever_the_end(tmp_path: Path, name: str, status: int) -> None:
    write_submission(tmp_path)
    done = run("grade", name, *ONLY, "--format", "prairielearn", cwd=tmp_path)
    assert done.returncode == status, done.stderr
    found = read_documented((tmp_path / "results" / "results.json").read_bytes())
    assert found["gradable"] is (status == 0)
    assert found.get("score", 1.0) == 1.0
