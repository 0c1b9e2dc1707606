"""lint: says of any results.json what Gradescope refuses, what it reads in another way, and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograder.gradescope.lint import FILE_BYTES, Severity, lint
from tests.selftest.cli.test_main import run
from tests.selftest.golden.regenerate import EXAMPLES, golden_path

ERROR, NOTE = Severity.ERROR, Severity.NOTE


def found(content: bytes | str, *, points: float | None = None) -> list[tuple[str, str, Severity]]:
    """Place, what is there, and severity of every finding."""
    data = content.encode() if isinstance(content, str) else content
    findings = lint(data, points=points)
    assert all(finding.advice for finding in findings)
    return [(finding.place, finding.found, finding.severity) for finding in findings]


def of_tests(*tests: Any, **top: Any) -> str:
    return json.dumps({"tests": tests, **top})


@pytest.mark.parametrize("example", EXAMPLES)
def test_our_own_results_are_accepted(example):
    text = golden_path(example).read_bytes()
    hidden = sum(test["visibility"] != "visible" for test in json.loads(text)["tests"])
    assert 96 < hidden < 103  # checks until the due date, and the texts that are written
    assert found(text, points=156) == [("tests", f"{hidden} of 152 tests that students do not see at once", NOTE)]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"[]", "a list at the top"),
        (b'"3"', '"3" at the top'),
        (b"{", "line 1, column 2: Expecting property name enclosed in double quotes"),
        (b"", "line 1, column 1: Expecting value"),
        (b"\xef\xbb\xbf{}", "a byte order mark before the JSON"),
        (b'{"output": "\xff"}', "byte 12 is not UTF-8"),
        (b"[" * 100_000, "lists or objects in each other without end"),
        (b" " * (FILE_BYTES + 1), f"{FILE_BYTES + 1} bytes"),
    ],
    ids=["list", "text", "cut", "empty", "mark", "bytes", "deep", "large"],
)
def test_what_is_no_object_is_no_result(content, what):
    assert found(content) == [("the file", what, ERROR)]


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ('{"score": NaN}', "score", "nan"),
        ('{"tests": [{"name": "a", "score": -Infinity}]}', "tests[0].score", "-inf"),
        ('{"score": 1e999}', "score", "inf"),
        ('{"score": 1, "extra_data": {"a b": [0, NaN]}}', 'extra_data["a b"][1]', "nan"),
        ('{"score": 1, "output": "\\ud800"}', "output", "half of a UTF-16 pair, which is no character"),
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
        ("{}", "score", "nothing"),
        (of_tests({"name": "a"}, {"name": "b", "score": 1}), "tests[0]", "no score, nor one at the top"),
    ],
)
def test_an_error_is_named_with_its_place(text, place, what):
    assert (place, what, ERROR) in found(text)


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        (of_tests({"score": 1}), "tests[0].name", "nothing"),
        (of_tests({"name": "a", "score": 3, "max_score": 2}), "tests[0].score", "3 of 2 points"),
        (of_tests({"name": "a", "score": 1}, score=2), "score", "2, and 1 as the sum of the tests"),
        (of_tests({"name": "a", "score": 1, "output": "x" * 100_001}), "tests[0].output", "100001 characters"),
        (of_tests({"name": "a", "score": 1}, output="x", output_format="html"), "output", "HTML"),
        (
            of_tests(*[{"name": name, "score": 1, "number": "1.1"} for name in "ab"]),
            "tests[1].number",
            "'1.1', as tests[0] has",
        ),
        (of_tests({"name": "a", "score": 1}, stdout_visibility="visible"), "stdout_visibility", "visible"),
    ],
    ids=["name", "bonus", "sum", "length", "html", "twins", "stdout"],
)
def test_what_gradescope_takes_and_the_author_should_know_is_a_note(text, place, what):
    assert found(text) == [(place, what, NOTE)]


def test_the_points_are_those_of_the_outline():
    text = of_tests({"name": "a", "score": 1, "max_score": 2})
    assert found(text, points=2) == []
    assert found(text, points=3) == [("tests", "2 as the sum of max_score, and 3 points in the outline", ERROR)]


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ('{"score": 1}', 0, "results.json: Gradescope takes it\n"),
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
