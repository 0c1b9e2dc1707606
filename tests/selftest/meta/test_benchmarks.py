"""The benchmarks compare what they say: all graders of a comparison run the same checks on the same submission."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.grading.collection import collect_hidden_tests
from benchmarks.classes import class_of
from benchmarks.comparison import Comparison, Measure, table
from benchmarks.graders import GRADESCOPE, OURS, count_advice, grade_commands, require_same_checks
from benchmarks.in_process_student import stems_of
from benchmarks.phases import DIAGNOSIS, SHARED, WATCHED, Phases
from benchmarks.processes import Cost, environment_in, run, sum_memory_mib
from benchmarks.rounds import in_rounds
from benchmarks.wrong_work import SLOW, WRONG, wrong_rivals, wrong_table
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


def test_a_command_that_fails_has_no_cost() -> None:
    with pytest.raises(RuntimeError, match="ended with 7:\nwhy\n"):
        run([sys.executable, "-c", "print('why'); raise SystemExit(7)"], ENVIRONMENT)


def test_memory_is_that_of_all_processes() -> None:
    child = "x = bytearray(60 << 20); import sys; print('made', flush=True); sys.stdin.read()"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", parent], env=ENVIRONMENT, **pipes) as process:
        assert process.stdout.readline() == b"made\n"
        assert 60 < sum_memory_mib(process.pid) < 120
        process.stdin.close()


@pytest.mark.ci
@pytest.mark.parametrize("name", ["raises at once", "returns nothing", "is right and 50 times slower"])
def test_a_wrong_file_loses_points_and_a_slow_one_none(tmp_path: Path, name: str) -> None:
    output = wrong_rivals(tmp_path / "wrong", environment_in(tmp_path))[name]().output
    assert bool(re.search(r"(\d+) of \1 checks passed", output)) == (name in SLOW)


def test_wrong_work_is_compared_with_right_work_of_the_same_question_and_round() -> None:
    files, right = {**WRONG, **SLOW}, [Cost(2.0, 2.0, ""), Cost(3.0, 1.0, "")]
    costs = {name: [Cost(6.0, 8.0, ""), Cost(9.0, 4.0, "")] for name in files}
    costs |= {file.stem: right for file in files.values()} | {"raises at once": right}
    lines = wrong_table(costs).splitlines()
    assert len(WRONG) == 16
    assert lines[2].split()[-4:] == ["6.00", "4.00", "7.50", "3.00"]
    assert lines[-2].split()[-2:] == [f"{(14 * 4 + 1) / 15:.2f}", f"{(14 * 3 + 1) / 15:.2f}"]
    assert lines[-1].split()[-2:] == ["4.00", "3.00"]


def test_the_functions_of_phases_are_there() -> None:
    assert [(owner, name) for owner, name, _ in WATCHED if not callable(getattr(owner, name, None))] == []


def test_what_is_within_another_phase_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "process_time", lambda: now[0])
    phases = Phases()
    with phases.phase(SHARED):
        now[0] += 2.0
        with phases.phase(DIAGNOSIS):
            now[0] += 1.0
        now[0] += 4.0
    taken = phases.take()
    assert (taken[SHARED], taken[DIAGNOSIS]) == (6.0, 1.0)


def test_graders_of_unlike_checks_are_not_compared() -> None:
    says = {"all": "7 of 7 checks passed", "six": "passed 6", "not all": "6 of 7 checks passed"}
    commands = {name: [sys.executable, "-c", f"print({text!r})"] for name, text in says.items()}
    with pytest.raises(RuntimeError, match="six did not pass the 7 checks"):
        require_same_checks({OURS: commands["all"], "six": commands["six"]}, ENVIRONMENT)
    with pytest.raises(RuntimeError, match="run_autograder did not pass all checks"):
        require_same_checks({OURS: commands["not all"]}, ENVIRONMENT)


def test_settings_of_python_do_not_reach_what_is_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    told = run([sys.executable, "-c", "import sys; print(sys.dont_write_bytecode)"], environment_in(tmp_path))
    assert told.output == "False\n"


def test_rivals_take_turns_and_the_first_round_does_not_count() -> None:
    order: list[str] = []
    rivals = {name: lambda name=name: order.append(name) or len(order) for name in "ab"}
    assert in_rounds(rivals, 2) == {"a": [3, 6], "b": [4, 5]}
    assert "".join(order) == "baabba"


MEASURES = [
    Measure("wall s", 2, {"plain": [1.0, 2.0, 4.0], "a < b": [2.0, 8.0, 8.0]}),
    Measure("MiB", 0, {"plain": [100.0], "a < b": [50.0]}),
]


def test_ratios_are_those_within_the_rounds() -> None:
    _, _, plain, other = table(Comparison("Grading", "plain", "a < b", MEASURES)).splitlines()
    assert plain.split() == ["plain", "2.00", "1.00", "100", "1.00"]
    assert other.split()[3:] == ["8.00", "2.00", "(2.00-4.00)", "50", "0.50", "(0.50-0.50)"]
