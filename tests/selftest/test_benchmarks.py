"""The benchmarks compare what they say: all graders of a comparison run the same checks on the same submission."""

from __future__ import annotations

import os
import sys

import pytest

from benchmarks.processes import peak_memory_mib, run
from tests.selftest.grading import PROJECT

ENVIRONMENT = {"PATH": os.environ["PATH"], "OPENBLAS_NUM_THREADS": "1"}


@pytest.mark.parametrize(
    ("example", "passed"), [("right", range(130, 131)), ("half_done", range(1, 130))], ids=["right", "half done"]
)
@pytest.mark.parametrize("peer", ["peer_pytest.py", "peer_gradescope.py"])
def test_peer_runs_the_hidden_tests_on_the_submission(peer: str, example: str, passed: range) -> None:
    script, submission = PROJECT / "benchmarks" / peer, PROJECT / "examples" / example
    cost = run([sys.executable, str(script), str(submission)], ENVIRONMENT)
    assert int(cost.output.split()[-1]) in passed
    assert cost.wall_s > 0.1 < cost.cpu_s


def test_a_command_that_fails_has_no_cost() -> None:
    with pytest.raises(RuntimeError, match="ended with 7:\nwhy\n"):
        run([sys.executable, "-c", "print('why'); raise SystemExit(7)"], ENVIRONMENT)


def test_memory_is_that_of_all_processes() -> None:
    child = "x = bytearray(60 << 20); import time; time.sleep(0.5)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    assert 60 < peak_memory_mib([sys.executable, "-c", parent], ENVIRONMENT) < 120
