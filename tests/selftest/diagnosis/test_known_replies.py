"""Known mistakes run apart, once on a machine; grading reads what is kept of them and runs none."""

import json
import shutil
from pathlib import Path

import pytest

from tests.selftest.support.command_line import run_line
from tests.selftest.support.toy_assignment import TOY

pytestmark = [pytest.mark.slow, pytest.mark.once]

WRONG = """
def glide_step(theta, grad, m, rate, beta=0.9):
    m = beta * m + grad
    return theta - rate * m, m
"""
PLANTED = """

@mistake("glide_step", story="Leaves a file.", hint="Why a file?")
def glide_leaves_a_file(theta, grad, m, rate, beta=0.9):
    open({mark!r}, "w").close()
    return glide_step(theta, grad, 2 * m, rate, beta)

"""


def test_a_second_grade_runs_no_mistake(tmp_path: Path) -> None:
    project, mark = tmp_path / "assignment", tmp_path / "mark"
    shutil.copytree(TOY, project)
    with (project / "tests" / "mistakes" / "averages.py").open("a", encoding="utf-8") as bank:
        bank.write(PLANTED.format(mark=str(mark)))
    (tmp_path / "averages.py").write_text(WRONG, encoding="utf-8")
    ran = []
    for _ in range(2):
        mark.unlink(missing_ok=True)
        line = ("grade", "averages.py", "--only", "4.1", "--assignment", project, "--results", "results")
        done = run_line(*line, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "kept"))
        assert done.returncode == 0, done.stderr
        results = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
        assert [each["extra_data"]["diagnosis"] for each in results["tests"]] == [["glide_sum"]]
        ran.append(mark.exists())
    assert ran == [True, False]


def test_a_submission_that_loses_nothing_runs_no_mistake(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    line = ("grade", TOY / "examples" / "right", "--only", "4.1", "--assignment", TOY, "--results", "results")
    assert run_line(*line, cwd=tmp_path, XDG_CACHE_HOME=str(kept)).returncode == 0
    assert [each.name.rpartition("-")[0] for each in (kept / "nlp-autograder").glob("derived-*")] == ["derived-checks"]
