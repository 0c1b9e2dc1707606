"""The benchmarks compare what they say: all graders of a comparison run the same checks on the same submission."""

import os
import sys

import pytest

from benchmarks.graders import OURS, require_same_checks
from benchmarks.phases import WATCHED

pytestmark = [pytest.mark.slow, pytest.mark.once]

ENVIRONMENT = {"PATH": os.environ["PATH"], "OPENBLAS_NUM_THREADS": "1"}


def test_the_functions_of_phases_are_there() -> None:
    assert [(owner, name) for owner, name, _ in WATCHED if not callable(getattr(owner, name, None))] == []


def test_graders_of_unlike_checks_are_not_compared() -> None:
    says = {"all": "7 of 7 checks passed", "six": "passed 6", "not all": "6 of 7 checks passed"}
    commands = {name: [sys.executable, "-c", f"print({text!r})"] for name, text in says.items()}
    with pytest.raises(RuntimeError, match="six did not pass the 7 checks"):
        require_same_checks({OURS: commands["all"], "six": commands["six"]}, ENVIRONMENT)
    with pytest.raises(RuntimeError, match="run_autograder did not pass all checks"):
        require_same_checks({OURS: commands["not all"]}, ENVIRONMENT)
