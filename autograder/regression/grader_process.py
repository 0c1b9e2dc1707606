"""Grader process: grades one submission after another with one zygote, for the run that started it.

Run with the grader's rights, as python -I grader_process.py DESCRIPTOR [CONTROL UID LIBRARIES]; like every grader it
runs no student code. Trusts the process at the other end of the descriptor, a connection of `multiprocessing`: it gets
the settings and answers why nothing can be graded, or "", then gets jobs and answers each by a reply. It ends when the
connection is closed or its parent dies. CONTROL and UID are the endpoint of a zygote that its parent launched, with
these libraries.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from autograder.cpu_count import ONE_THREAD

    os.environ.update(ONE_THREAD)  # before numpy is imported

from autograder.sandbox.host.launcher import Launcher, SandboxError
from autograder.sandbox.isolation import kernel

if TYPE_CHECKING:
    Channel = Connection[Any, Any]


def serve(connection: Channel, open_launcher: Callable[[], Launcher] = Launcher) -> None:
    """Serve until the other end closes the connection."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run handles Ctrl-C and ends this process
    try:
        with open_launcher() as launcher:  # before anything slow is imported, so that the zygote loads meanwhile
            _serve(connection, launcher)
    except SandboxError as error:
        connection.send(str(error))


def _borrow(control: str, uid: str, libraries: str) -> Launcher:
    return Launcher.borrow(int(control), int(uid), [name for name in libraries.split(",") if name])


def _serve(connection: Channel, launcher: Launcher) -> None:
    from autograder.regression.grader_server import REFUSALS, GraderServer  # noqa: PLC0415  (slow)

    with suppress(EOFError):  # the run needs no process any more
        try:
            server = GraderServer(connection.recv(), launcher)
        except REFUSALS as error:
            connection.send(str(error))
            return
        gc.freeze()  # objects loaded so far are permanent: exclude them from garbage collection
        connection.send("")
        with closing(server):
            while True:
                connection.send(server.reply_to(connection.recv()))


if __name__ == "__main__":
    descriptor, *zygote = sys.argv[1:]
    with Connection(int(descriptor)) as opened:
        serve(opened, partial(_borrow, *zygote) if zygote else Launcher)
