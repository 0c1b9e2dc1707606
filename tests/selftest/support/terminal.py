"""Terminal: runs a command whose standard error is a terminal, and returns what that shows."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
from collections.abc import Iterator, Sequence
from io import RawIOBase
from pathlib import Path


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
