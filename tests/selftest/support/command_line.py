"""Command line: runs the command line of a project as a process of its own."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from tests.selftest.support.toy_assignment import PROJECT


def list_start(project: Path = PROJECT) -> list[str]:
    """List the words that start the command line of a project, or of this one where a folder has none."""
    engine = project if (project / "autograder").exists() else PROJECT
    return [sys.executable, "-I", str(engine / "autograder" / "__main__.py")]


def run_line(
    *arguments: str | Path, cwd: Path, project: Path = PROJECT, **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder until it ends; `settings`: its environment, beside the path."""
    command = [*list_start(project), *map(str, arguments)]
    environment = {"PATH": os.environ["PATH"], **settings}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def run_command(command: str, folder: Path) -> str:
    """Run `./run_autograder ...` as the pages show it, in a folder with the examples; return its standard output."""
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(PROJECT / "examples")
    script, *arguments = shlex.split(command)
    assert script == "./run_autograder"
    line = [*list_start(), *arguments]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True).stdout
