"""Cold start: the order of the first steps of a run with one submission, and the modules that it must not load.

Each loaded package costs time for every submission.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import AssignmentError
from autograder.grade import GradeRequest, grade
from autograder.submission import SubmissionError
from tests.selftest.support.grader_process import (
    build_command,
    build_environment,
    list_descendants,
    read_results,
    write_submission,
)
from tests.selftest.support.toy_assignment import TOY

pytestmark = pytest.mark.slow

REPORT = """
import atexit, json, os, runpy, sys
sys.argv = sys.argv[1:]
results = sys.argv[sys.argv.index("--results") + 1]
first = []

def notice(event, arguments):
    if event in ("subprocess.Popen", "os.fork", "os.posix_spawn") and not first:
        first.append({"results": os.listdir(results), "modules": sorted(sys.modules)})

def tell():
    with open(3, "w") as told:
        json.dump({"first": first[0], "modules": sorted(sys.modules)}, told)

sys.addaudithook(notice)
atexit.register(tell)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def grade_text(folder: Path, cache: Path) -> dict[str, Any]:
    """Grade a right submission; return the state at the start of the first process, and the modules at the end."""
    python, isolated, *arguments = build_command(write_submission(folder), folder / "results")
    script = 'exec 3>"$0" && exec "$@"'
    told = folder / "told.json"
    subprocess.run(
        ["sh", "-c", script, str(told), python, isolated, "-c", REPORT, *arguments],
        env=build_environment(XDG_CACHE_HOME=str(cache)),
        check=True,
        capture_output=True,
    )
    assert read_results(folder / "results")["score"] == 4.0
    seen: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
    return seen


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The observations of a run after the first, which keeps what the grader derives."""
    folder = tmp_path_factory.mktemp("cold")
    return [grade_text(folder / name, folder / "cache") for name in ("first", "second")][1]


def packages(modules: list[str]) -> set[str]:
    return {each.partition(".")[0] for each in modules}


def test_grading_does_without_what_is_slow_to_load(seen: dict[str, Any]) -> None:
    assert {"numpy", "autograder.grader"} <= set(seen["modules"])
    assert "autograder.diagnosis.diagnosis" not in seen["modules"]
    others = {"pytest", "_pytest", "pluggy"}
    assert not others & packages(seen["modules"])


def test_the_first_process_starts_after_a_result_is_written_and_before_slow_modules(seen: dict[str, Any]) -> None:
    assert seen["first"]["results"] == ["results.json"]
    slow = {"numpy", "gradescope_utils"}
    assert slow <= packages(seen["modules"])
    assert not slow & packages(seen["first"]["modules"])


def test_no_failure_of_the_submission_or_of_the_staff_leaves_a_process(tmp_path: Path) -> None:
    before = list_descendants(os.getpid())
    with pytest.raises(SubmissionError):
        grade(GradeRequest(TOY, tmp_path / "nowhere", tmp_path / "results"))
    with pytest.raises(AssignmentError):
        grade(GradeRequest(tmp_path, write_submission(tmp_path), tmp_path / "results"))
    assert list_descendants(os.getpid()) == before
