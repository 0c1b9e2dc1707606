"""Gradescope lint: content of any results.json that Gradescope rejects or reinterprets, with advice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograder.gradescope.lint import FILE_BYTES, Severity, lint_results
from autograder.gradescope.results_json import build_results
from autograder.submission import read_submission
from tests.selftest.cli.test_main import run
from tests.selftest.support.toy_assignment import ASSIGNMENT, EXAMPLES, grader

pytestmark = pytest.mark.once

ERROR, NOTE = Severity.ERROR, Severity.NOTE


def found(content: bytes | str, *, points: float | None = None) -> list[tuple[str, str, Severity]]:
    """Return the location, the value found and the severity of every finding."""
    data = content.encode() if isinstance(content, str) else content
    findings = lint_results(data, points=points)
    assert all(finding.advice for finding in findings)
    return [(finding.location, finding.found, finding.severity) for finding in findings]


def of_tests(*tests: Any, **top: Any) -> str:
    return json.dumps({"tests": tests, **top})


@pytest.mark.slow
@pytest.mark.parametrize("example", ["right", pytest.param("wrong", marks=pytest.mark.ci), "half_done"])
def test_our_own_results_are_accepted(example):
    text = build_results(grader().grade(read_submission(EXAMPLES / example, ASSIGNMENT))).as_bytes()
    tests = json.loads(text)["tests"]
    hidden = sum(test["visibility"] != "visible" for test in tests)
    note = f"{hidden} of {len(tests)} tests are not visible to students at once"
    assert found(text, points=48) == [("tests", note, NOTE)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[]", "a list at the top"),
        (b'"3"', '"3" at the top'),
        (b"{", "line 1, column 2: Expecting property name enclosed in double quotes"),
        (b"", "line 1, column 1: Expecting value"),
        (b"\xef\xbb\xbf{}", "a byte order mark before the JSON"),
        (b'{"output": "\xff"}', "byte 12 is not UTF-8"),
        (b"[" * 100_000, "lists or objects are nested too deeply"),
        (b" " * (FILE_BYTES + 1), f"{FILE_BYTES + 1} bytes"),
    ],
    ids=["list", "text", "cut", "empty", "mark", "bytes", "deep", "large"],
)
def test_a_file_without_a_json_object_is_rejected(content, told):
    assert found(content) == [("the file", told, ERROR)]


@pytest.mark.parametrize(
    ("text", "location", "what"),
    [
        ('{"score": NaN}', "score", "nan"),
        ('{"tests": [{"name": "a", "score": -Infinity}]}', "tests[0].score", "-inf"),
        ('{"score": 1e999}', "score", "inf"),
        ('{"score": 1, "extra_data": {"a b": [0, NaN]}}', 'extra_data["a b"][1]', "nan"),
        ('{"score": 1, "output": "\\ud800"}', "output", "an unpaired UTF-16 surrogate"),
        ('{"score": 1, "score": 2}', "score", "the field twice"),
        ('{"score": "1"}', "score", '"1"'),
        ('{"score": true}', "score", "true"),
        ('{"score": 1, "execution_time": -1}', "execution_time", "-1"),
        ('{"score": 1, "visibility": "visable"}', "visibility", '"visable"'),
        ('{"score": 1, "output_format": "markdown"}', "output_format", '"markdown"'),
        ('{"score": 1, "visibilty": "hidden"}', "visibilty", "a field that Gradescope does not know"),
        ('{"tests": {}}', "tests", "an object"),
        (of_tests(3), "tests[0]", "3"),
        (of_tests({"name": "a", "score": 1, "status": "ok"}), "tests[0].status", '"ok"'),
        (of_tests({"name": "a", "score": 1, "number": 1.2}), "tests[0].number", "1.2"),
        (of_tests({"name": "a", "score": 1, "tags": ["x", 3]}), "tests[0].tags[1]", "3"),
        (of_tests({"name": "a", "score": 1, "max_score": -1}), "tests[0].max_score", "-1"),
        ('{"score": 1, "leaderboard": [{"name": "x", "value": []}]}', "leaderboard[0].value", "a list"),
        ('{"score": 1, "leaderboard": [{"value": 1}]}', "leaderboard[0].name", "nothing"),
        ('{"score": 1, "leaderboard": [{"name": "x", "value": 1, "order": "up"}]}', "leaderboard[0].order", '"up"'),
        (
            '{"score": 1, "leaderboard": [{"name": "x", "value": 1, "best": 2}]}',
            "leaderboard[0].best",
            "a field that Gradescope does not know",
        ),
        ("{}", "score", "nothing"),
        (of_tests({"name": "a"}, {"name": "b", "score": 1}), "tests[0]", "no score, and none at the top"),
    ],
)
def test_an_error_is_named_with_its_location(text, location, what):
    assert (location, what, ERROR) in found(text)


@pytest.mark.parametrize(
    ("text", "location", "what"),
    [
        (of_tests({"score": 1}), "tests[0].name", "nothing"),
        (of_tests({"name": "a", "score": 3, "max_score": 2}), "tests[0].score", "3 of 2 points"),
        (of_tests({"name": "a", "score": 1}, score=2), "score", "2, but the tests add up to 1"),
        (of_tests({"name": "a", "score": 1, "output": "x" * 100_001}), "tests[0].output", "100001 characters"),
        (of_tests({"name": "a", "score": 1}, output="x", output_format="html"), "output", "HTML"),
        (
            of_tests(*[{"name": name, "score": 1, "number": "1.1"} for name in "ab"]),
            "tests[1].number",
            "'1.1', the same as tests[0]",
        ),
        (of_tests({"name": "a", "score": 1}, stdout_visibility="visible"), "stdout_visibility", "visible"),
    ],
    ids=["name", "bonus", "sum", "length", "html", "numbers", "stdout"],
)
def test_accepted_content_that_the_author_should_know_of_is_a_note(text, location, what):
    assert found(text) == [(location, what, NOTE)]


def test_the_points_are_those_of_the_outline():
    text = of_tests({"name": "a", "score": 1, "max_score": 2})
    assert found(text, points=2) == []
    assert found(text, points=3) == [("tests", "max_score adds up to 2, but the outline has 3 points", ERROR)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ('{"score": 1}', 0, "results.json: Gradescope accepts it\n"),
        ('{"score": NaN}', 1, "error: score\n  found: nan\n  next:  write a finite number"),
        (None, 2, ""),
    ],
    ids=["accepted", "refused", "missing"],
)
def test_the_exit_status_says_whether_it_is_accepted(tmp_path: Path, text, status, told):
    if text is not None:
        (tmp_path / "results.json").write_text(text)
    done = run("lint", "results.json", cwd=tmp_path)
    assert (done.returncode, told in done.stdout) == (status, True), done.stderr
