"""check.py on the examples of this course: its messages and lines are the recorded ones of the grader."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.selftest.golden.regenerate import ANSWERED, golden_path
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.handout import (
    read_lines_to_run,
    read_outputs,
    run_check,
    select_comparable,
    select_lines_to_run,
    unpack_handout,
)

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
        done = run_check(folder, *CHECKED)
        assert (done.returncode, done.stderr) == (0, "")
        assert "FAIL" not in done.stdout
        assert re.search(r"\n(\d+) of \1 public checks passed, ([\d.]+) of \2 points\n\Z", done.stdout)

    @pytest.mark.exhaustive
    @pytest.mark.parametrize("example", ["half_done", "wrong"])
    def test_the_messages_and_the_lines_to_run_are_those_of_gradescope(self, tmp_path, example):
        """Except for hints from known mistakes, what they keep, and what failed beside the grader's functions.

        A check that was stopped has no lines: its process cannot write any more.
        """
        folder = unpack_handout(tmp_path / "mine", PROJECT / "examples" / example, root=PROJECT)
        done = run_check(folder, *CHECKED)
        said, graded = read_outputs(done.stdout, PROJECT), read_graded(example)
        assert said.keys() == graded.keys()
        for number, output in graded.items():
            if "the grader's" not in output and number not in OF_STEPS:
                assert select_comparable(said[number]) == select_comparable(output), number
        assert ("It was stopped because it took too long." in "\n".join(said.values())) == (example == "wrong")
        lines = select_lines_to_run(graded)
        assert len(lines) >= 3
        assert lines.items() <= read_lines_to_run(done.stdout, PROJECT).items()
