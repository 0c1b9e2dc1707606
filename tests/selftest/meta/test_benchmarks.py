"""The benchmarks compare what they say: all graders of a comparison run the same checks on the same submission."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from autograder.grading.collection import collect_hidden_tests
from benchmarks.classes import class_of
from benchmarks.comparison import Comparison, Measure, table
from benchmarks.graders import GRADESCOPE, OURS, count_advice, grade_commands, require_same_checks
from benchmarks.in_process_student import stems_of
from benchmarks.phases import WATCHED
from benchmarks.processes import run
from tests.selftest.support.grading import ASSIGNMENT, PROJECT

pytestmark = [pytest.mark.slow, pytest.mark.once]

ENVIRONMENT = {"PATH": os.environ["PATH"], "OPENBLAS_NUM_THREADS": "1"}


@pytest.mark.ci
@pytest.mark.parametrize("peer", ["peer_pytest.py", "peer_gradescope.py"])
def test_peer_runs_the_hidden_tests_on_the_submission(peer: str) -> None:
    questions = stems_of(PROJECT / "examples" / "right")
    checks = collect_hidden_tests(ASSIGNMENT, stems=questions)
    assert passed(peer, "right") == len(checks) > 70
    assert 0 < passed(peer, "half_done") < len(checks)


def passed(peer: str, example: str) -> int:
    """How many checks an example passes."""
    script, submission = PROJECT / "benchmarks" / peer, PROJECT / "examples" / example
    cost = run([sys.executable, str(script), str(submission)], ENVIRONMENT)
    assert min(cost.wall_s, cost.cpu_s) > 0
    return int(cost.output.split()[-1])


@pytest.mark.ci
def test_a_class_is_right_and_no_two_submissions_return_the_same_digits(tmp_path: Path) -> None:
    with class_of(4, jobs=1, environment=ENVIRONMENT) as submissions:
        folders = sorted(submissions.folder.iterdir())
        for folder in folders[:3]:
            both = grade_commands(folder, tmp_path / "results")
            commands = {name: both[name] for name in (GRADESCOPE, OURS)}
            assert require_same_checks(commands, ENVIRONMENT, advice=count_advice(folder)) > 70
        call = [sys.executable, "-c", "import word2vec; print(repr(word2vec.sigmoid(0.3)))"]
        printed = {run(call, ENVIRONMENT | {"PYTHONPATH": str(folder)}).output for folder in folders[::3]}
        assert len(printed) == 2  # of two in the same style


def test_the_functions_of_phases_are_there() -> None:
    assert [(owner, name) for owner, name, _ in WATCHED if not callable(getattr(owner, name, None))] == []


def test_graders_of_unlike_checks_are_not_compared() -> None:
    says = {"all": "7 of 7 checks passed", "six": "passed 6", "not all": "6 of 7 checks passed"}
    commands = {name: [sys.executable, "-c", f"print({text!r})"] for name, text in says.items()}
    with pytest.raises(RuntimeError, match="six did not pass the 7 checks"):
        require_same_checks({OURS: commands["all"], "six": commands["six"]}, ENVIRONMENT)
    with pytest.raises(RuntimeError, match="run_autograder did not pass all checks"):
        require_same_checks({OURS: commands["not all"]}, ENVIRONMENT)


MEASURES = [
    Measure("wall s", 2, {"plain": [1.0, 2.0, 4.0], "a < b": [2.0, 8.0, 8.0]}),
    Measure("MiB", 0, {"plain": [100.0], "a < b": [50.0]}),
]


def test_ratios_are_those_within_the_rounds() -> None:
    _, _, plain, other = table(Comparison("Grading", "plain", "a < b", MEASURES)).splitlines()
    assert plain.split() == ["plain", "2.00", "1.00", "100", "1.00"]
    assert other.split()[3:] == ["8.00", "2.00", "(2.00-4.00)", "50", "0.50", "(0.50-0.50)"]
