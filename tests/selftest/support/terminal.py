"""Terminal: runs a command whose standard error is a terminal, and returns what that shows."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
from collections.abc import Sequence
from pathlib import Path


def run_on_terminal(command: Sequence[str | Path], folder: Path) -> str:
    """Run a command whose standard error is a terminal, and return what that shows; CalledProcessError if it fails."""
    reader, terminal = pty.openpty()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    shown = read_to_the_end(reader)
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, process.args, stderr=shown)
    return shown


def read_to_the_end(reader: int) -> str:
    """Read all that processes write to a terminal, until the last of them ends, and close it."""
    shown = b""
    with contextlib.suppress(OSError), open(reader, "rb", buffering=0) as opened:  # Linux tells the end by an error
        while piece := opened.read(1 << 16):
            shown += piece
    return shown.decode()
