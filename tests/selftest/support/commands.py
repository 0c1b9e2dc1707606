"""Commands: runs `./run_autograder ...` as the pages show it, and returns what it prints."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.selftest.support.command_line import list_start
from tests.selftest.support.grading import PROJECT

SCRIPT = "./run_autograder"


def run_command(command: str, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a command of the pages in a folder that has the examples; return its standard output."""
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(PROJECT / "examples")
    script, *arguments = shlex.split(command)
    assert script == SCRIPT
    variables = {**os.environ, **(environment or {})}
    line = [*list_start(), *arguments]
    return subprocess.run(line, cwd=folder, env=variables, capture_output=True, text=True, check=True).stdout
