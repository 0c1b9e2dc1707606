"""Worker end: turns the end of a worker that gave no reply into an `Outcome`.

Run by the grader, with its rights. Trusts the kernel's report.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.sandbox.host.connection import Ended


@dataclass(frozen=True)
class WorkerEnd:
    """The wait status and the CPU time of an ended worker, from the kernel."""

    status: int
    cpu_s: float

    @property
    def signal_name(self) -> str:
        """The name of the signal that ended it, or an empty text."""
        return signal.Signals(os.WTERMSIG(self.status)).name if os.WIFSIGNALED(self.status) else ""

    def has_used(self, cpu_s: int) -> bool:
        """Whether it computed for as long as its limit; the kernel may end it a little before it has counted that."""
        return self.signal_name == "SIGXCPU" or self.cpu_s >= cpu_s


def determine_outcome_of_end(ended: Ended, end: WorkerEnd, *, cpu_s: int) -> Outcome:
    """Return the outcome of a request whose worker is gone; `end`: the kernel's report, `cpu_s`: the worker's limit."""
    if ended.kind is not OutcomeKind.DIED:
        return Outcome(ended.kind, detail=str(ended))
    if end.signal_name == "SIGPROF":
        return Outcome(OutcomeKind.TIMED_OUT, detail="more computing time than a load or a call has")
    if end.signal_name == "SIGALRM":
        return Outcome(OutcomeKind.TIMED_OUT, detail="more time by the clock than a call has")
    if end.has_used(cpu_s):
        return Outcome(OutcomeKind.TIMED_OUT, detail=f"more than {cpu_s} seconds of computing time")
    if end.signal_name == "SIGKILL":
        return Outcome(OutcomeKind.DIED, detail="the process closed its connection or was killed", was_killed=True)
    ended_itself = f"ended itself with exit status {os.waitstatus_to_exitcode(end.status)}"
    how = f"was ended by {end.signal_name}" if end.signal_name else ended_itself
    return Outcome(OutcomeKind.DIED, detail=f"the process {how}")
