"""PrairieLearn's results.json, against the schema of its documentation written down here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from autograder.gradescope import prairielearn
from autograder.gradescope.results_json import build_placeholder, build_results, build_unreadable
from autograder.gradescope.schema import Results
from autograder.results import Visibility, WrittenText
from tests.selftest.cli.test_main import ONLY, RIGHT, run
from tests.selftest.support.reports import check, failed, report, undecided


class Documented(BaseModel):
    """A record of the documentation: no other field, no other type."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class ListedTest(Documented):
    """One test; `points` beside `max_points`. The documentation also has a description and images."""

    name: str
    points: float
    max_points: float
    message: str = ""
    output: str = ""


class Graded(Documented):
    """A submission with a score, as a share of the question's points."""

    gradable: Literal[True]
    score: float = Field(ge=0, le=1)
    output: str = ""
    tests: list[ListedTest] = []


class NotGradable(Documented):
    """A submission that does not count as an attempt."""

    gradable: Literal[False]
    format_errors: list[str]


File: TypeAdapter[Graded | NotGradable] = TypeAdapter(Graded | NotGradable)
TEXT = WrittenText(stem="a", key="why", title="Why?", number="2.1", points=3.0, answer="It falls.", rubric="x" * 5)


def emit(results: Results) -> dict[str, Any]:
    """Emit for PrairieLearn; the file fits the schema."""
    content = prairielearn.emit(results)
    File.validate_json(content)
    fields: dict[str, Any] = json.loads(content)
    return fields


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
class TestCommand:
    @pytest.mark.parametrize(("text", "status"), [(RIGHT, 0), (None, 2)], ids=["graded", "unreadable"])
    def test_writes_the_format_whatever_the_end(self, tmp_path: Path, text: str | None, status: int) -> None:
        path = tmp_path / "submission"
        if text is not None:
            path.mkdir()
            (path / "rows.py").write_text(text)
        done = run("grade", "submission", *ONLY, "--format", "prairielearn", cwd=tmp_path)
        assert done.returncode == status, done.stderr
        found = File.validate_json((tmp_path / "results" / "results.json").read_bytes())
        assert found.gradable is (status == 0)
        assert not isinstance(found, Graded) or found.score == 1.0

    def test_json_prints_gradescopes_results_alone(self, tmp_path: Path) -> None:
        done = run("grade", "x", "--json", "--format", "prairielearn", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "--json prints Gradescope's results; leave out --format" in done.stderr
