"""Bound fork: a child that does one piece of work and ends with its parent, however that ends.

Run by the grader and by the process that zygotes are forked from, with the rights of each. Trusts the kernel.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from autograder.sandbox.isolation import kernel


def start(work: Callable[[], None]) -> int:
    """The pid of the child, whose exit status is 0 where the work came to its end; OSError where there is none."""
    parent, pid = os.getpid(), os.fork()
    if pid == 0:
        try:
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() == parent:  # it may have died before the line above
                work()
                os._exit(0)
        finally:
            os._exit(1)
    return pid
