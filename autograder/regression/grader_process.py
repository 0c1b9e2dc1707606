"""Grader process: grades one submission after another with one zygote, for the run that started it.

Run with the grader's rights, as python -I grader_process.py DESCRIPTOR; like every grader it runs no student code.
Trusts the process at the other end of the descriptor, a socket that carries lines of JSON: first the settings, then a
reply for each submission. It ends when the socket is closed or its parent dies.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import IO, Any

if __name__ == "__main__":
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported: one thread, as when one submission is graded
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from autograder.regression.packed_submission import encode_line
from autograder.sandbox.host.launcher import Launcher, SandboxError
from autograder.sandbox.isolation import kernel


def serve(descriptor: int) -> None:
    """Serve until the other end closes the connection."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run handles Ctrl-C and ends this process
    with socket.socket(fileno=descriptor) as connection, connection.makefile("rb") as lines:
        try:
            with Launcher() as launcher:  # before anything slow is imported, so that the zygote loads meanwhile
                _serve(connection, lines, launcher)
        except SandboxError as error:
            _send(connection, {"refusal": str(error)})


def _serve(connection: socket.socket, lines: IO[bytes], launcher: Launcher) -> None:
    from autograder.regression.grader_server import REFUSALS, GraderServer  # noqa: PLC0415  (slow)

    settings = lines.readline()
    if not settings:  # the run needs no process after all
        return
    try:
        server = GraderServer(json.loads(settings), launcher)
    except REFUSALS as error:
        _send(connection, {"refusal": str(error)})
        return
    gc.freeze()  # objects loaded so far are permanent: exclude them from garbage collection
    _send(connection, {"ready": True})
    with closing(server):
        for line in lines:
            _send(connection, server.reply_to(json.loads(line)))


def _send(connection: socket.socket, message: Mapping[str, Any]) -> None:
    connection.sendall(encode_line(message))


if __name__ == "__main__":
    serve(int(sys.argv[1]))
