"""Orphans: kills the processes that a worker left behind, if no filter prevented it from starting any.

Run by the zygote with its rights when a worker has ended and no other is alive. Trusts the kernel: a process below the
zygote that loses its parent becomes the zygote's child, because the zygote is the first process of its namespace or a
subreaper.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

from autograder.sandbox.isolation import kernel

_CHILDREN = Path("/proc/thread-self/children")
_ROUNDS = 10_000  # of killing all and reaping one child: a process that forks as fast as it is killed


def adopt_orphans() -> None:
    """Make this process the parent of all later orphans below it; called once."""
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)


def kill_orphans() -> None:
    """Kill and reap all remaining children, which are orphans."""
    for _ in range(_ROUNDS):
        try:
            _kill_all()
            os.waitpid(-1, 0)
        except (ChildProcessError, FileNotFoundError):  # no child is left, or this kernel does not list them
            return


def _kill_all() -> None:
    if os.getpid() == 1:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # all other processes of this pid namespace
        return
    for pid in _CHILDREN.read_text(encoding="ascii").split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
