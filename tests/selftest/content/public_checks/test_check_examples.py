"""check.py on the examples of this course: its messages and lines are the recorded ones of the grader."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.selftest.golden.regenerate import ANSWERED, golden_path
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.handout import assert_like_gradescope, assert_right, run_check, unpack_handout

pytestmark = [pytest.mark.content, pytest.mark.once]

CODE = [question.stem for question in ASSIGNMENT.questions if not question.answers]  # answers are checked by the grader
CHECKED = [stem for stem in CODE if stem in ANSWERED]
OF_STEPS = ("6.3",)  # the handout does not have the words for the steps in which the wrong example fails


def read_graded(example: str) -> dict[str, str]:
    """Return the output of each visible check of code on Gradescope, by number."""
    tests: list[dict[str, Any]] = json.loads(golden_path(example).read_bytes())["tests"]
    return {
        test["number"]: test["output"] for test in tests if test["visibility"] == "visible" and test["tags"][0] in CODE
    }


class TestExamples:
    @pytest.mark.ci
    def test_right_answers_pass(self, tmp_path):
        folder = unpack_handout(tmp_path / "mine", PROJECT / "examples" / "right", root=PROJECT)
        assert_right(run_check(folder, *CHECKED))

    @pytest.mark.ci
    def test_the_messages_and_the_lines_to_run_are_those_of_gradescope(self, tmp_path):
        folder = unpack_handout(tmp_path / "mine", PROJECT / "examples" / "wrong", root=PROJECT)
        text = run_check(folder, *CHECKED).stdout
        assert_like_gradescope(text, read_graded("wrong"), PROJECT, apart=OF_STEPS)
        assert "It was stopped because it took too long." in text
