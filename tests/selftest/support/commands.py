"""Commands: runs `./run_autograder ...` as the pages show it or on a terminal, and returns what it prints."""

from __future__ import annotations

import contextlib
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from io import RawIOBase
from pathlib import Path

from tests.selftest.support.grading import PROJECT

SCRIPT = "./run_autograder"


def run_command(command: str, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a command of the pages in a folder that has the examples; return its standard output."""
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(PROJECT / "examples")
    script, *arguments = shlex.split(command)
    assert script == SCRIPT
    start = [sys.executable, "-I", str(PROJECT / "autograder" / "__main__.py"), *arguments]
    variables = {**os.environ, **(environment or {})}
    done = subprocess.run(start, cwd=folder, env=variables, capture_output=True, text=True, check=True)
    return done.stdout


def run_on_terminal(command: Sequence[str | Path], folder: Path) -> str:
    """Run a command whose standard error is a terminal, and return what that shows; CalledProcessError if it fails."""
    reader, terminal = pty.openpty()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    with open(reader, "rb", buffering=0) as opened:
        shown = b"".join(_read_to_the_end(opened))
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, process.args, stderr=shown)
    return shown.decode()


def _read_to_the_end(terminal: RawIOBase) -> Iterator[bytes]:
    """Yield all that processes write to a terminal, until the last of them ends."""
    with contextlib.suppress(OSError):  # Linux tells the end of a terminal by an error
        while chunk := terminal.read(1 << 16):
            yield chunk
