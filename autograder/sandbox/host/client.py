"""Client: requests workers from a zygote, enters them into the sandbox and kills them.

Run by the grader, with its rights. Trusts the zygote, which runs no student code, and no message of a worker: a reply
is a plain value, a callback or a description of an error, and any other message makes the request `garbled`. Time and
output are limited on this side, memory by the kernel.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import signal
import socket
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.sandbox import limits as limit
from autograder.sandbox.host.connection import Connection, Ended
from autograder.sandbox.host.launcher import Launcher, SandboxError
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.layers import Layer, LayerReport, join_layers

__all__ = ["SandboxError", "Worker", "WorkerEnd", "Zygote", "determine_outcome_of_end"]

_BY_ITS_CLOCK = {  # the timers that a worker sets itself
    "SIGPROF": "more computing time than a load or a call has",
    "SIGALRM": "more time by the clock than a call has",
}


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
    name = end.signal_name
    if ended.kind is not OutcomeKind.DIED:
        return Outcome(ended.kind, detail=str(ended))
    if name in _BY_ITS_CLOCK:
        return Outcome(OutcomeKind.TIMED_OUT, detail=_BY_ITS_CLOCK[name])
    if end.has_used(cpu_s):
        return Outcome(OutcomeKind.TIMED_OUT, detail=f"more than {cpu_s} seconds of computing time")
    if name == "SIGKILL":
        return Outcome(OutcomeKind.DIED, detail="the process closed its connection or was killed", was_killed=True)
    how = f"was ended by {name}" if name else f"ended itself with exit status {os.WEXITSTATUS(end.status)}"
    return Outcome(OutcomeKind.DIED, detail=f"the process {how}")


class Zygote(contextlib.AbstractContextManager["Zygote"]):
    """One zygote process and its control socket; a context manager, or call `close`."""

    def __init__(self, launcher: Launcher | None = None, *, without: frozenset[Layer] = frozenset()) -> None:
        """Start the zygote; SandboxError if that fails. `without`: namespaces to leave out, for tests only.

        `launcher`: its process, if already started.
        """
        self.launcher = launcher or Launcher(without=without)
        self._control, self._uid = self.launcher.control, self.launcher.uid
        self._process = self.launcher.process
        self._is_lost = False

    def __exit__(self, *_: object) -> None:
        self.close()

    def spawn(
        self, limits: Limits, *, preload: Sequence[str], modules: bytes = b"", without: frozenset[Layer] = frozenset()
    ) -> Worker:
        """Start a worker that has entered the sandbox; SandboxError if it cannot.

        `modules`: the encoded arguments of a load request. `without`: layers to leave out, to test each of the others
        alone; never used for student code.
        """
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            connection, output, descriptors = _open_channel(ours, theirs)
            pid = self._ask_for_worker(limits, without, descriptors)
            ours.pop_all()
        return Worker(self, pid, Connection(connection, output), first=(messages.PRELOAD, tuple(preload), modules))

    def end(self, pid: int) -> WorkerEnd:
        """Kill a worker and wait until it has ended."""
        return WorkerEnd(*self._request((messages.END, pid)))

    def close(self) -> None:
        """End the zygote and all of its workers."""
        self.launcher.close(within_s=0 if self._is_lost else limit.ZYGOTE_END_S)

    def _ask_for_worker(self, limits: Limits, without: frozenset[Layer], descriptors: list[int]) -> int:
        request = (messages.SPAWN, self._uid, join_layers(without), astuple(limits))
        pid: int = self._request(request, descriptors)
        if pid < 0:
            raise SandboxError(f"the zygote could not start a worker ({os.strerror(-pid)})")
        return pid

    def _request(self, message: tuple[Any, ...], descriptors: Sequence[int] = ()) -> Any:
        if self._is_lost:
            raise SandboxError(f"the zygote failed before ({self._describe_process()})")
        self._is_lost = True  # until it has answered: a late answer could belong to an older request
        try:
            socket.send_fds(self._control, [marshal.dumps(message)], descriptors)
            reply = self._control.recv(256)
        except OSError as error:
            raise SandboxError(f"the zygote does not answer ({error}; {self._describe_process()})") from error
        if not reply:
            raise SandboxError(f"the zygote ended ({self._describe_process()})")
        self._is_lost = False
        return marshal.loads(reply)  # noqa: S302  (the zygote is trusted)

    def _describe_process(self) -> str:
        status = self._process.poll()
        return "it is still running" if status is None else f"its exit status is {status}"


class Worker:
    """One worker process, for one attempt at one hidden test or one script; `close` ends it in any state."""

    def __init__(self, zygote: Zygote, pid: int, connection: Connection, *, first: tuple[object, ...]) -> None:
        self._zygote = zygote
        self._pid = pid
        self.connection = connection
        self._end: WorkerEnd | None = None
        try:
            self.layers = self._enter(first)
        except (Ended, SandboxError) as error:
            self.close()
            raise SandboxError(f"a worker did not enter the sandbox ({error}; {self._end})") from error

    def close(self) -> WorkerEnd:
        """Kill the process, wait until it has ended, and collect the rest of its output."""
        if self._end is None:
            try:
                self._end = self._zygote.end(self._pid)
            finally:
                self.connection.close()
        return self._end

    def _enter(self, first: tuple[object, ...]) -> list[LayerReport]:
        message = self.connection.exchange(first, deadline=time.monotonic() + limit.ZYGOTE_REPLY_S)
        if not messages.is_message(message, messages.READY, [(str, bool, str)]):
            raise SandboxError("its first message was not 'ready'")
        return [LayerReport(*fields) for fields in message[1]]


def _open_channel(ours: contextlib.ExitStack, theirs: contextlib.ExitStack) -> tuple[socket.socket, int, list[int]]:
    """Open a worker's socket and output pipe; return the two ends for the grader and the two for the worker."""
    try:
        connection, their_connection = socket.socketpair()
        ours.enter_context(connection)
        theirs.enter_context(their_connection)
        output, their_output = os.pipe()
    except OSError as error:
        raise SandboxError(f"no connection to a worker could be made ({error})") from error
    ours.callback(os.close, output)
    theirs.callback(os.close, their_output)
    return connection, output, [their_connection.fileno(), their_output]
