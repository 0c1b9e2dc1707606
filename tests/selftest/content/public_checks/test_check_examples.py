"""check.py on the examples of this course: its messages and lines are the recorded ones of the grader."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.selftest.golden.regenerate import ANSWERED, golden_path
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.handout import assert_like_gradescope, assert_right, run_check, unpack_handout

pytestmark = [pytest.mark.content, pytest.mark.once]

CODE = [
    question.question_id for question in ASSIGNMENT.questions if not question.answers
]  # answers are checked by the grader
CHECKED = [question_id for question_id in CODE if question_id in ANSWERED]
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

    def test_the_page_for_students_shows_what_it_prints(self, tmp_path, pytestconfig):
        folder = unpack_handout(tmp_path / "mine", PROJECT / "examples" / "half_done", root=PROJECT)
        for notebook in folder.glob("*.ipynb"):
            notebook.unlink()
        page, command = PROJECT / "docs" / "students.md", "$ python check.py dropout\n"
        text = page.read_text(encoding="utf-8")
        (shown,) = [block for block in text.split("```\n") if block.startswith(command)]
        printed = command + run_check(folder, "dropout").stdout
        if pytestconfig.getoption("--update-readme"):
            page.write_text(text.replace(shown, printed), encoding="utf-8")
        else:
            assert shown == printed


class TestTemplates:
    """A file of the template that is run runs its own visible checks."""

    @pytest.mark.parametrize("question_id", CODE)
    def test_each_has_the_lines_that_do_so(self, question_id):
        text = (PROJECT / "student_template" / f"{question_id}.py").read_text(encoding="utf-8")
        assert text.endswith(f'\n    import check\n\n    raise SystemExit(check.run("{question_id}.py"))\n')

    @pytest.mark.parametrize("question_id", ["q1c_neural", "sgd"])
    def test_without_numpy_the_last_lines_say_what_to_install(self, question_id, tmp_path):
        folder = unpack_handout(tmp_path / "mine", root=PROJECT)
        (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['numpy'] = None\n")
        command = [sys.executable, str(folder / f"{question_id}.py")]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert "python -m pip install numpy" in "".join(done.stderr.splitlines()[-4:])
