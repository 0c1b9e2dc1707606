"""Strays: ends processes that a worker left behind, where no filter kept it from starting any.

Run by the zygote with its rights when a worker has ended and no other is alive. Trusts the kernel: whoever loses its
parent below the zygote becomes the zygote's child, because it is the first process of its namespace or a subreaper.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

from autograder.sandbox.isolation import kernel

_CHILDREN = Path("/proc/thread-self/children")
_ROUNDS = 10_000  # of killing all and reaping one: a process that forks as fast as it is killed


def adopt_orphans() -> None:
    """Called once: from now on strays become this process's children."""
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)


def kill_orphans() -> None:
    """Kill and reap every child that is left; the caller has no other."""
    for _ in range(_ROUNDS):
        try:
            _kill_all()
            os.waitpid(-1, 0)
        except (ChildProcessError, FileNotFoundError):  # none is left, or this kernel does not list them
            return


def _kill_all() -> None:
    if os.getpid() == 1:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # everybody in this pid namespace but this process
        return
    for pid in _CHILDREN.read_text(encoding="ascii").split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
