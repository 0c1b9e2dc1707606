"""A cold start: what a run that grades one submission does without, since each package costs every submission."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.selftest.grader_process import command, environment, results_in, submission_in

REPORT_MODULES = """
import atexit, json, runpy, sys
sys.argv = sys.argv[1:]
file = open(3, "w")
atexit.register(lambda: json.dump(sorted(sys.modules), file))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def modules_after_grading(folder: Path) -> set[str]:
    """What is loaded in the grader's process at its end."""
    python, isolated, *arguments = command(submission_in(folder), folder / "results")
    script = 'exec 3>"$0" && exec "$@"'
    told = folder / "modules.json"
    subprocess.run(
        ["sh", "-c", script, str(told), python, isolated, "-c", REPORT_MODULES, *arguments],
        env=environment(),
        check=True,
        capture_output=True,
    )
    return set(json.loads(told.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What grading a right submission has loaded."""
    folder = tmp_path_factory.mktemp("cold")
    loaded = modules_after_grading(folder)
    assert results_in(folder / "results")["score"] == 4.0
    assert {"numpy", "autograder.grader"} <= loaded
    return loaded


@pytest.mark.parametrize("name", ["pydantic", "annotated_types"])
def test_grading_does_without(modules: set[str], name: str) -> None:
    assert not {each for each in modules if each.partition(".")[0] == name}
