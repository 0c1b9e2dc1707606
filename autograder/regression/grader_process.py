"""Grader process: loads the grader, forks processes that grade one submission after another, and ends.

Run with the grader's rights, as python -I grader_process.py LIBRARIES DESCRIPTOR... CONTROL... UID..., one of each for
each process; like every grader it runs no student code. Trusts the process at the other end of the descriptors,
connections of `multiprocessing`: each gets the settings, and answers why nothing can be graded, or the id of its
process. That gets jobs and answers each by a reply. It ends when its connection is closed, or when the run dies, whose
child it becomes. CONTROL and UID are the endpoint of its zygote, which the run launched with the LIBRARIES.

What is loaded is in memory once, apart from the pages that the forks change.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from autograder.cpu_count import ONE_THREAD

    os.environ.update(ONE_THREAD)  # before numpy is imported

from autograder.sandbox.host.launcher import Launcher
from autograder.sandbox.isolation import kernel

if TYPE_CHECKING:
    from autograder.regression.grader_server import GraderServer

    Channel = Connection[Any, Any]
_LOOK_EVERY_S = 0.001


def main(channels: Sequence[Channel], launchers: Sequence[Launcher]) -> None:
    """Load the grader, and fork a process for each channel."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run handles Ctrl-C and ends this process
    run = os.getppid()
    from autograder.regression.grader_server import REFUSALS, GraderServer  # noqa: PLC0415  (slow)

    with suppress(EOFError):  # the run needs no process any more
        settings, *_ = [each.recv() for each in channels]  # the same
        try:
            server = GraderServer(settings, launchers[0])
        except REFUSALS as error:
            for each in channels:
                each.send(str(error))
            return
        kernel.return_large_memory()
        gc.freeze()  # what is loaded so far is permanent: a collection would change, and copy, its pages
        for number in range(len(channels)):
            if os.fork() == 0:
                _become_grader(number, channels, launchers, server, run)


def _become_grader(
    number: int, channels: Sequence[Channel], launchers: Sequence[Launcher], server: GraderServer, run: int
) -> NoReturn:
    try:
        for other, (channel, launcher) in enumerate(zip(channels, launchers, strict=True)):
            if other != number:  # so that the end of another process is noticed
                channel.close()
                launcher.close()
        server.take_zygote(launchers[number])
        _follow(run)
        with suppress(EOFError):
            _serve(channels[number], server)
    finally:
        os._exit(0)


def _follow(run: int) -> None:
    """Wait until the loader has ended, and end with the run from now on."""
    loader = os.getppid()
    while os.getppid() == loader != run:
        time.sleep(_LOOK_EVERY_S)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != run:
        os._exit(1)


def _serve(channel: Channel, server: GraderServer) -> None:
    channel.send(os.getpid())
    while True:
        channel.send(server.reply_to(channel.recv()))


if __name__ == "__main__":
    libraries, count = [name for name in sys.argv[1].split(",") if name], len(sys.argv[2:]) // 3
    numbers = [int(number) for number in sys.argv[2:]]
    endpoints = zip(numbers[count : 2 * count], numbers[2 * count :], strict=True)
    main([Connection(each) for each in numbers[:count]], [Launcher.borrow(*each, libraries) for each in endpoints])
    os._exit(0)  # the zygotes belong to the forks
