"""Graders: one submission as a command for each grader that is compared, all with the same checks."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.in_process_student import stems_of
from benchmarks.processes import run

PROJECT = Path(__file__).resolve().parents[1]
PYTHON, HELP = "python -c pass", "run_autograder --help"
PYTEST, GRADESCOPE, OURS = "plain pytest", "gradescope-utils", "run_autograder grade"
EXTRA = {"check50": "check50", "otter": "otter"}  # the names of --peers, and what each imports
Commands = Mapping[str, list[str]]


def program(*arguments: str) -> list[str]:
    """Our own grader, as `run_autograder` starts it."""
    return [sys.executable, "-I", str(PROJECT / "autograder" / "__main__.py"), *arguments]


def start_commands() -> Commands:
    """What it takes to start at all."""
    return {PYTHON: [sys.executable, "-I", "-c", "pass"], HELP: program("--help")}


def grade_commands(submission: Path, results: Path, peers: tuple[str, ...] = ()) -> Commands:
    """One submission each; `peers` are names of EXTRA."""
    only = ",".join(stems_of(submission))  # the questions that are programmed; the peers run no others
    return {
        PYTEST: peer("pytest", submission),
        GRADESCOPE: peer("gradescope", submission),
        **{name: peer(name, submission) for name in peers},
        OURS: program("grade", str(submission), "--results", str(results), "--only", only),
    }


def peer(name: str, submission: Path) -> list[str]:
    """A script beside this one, for one submission."""
    return [sys.executable, str(PROJECT / "benchmarks" / f"peer_{name}.py"), str(submission)]


def is_installed(name: str) -> bool:
    """Can this one of EXTRA be imported?"""
    return importlib.util.find_spec(EXTRA[name]) is not None


def require_same_checks(commands: Commands, environment: Mapping[str, str]) -> int:
    """Run each once: ours has to pass all the checks that there are, and the others as many; how many that is."""
    outputs = {name: run(command, environment).output for name, command in commands.items()}
    found = re.search(r"(\d+) of \1 checks passed", outputs.pop(OURS))
    if found is None:
        raise RuntimeError("run_autograder did not pass all checks; compare graders on a right submission")
    for name, output in outputs.items():
        if output.split()[-2:] != ["passed", found[1]]:
            raise RuntimeError(f"{name} did not pass the {found[1]} checks:\n{output}")
    return int(found[1])
