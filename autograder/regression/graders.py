"""Graders: the processes that grade a class on this machine, started on demand, and replaced when they are lost.

A submission whose process ends or does not answer in time is tried once more in another process; a second failure is
our fault. The pools of the standard library neither end a process that hangs nor go on without one that died.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import IO, Any, cast

from autograder import ENGINE, GraderError
from autograder.machine import ONE_THREAD
from autograder.plain_text import clean
from autograder.regression.roster import PackedSubmission
from autograder.sandbox.limits import DEADLINE_S

SUBMISSIONS = 250  # after which a process is replaced, in case a library leaks memory
_START_S = 300.0
_END_S = 10.0
_COMPLAINT_BYTES, _COMPLAINT_CHARACTERS = 1 << 16, 2_000
_PROGRAM = ("-E", "-s", "-m", "autograder.regression.grade_requests")  # without settings of the user's Python


class RunError(GraderError):
    """No submission can be graded: the staff's files or this machine have a problem, which the text names."""


class _ProcessLost(Exception):
    pass


@dataclass(frozen=True, kw_only=True)
class GraderSettings:
    """What each process needs to know; `root`: of the assignment; `kept`: the folder of what is made once, or "".

    `folder`: in which no student may write, on each machine. `grace_s`: beyond the deadline, which a grader keeps
    itself: only a process that hangs takes longer.
    """

    root: str
    folder: str
    only: tuple[str, ...] = ()
    deadline_s: float = DEADLINE_S
    grace_s: float = 60.0
    is_strict: bool = False
    kept: str = ""


@dataclass(frozen=True)
class Reply:
    """Reply for one submission: the fields of its results.json if it was graded, else `unreadable` or `fault`."""

    results: Mapping[str, Any] | None = None
    unreadable: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Graders:
    """A standard executor with the function that it runs for each submission; `width`: how many at a time."""

    executor: Executor
    grade: Callable[[PackedSubmission], Reply]
    width: int


@contextmanager
def open_local_graders(settings: GraderSettings, jobs: int) -> Iterator[Graders]:
    """Open graders on this machine, `jobs` at a time."""
    pool = GraderPool(settings)
    executor = ThreadPoolExecutor(jobs, thread_name_prefix="grader")
    try:
        yield Graders(executor, pool.grade, jobs)
    finally:
        pool.close()
        executor.shutdown(cancel_futures=True)


class GraderPool:
    """The grader processes of one machine, one for each thread that calls `grade`."""

    def __init__(self, settings: GraderSettings) -> None:
        self._settings = settings
        self._of_thread = threading.local()
        self._all: list[_GraderProcess] = []
        self._is_closed = False

    def grade(self, packed: PackedSubmission) -> Reply:
        """Grade a submission; RunError if no submission can be graded, or the pool was closed meanwhile."""
        with suppress(_ProcessLost):
            return self._grade_once(packed)
        try:
            return self._grade_once(packed)
        except _ProcessLost as error:
            return Reply(fault=f"{error}, twice")

    def close(self) -> None:
        """End every process; threads that wait for one get a RunError."""
        self._is_closed = True
        for process in self._all:
            if process.is_busy:
                process.kill()  # its thread closes it
            else:
                process.close()

    def _grade_once(self, packed: PackedSubmission) -> Reply:
        process = vars(self._of_thread).pop("process", None)
        if self._is_closed:
            raise RunError("the run was stopped")
        if process is None:
            process = _GraderProcess(self._settings)
            self._all.append(process)
        try:
            reply: Reply = process.grade(packed)
        except BaseException:
            process.close()
            raise
        if process.graded < SUBMISSIONS:
            self._of_thread.process = process
        else:
            process.close()
        return reply


class _GraderProcess:
    """One process, which answers a line of JSON by a line of JSON."""

    def __init__(self, settings: GraderSettings) -> None:
        self.graded = 0
        self.is_busy = False
        self._settings = settings
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
        self._process = subprocess.Popen(
            [sys.executable, *_PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            cwd=ENGINE,
            env={**os.environ, **ONE_THREAD},
            start_new_session=True,  # the run handles Ctrl-C and ends this process
        )

    def grade(self, packed: PackedSubmission) -> Reply:
        """Grade a submission; _ProcessLost if the process ended or is too late, RunError if it cannot grade any."""
        if self.graded == 0:
            self._start()
        self.graded += 1
        return Reply(**self._ask(asdict(packed), self._settings.deadline_s + self._settings.grace_s))

    def kill(self) -> None:
        """End the process at once; its zygote and workers end with it."""
        self._process.kill()

    def close(self) -> None:
        """End the process and wait for it."""
        self._end()
        self._complaints.close()

    def _end(self) -> int:
        """End the process and wait for it, so that what it computed is counted as this one's; return its status."""
        for pipe in self._pipes:
            with suppress(OSError):
                pipe.close()
        try:
            status = self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        return status

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        return cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)

    def _start(self) -> None:
        try:
            refusal = self._ask(asdict(self._settings), _START_S)["refusal"]
        except _ProcessLost as error:
            raise RunError(f"a grading process does not start: {error}") from None
        if refusal:
            raise RunError(refusal)

    def _ask(self, message: Mapping[str, Any], timeout_s: float) -> dict[str, Any]:
        """Send a line and receive its answer; _ProcessLost if there is none in time, after which it is killed."""
        requests, replies = self._pipes
        answer, end = b"", time.monotonic() + timeout_s
        timer = threading.Timer(timeout_s, self.kill)
        timer.start()
        self.is_busy = True
        with suppress(OSError):  # it has ended
            requests.write(json.dumps(message).encode("ascii") + b"\n")
            requests.flush()
            answer = replies.readline()
        self.is_busy = False
        timer.cancel()
        if answer.endswith(b"\n"):
            reply: dict[str, Any] = json.loads(answer)
            return reply
        if time.monotonic() >= end:
            raise _ProcessLost(f"the process that graded it did not answer for {timeout_s:.0f} s")
        raise _ProcessLost(self._describe_end())

    def _describe_end(self) -> str:
        """Describe the end of the process, with what it wrote."""
        status = self._end()
        self._complaints.seek(0)
        said = clean(self._complaints.read(_COMPLAINT_BYTES).decode(errors="replace").strip(), _COMPLAINT_CHARACTERS)
        return f"the process that graded it ended (exit status {status}: {said})".replace(": )", ")")
