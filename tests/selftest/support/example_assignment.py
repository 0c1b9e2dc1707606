"""Example assignment: runs the grader's commands on an assignment of `examples/assignments/`, as its TA does."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.selftest.support.command_line import list_start
from tests.selftest.support.toy_assignment import PROJECT


@dataclass(frozen=True)
class ExampleAssignment:
    """An assignment by the name of its folder; `start`: the grader's command, by default that of this clone."""

    name: str
    start: tuple[str, ...] = tuple(list_start())

    @property
    def root(self) -> Path:
        """Its folder."""
        return PROJECT / "examples" / "assignments" / self.name

    def run(self, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the grader on it, in a folder that belongs to no assignment."""
        line = [*self.start, *map(str, arguments), "--assignment", str(self.root)]
        environment = {**os.environ, **variables}
        return subprocess.run(line, cwd="/", env=environment, capture_output=True, text=True, check=False, timeout=300)

    def grade(self, submission: Path, folder: Path, **variables: str) -> dict[str, dict[str, Any]]:
        """Grade a submission, with the results in a folder; return the checks of results.json by number."""
        done = self.run("grade", "--results", folder, submission, **variables)
        assert done.returncode == 0, done.stderr
        results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        return {test["number"]: test for test in results["tests"]}


def list_failed(checks: dict[str, dict[str, Any]]) -> list[str]:
    """List the numbers of the checks that lost points."""
    return [number for number, check in checks.items() if check["score"] < check["max_score"]]


def add_points(checks: dict[str, dict[str, Any]]) -> float:
    """Add up the points of all checks."""
    return round(sum(check["score"] for check in checks.values()), 6)
