"""Graders: builds the command of each compared grader for one submission, all with the same checks."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.in_process_student import hidden_tests_of, question_ids_of
from benchmarks.processes import run

PROJECT = Path(__file__).resolve().parents[1]
PYTHON, HELP = "python -c pass", "run_autograder --help"
PYTEST, GRADESCOPE, OURS = "plain pytest", "gradescope-utils", "run_autograder grade"
EXTRA = {"check50": "check50", "otter": "otter"}  # the names of --peers, and the module of each
Commands = Mapping[str, list[str]]


def program(*arguments: str) -> list[str]:
    """Build the command of this grader, as `run_autograder` starts it."""
    return [sys.executable, "-I", str(PROJECT / "autograder" / "__main__.py"), *arguments]


def start_commands() -> Commands:
    """Build the commands that measure a bare start."""
    return {PYTHON: [sys.executable, "-I", "-c", "pass"], HELP: program("--help")}


def grade_commands(submission: Path, results: Path, peers: tuple[str, ...] = ()) -> Commands:
    """Build the commands for one submission; `peers` are names of EXTRA."""
    only = ",".join(question_ids_of(submission))  # only the code questions: the peers cannot run others
    return {
        PYTEST: peer("pytest", submission),
        GRADESCOPE: peer("gradescope", submission),
        **{name: peer(name, submission) for name in peers},
        OURS: program("grade", str(submission), "--results", str(results), "--only", only),
    }


def peer(name: str, submission: Path) -> list[str]:
    """Build the command of a peer's script for one submission."""
    return [sys.executable, str(PROJECT / "benchmarks" / f"peer_{name}.py"), str(submission)]


def is_installed(name: str) -> bool:
    """Tell whether this peer of EXTRA is installed."""
    return importlib.util.find_spec(EXTRA[name]) is not None


def require_same_checks(commands: Commands, environment: Mapping[str, str], *, advice: int = 0) -> int:
    """Run each once; require that ours passes all checks and the others as many, with advice; return their number."""
    outputs = {name: run(command, environment).output for name, command in commands.items()}
    found = re.search(r"(\d+) of \1 checks passed", outputs.pop(OURS))
    if found is None:
        raise RuntimeError("run_autograder did not pass all checks; compare graders on a right submission")
    count = int(found[1]) + advice  # which our summary leaves out
    for name, output in outputs.items():
        if output.split()[-2:] != ["passed", str(count)]:
            raise RuntimeError(f"{name} did not pass the {count} checks:\n{output}")
    return count


def count_advice(submission: Path) -> int:
    """Count the checks of a submission's questions that give advice and no points."""
    return sum("advice" in getattr(test, "__tags__", ()) for test in hidden_tests_of(submission).values())
