"""Grader pool: sends submissions to grader processes and receives their replies; replaces processes that are lost.

A submission whose process dies or does not answer in time is tried once more in another process; a second failure is
reported as our fault. The pools of the standard library neither end a process that hangs nor go on without one that
died.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import GraderError
from autograder.plain_text import clean
from autograder.regression.request import RegressRequest
from autograder.regression.roster import PackedSubmission, encode_submission

SUBMISSIONS = 250  # a process is replaced after so many, in case a library leaks memory
_START_S = 120.0
_END_S = 10.0
_COMPLAINT_CHARACTERS = 2_000
_COMPLAINT_BYTES = 1 << 16
_PROGRAM = Path(__file__).with_name("grader_process.py")


class RunError(GraderError):
    """No submission can be graded: the staff's files or this machine have a problem, which the text names."""


class _ProcessLost(Exception):
    pass


@dataclass(frozen=True)
class Job:
    """A submission to grade, and the name under which its result is stored."""

    name: str
    packed: PackedSubmission


@dataclass(frozen=True)
class Reply:
    """Reply for one submission: `results` if it was graded, else `unreadable` or `fault`, the reason."""

    results: Mapping[str, Any] | None = None
    unreadable: str = ""
    fault: str = ""


class GraderServer:
    """The process that loads the grader and forks the grader processes; several threads may use it."""

    def __init__(self, request: RegressRequest) -> None:
        self._request = request
        self._lock = threading.Lock()
        self._is_loaded = False
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(_START_S)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_PROGRAM), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=self._complaints,
                stderr=self._complaints,
                pass_fds=[theirs.fileno()],
            )

    @property
    def is_usable(self) -> bool:
        """Whether it may fork one more process."""
        return self._process.poll() is None

    def fork(self) -> GraderProcess:
        """Fork a process; RunError if no submission can be graded, _ProcessLost if this process ended."""
        ours, theirs = socket.socketpair()
        try:
            with self._lock, theirs:
                if not self._is_loaded:
                    self._load()
                pid = self._ask({}, theirs.fileno())["pid"]
        except BaseException:
            ours.close()
            raise
        return GraderProcess(self, pid, ours)

    def end(self, pid: int) -> int:
        """End a process that was forked and return its exit status; that of this process if it ended before."""
        with self._lock:
            try:
                status: int = self._ask({"end": pid})["status"]
            except _ProcessLost:
                status = self._process.wait()
        return status

    def describe_end(self, status: int) -> str:
        """Describe the end of a process, with what it and others wrote."""
        complaints = b""
        with suppress(OSError, ValueError):  # the run was stopped, and the file closed
            complaints = os.pread(self._complaints.fileno(), _COMPLAINT_BYTES, 0)
        said = clean(complaints.decode(errors="replace").strip(), _COMPLAINT_CHARACTERS)
        return f"the process that graded it ended (exit status {status}: {said})".replace(": )", ")")

    def close(self) -> None:
        """End the process, and with it what it forked and their zygotes; kill it if it is busy or takes long."""
        if self._lock.acquire(blocking=False):
            with suppress(OSError, subprocess.TimeoutExpired):  # it has ended before, or is late
                self._control.shutdown(socket.SHUT_RDWR)
                self._process.wait(_END_S)
            self._lock.release()
        self._process.kill()
        with self._lock:
            self._process.wait()
            self._control.close()
            self._complaints.close()

    def _load(self) -> None:
        """Have it load the staff's files; RunError if they are broken or the process fails."""
        request = self._request
        told = {
            "root": str(request.root),
            "only": request.only,
            "deadline_s": request.deadline_s,
            "results_dir": str(request.results_dir),
            "kept": str(request.kept or ""),
            "is_strict": request.is_strict,
        }
        try:
            refusal = self._ask(told)["refusal"]
        except _ProcessLost:
            end = self.describe_end(self._process.wait())
            raise RunError(f"a grading process does not start: {end}") from None
        if refusal:
            raise RunError(refusal)
        self._is_loaded = True

    def _ask(self, message: Mapping[str, Any], *descriptors: int) -> dict[str, Any]:
        """Send a packet and receive the answer; _ProcessLost if there is none, after which the process is killed."""
        answer = b""
        with suppress(OSError):  # it has ended, or is too late
            socket.send_fds(self._control, [json.dumps(message).encode("ascii")], descriptors)
            answer = self._control.recv(_COMPLAINT_BYTES)
        if not answer:
            self._process.kill()
            raise _ProcessLost(f"the process that graded it ended (exit status {self._process.wait()})")
        reply: dict[str, Any] = json.loads(answer)
        return reply


class GraderProcess:
    """One process, which answers a line of JSON by a line of JSON."""

    def __init__(self, server: GraderServer, pid: int, connection: socket.socket) -> None:
        self._server = server
        self._pid = pid
        self._connection = connection
        self._graded = 0

    def grade(self, job: Job, *, timeout_s: float) -> Reply:
        """Grade a submission; _ProcessLost if the process ended or is too late, after which it is closed."""
        self._graded += 1
        self._connection.settimeout(timeout_s)
        line = json.dumps(encode_submission(job.packed)).encode("ascii") + b"\n"
        answer = b""
        try:
            with self._connection.makefile("rb") as answers:
                self._connection.sendall(line)
                answer = answers.readline()
        except TimeoutError:
            self.close()
            raise _ProcessLost(f"the process that graded it did not answer for {timeout_s:.0f} s") from None
        except OSError:  # it has ended
            pass
        if not answer.endswith(b"\n"):
            raise _ProcessLost(self._server.describe_end(self.close()))
        return Reply(**json.loads(answer))

    @property
    def is_usable(self) -> bool:
        """Whether it may grade one more submission."""
        return self._graded < SUBMISSIONS

    def close(self) -> int:
        """End the process, once, and return its exit status; its zygote and workers end with it."""
        self._connection.close()
        return self._server.end(self._pid)


class GraderPool:
    """The grader processes of one machine, started on demand; several threads may call `grade`."""

    def __init__(self, request: RegressRequest) -> None:
        self._request = request
        self._lock = threading.Lock()
        self._servers: list[GraderServer] = []  # the last one forks
        self._idle: list[GraderProcess] = []
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
        for server in self._servers:
            server.close()
        for process in idle:
            process.close()

    def _grade_once(self, job: Job) -> Reply:
        process = self._take_process()
        reply = process.grade(job, timeout_s=self._request.deadline_s + self._request.grace_s)
        with self._lock:
            is_kept = process.is_usable and not self._is_closed
            if is_kept:
                self._idle.append(process)
        if not is_kept:
            process.close()
        return reply

    def _take_process(self) -> GraderProcess:
        with self._lock:
            if self._is_closed:
                raise RunError("the run was stopped")
            if self._idle:
                return self._idle.pop()
            if not self._servers or not self._servers[-1].is_usable:
                self._servers.append(GraderServer(self._request))
            server = self._servers[-1]
        return server.fork()
