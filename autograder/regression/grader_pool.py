"""Grader pool: sends submissions to grader processes and receives their replies; replaces processes that are lost.

A submission whose process dies or does not answer in time is tried once more in another process; a second failure is
reported as our fault. The pools of the standard library neither end a process that hangs nor go on without one that
died, and a worker of Dask may start no process of `multiprocessing`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from autograder import GraderError
from autograder.plain_text import clean
from autograder.regression.request import RegressRequest
from autograder.regression.roster import PackedSubmission
from autograder.sandbox.host.launcher import Launcher
from autograder.sandbox.isolation import kernel

SUBMISSIONS = 250  # a process is replaced after so many, in case a library leaks memory
_START_S = 120.0
_END_S = 5.0
_COMPLAINT_CHARACTERS = 2_000
_PROGRAM = Path(__file__).with_name("grader_process.py")


class RunError(GraderError):
    """No submission can be graded: the staff's files or this machine have a problem, which the text names."""


class _ProcessLost(Exception):
    pass


@dataclass(frozen=True)
class Job:
    """A submission to grade, and the name under which its result is stored.

    `again`: the only questions to grade, whether their results are stored or not; none for a usual run.
    """

    name: str
    packed: PackedSubmission
    again: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply:
    """Reply for one submission: `results` and `seconds` if it was graded, else `unreadable` or `fault`, the reason.

    `questions`: the number of questions in the results; `reused`: those of them whose results were stored. `refused`:
    stored results that were not accepted, and why.
    """

    results: Mapping[str, Any] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    unreadable: str = ""
    fault: str = ""
    questions: int = 0
    reused: Sequence[str] = ()
    refused: Sequence[str] = ()


class _Loader:
    """A program that loads the grader once, forks so many grader processes, and ends; their zygotes start meanwhile."""

    def __init__(self, count: int, request: RegressRequest, libraries: Sequence[str]) -> None:
        self._launcher = Launcher(zygotes=count, libraries=libraries)
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the loader)
        pipes = [Pipe() for _ in range(count)]
        self.processes = [GraderProcess(ours, self) for ours, _ in pipes]
        pipes[0][0].send(request)
        passed: list[Any] = [theirs for _, theirs in pipes] + [each.control for each in self._launcher.endpoints]
        with ExitStack() as theirs:
            numbers = [theirs.enter_context(each).fileno() for each in passed]
            uids = [each.uid for each in self._launcher.endpoints]
            self.program = subprocess.Popen(
                [sys.executable, "-I", str(_PROGRAM), ",".join(libraries), *map(str, (*numbers, *uids))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.stderr,
                pass_fds=numbers,
            )

    def wait(self) -> None:
        """Wait until the program has ended, and kill it where it does not."""
        with suppress(subprocess.TimeoutExpired):
            self.program.wait(timeout=_END_S)
        self.program.kill()
        self.program.wait()

    def close(self) -> None:
        """Release its resources, and those of its processes, which have ended."""
        self.wait()
        self._launcher.close()
        self.stderr.close()


class GraderProcess:
    """One process and the connection to it."""

    def __init__(self, connection: Any, loader: _Loader) -> None:
        self._connection, self._loader = connection, loader
        self._graded = 0
        self._pid = 0  # until it tells
        self._status: int | None = None
        self._looks = threading.Lock()  # one thread at a time waits for it: no id that is free is killed

    def grade(self, job: Job, *, timeout_s: float) -> Reply:
        """Grade a submission; RunError if none can be graded, _ProcessLost if the process ended or is too late."""
        if not self._pid:
            self._wait_until_loaded()
        self._graded += 1
        reply: Reply = self._ask(job, timeout_s=timeout_s)
        return reply

    @property
    def is_usable(self) -> bool:
        """Whether it may grade one more submission."""
        return self._status is None and self._graded < SUBMISSIONS

    def end(self) -> None:
        """Kill the process, if it runs; its zygote and workers end with it."""
        with self._looks:
            if not self._pid:
                self._loader.program.kill()
            elif self._status is None:
                os.kill(self._pid, signal.SIGKILL)
                self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def close(self) -> None:
        """Close the connection, which no thread may use any more, and end the process."""
        self._connection.close()
        self.end()

    def _wait_until_loaded(self) -> None:
        """Wait until it has loaded the staff's files; RunError if they are broken or the process fails."""
        try:
            found = self._ask(timeout_s=_START_S)
        except _ProcessLost as error:
            raise RunError(f"a grading process does not start: {error}") from error
        if isinstance(found, str):
            raise RunError(found)
        self._pid = found

    def _ask(self, *jobs: Job, timeout_s: float) -> Any:
        """Send a job, if there is one, and receive the answer; _ProcessLost if there is none."""
        try:
            for job in jobs:
                self._connection.send(job)
            if self._connection.poll(timeout_s):
                return self._connection.recv()
        except (OSError, EOFError) as error:  # it has ended: only then is its connection closed
            raise _ProcessLost(f"the process that graded it ended ({self._describe_exit()})") from error
        raise _ProcessLost(f"the process that graded it did not answer for {timeout_s:.0f} s")

    def _describe_exit(self) -> str:
        self._loader.wait()
        self.end()
        status = self._status if self._pid else self._loader.program.returncode
        told = os.pread(self._loader.stderr.fileno(), 1 << 16, 0).decode(errors="replace")
        said = clean(told.strip(), _COMPLAINT_CHARACTERS)
        return f"exit status {status}: {said}".removesuffix(": ")


class GraderPool:
    """The grader processes of one machine, started on demand; several threads may call `grade`."""

    def __init__(self, request: RegressRequest, libraries: Sequence[str] = (), *, launched: int = 0) -> None:
        """`launched`: so many processes begin to load the grader now; more are started where these are too few.

        They are forks of one process, and their zygotes too, so that what they load is in memory once; `libraries`:
        for student code, beside numpy. SandboxError if no zygote starts.
        """
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # the processes become its children when their loader ends
        self._lock = threading.Lock()
        self._request, self._libraries = request, tuple(libraries)
        self._loaders = [_Loader(launched, request, libraries)] if launched else []
        self._idle = [process for each in self._loaders for process in each.processes]
        self._busy: set[GraderProcess] = set()
        self._is_closed = False

    def grade(self, job: Job) -> Reply:
        """Grade a submission; RunError if no submission can be graded, or the pool was closed meanwhile."""
        with suppress(_ProcessLost):
            return self._grade_once(job)
        try:
            return self._grade_once(job)
        except _ProcessLost as error:
            return Reply(fault=f"{error}, twice")

    def close(self) -> None:
        """End every process; threads waiting for a process get a RunError."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for process in self._busy:
                process.end()
        for process in idle:
            process.close()
        for loader in self._loaders:
            loader.close()
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 0)

    def _grade_once(self, job: Job) -> Reply:
        process = self._take_process()
        try:
            return process.grade(job, timeout_s=self._request.deadline_s + self._request.grace_s)
        except BaseException:
            process.end()
            raise
        finally:
            self._return_process(process)

    def _take_process(self) -> GraderProcess:
        with self._lock:
            if self._is_closed:
                raise RunError("the run was stopped")
            process = self._idle.pop() if self._idle else self._start_one()
            self._busy.add(process)
        return process

    def _start_one(self) -> GraderProcess:
        loader = _Loader(1, self._request, self._libraries)
        self._loaders.append(loader)
        return loader.processes[0]

    def _return_process(self, process: GraderProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            is_kept = process.is_usable and not self._is_closed
            self._idle += [process] if is_kept else []
        if not is_kept:
            process.close()
