"""check.py on the examples of this course: its messages and lines are the recorded ones of the grader."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from autograder.grading.explain import REPRODUCER
from tests.selftest.golden.regenerate import ANSWERED, golden_path
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.handout import read_lines_to_run, read_outputs, run_check, unpack_handout

CODE = [question.stem for question in ASSIGNMENT.questions if not question.answers]  # answers are checked by the grader
CHECKED = [stem for stem in CODE if stem in ANSWERED]
NOT_COMPARABLE = (
    "  hint: ",
    "  gradient: ",
    "    ",  # the line of a syntax error, and its mark
    "  |   ",  # the line that a warning is about, which Python finds at home
)
KEPT = re.compile(r"  -[\d.]+:")


def select_comparable(output: str) -> list[str]:
    """Return the lines that do not depend on modules that students lack, without the lines to run."""
    before, shown, after = output.partition(f"{REPRODUCER}\n")
    printed = after[after.index("Printed by your code:") :] if shown and "Printed by your code:" in after else ""
    lines = (before + printed).splitlines()
    return [line for line in lines if not line.startswith(NOT_COMPARABLE) and not KEPT.match(line)]


REPEATED = ("9.8", "9.11")  # of the wrong example, with the grader's sigmoid_grad, which is another function


def read_graded(example: str) -> dict[str, str]:
    """Return the output of each visible check of code on Gradescope, by number."""
    tests: list[dict[str, Any]] = json.loads(golden_path(example).read_bytes())["tests"]
    return {
        test["number"]: test["output"] for test in tests if test["visibility"] == "visible" and test["tags"][0] in CODE
    }


class TestExamples:
    def test_right_answers_pass(self, tmp_path):
        folder = unpack_handout(tmp_path / "mine", PROJECT / "examples" / "right", root=PROJECT)
        done = run_check(folder, *CHECKED)
        assert (done.returncode, done.stderr) == (0, "")
        assert "FAIL" not in done.stdout
        assert re.search(r"\n(\d+) of \1 public checks passed, ([\d.]+) of \2 points\n\Z", done.stdout)

    @pytest.mark.parametrize("example", ["half_done", "wrong"])
    def test_the_messages_are_those_of_gradescope(self, tmp_path, example):
        """Except for hints from known mistakes, what they keep, and what is repeated with the grader's functions."""
        folder = unpack_handout(tmp_path / "mine", PROJECT / "examples" / example, root=PROJECT)
        done = run_check(folder, *CHECKED)
        said, graded = read_outputs(done.stdout), read_graded(example)
        assert said.keys() == graded.keys()
        for number, output in graded.items():
            if "the grader's" not in output and number not in REPEATED:
                assert select_comparable(said[number]) == select_comparable(output), number
        assert ("It was stopped because it took too long." in "\n".join(said.values())) == (example == "wrong")

    @pytest.mark.parametrize("example", ["half_done", "wrong"])
    def test_the_lines_to_run_are_those_of_gradescope(self, tmp_path, example):
        """Except for a check that was stopped: its process cannot write any more."""
        folder = unpack_handout(tmp_path / "mine", PROJECT / "examples" / example, root=PROJECT)
        shown = read_lines_to_run(run_check(folder, *CHECKED).stdout)
        graded = read_graded(example)
        expected = {
            number: output.partition(f"{REPRODUCER}\n")[2].partition("\nPrinted by your code:")[0]
            for number, output in graded.items()
            if REPRODUCER in output and "took too long" not in output and "the grader's" not in output
        }
        assert len(expected) >= 3
        assert expected.items() <= shown.items()
