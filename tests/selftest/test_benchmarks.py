"""The benchmarks compare what they say: all graders of a comparison run the same checks on the same submission."""

from __future__ import annotations

import os
import sys

import pytest

from autograder.collection import collect_hidden_tests
from benchmarks.in_process_student import stems_of
from benchmarks.processes import peak_memory_mib, run
from tests.selftest.grading import ASSIGNMENT, PROJECT

ENVIRONMENT = {"PATH": os.environ["PATH"], "OPENBLAS_NUM_THREADS": "1"}


@pytest.mark.parametrize("peer", ["peer_pytest.py", "peer_gradescope.py"])
def test_peer_runs_the_hidden_tests_on_the_submission(peer: str) -> None:
    questions = stems_of(PROJECT / "examples" / "right")
    checks = collect_hidden_tests(PROJECT / "tests" / "hidden", ASSIGNMENT, stems=questions)
    assert passed(peer, "right") == len(checks) > 100
    assert 0 < passed(peer, "half_done") < len(checks)


def passed(peer: str, example: str) -> int:
    """How many checks an example passes."""
    script, submission = PROJECT / "benchmarks" / peer, PROJECT / "examples" / example
    cost = run([sys.executable, str(script), str(submission)], ENVIRONMENT)
    assert cost.wall_s > 0.1 < cost.cpu_s
    return int(cost.output.split()[-1])


def test_a_command_that_fails_has_no_cost() -> None:
    with pytest.raises(RuntimeError, match="ended with 7:\nwhy\n"):
        run([sys.executable, "-c", "print('why'); raise SystemExit(7)"], ENVIRONMENT)


def test_memory_is_that_of_all_processes() -> None:
    child = "x = bytearray(60 << 20); import time; time.sleep(0.5)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    assert 60 < peak_memory_mib([sys.executable, "-c", parent], ENVIRONMENT) < 120
