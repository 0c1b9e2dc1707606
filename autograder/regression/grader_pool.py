"""Grader pool: sends submissions to grader processes and receives their replies; replaces processes that are lost.

A submission whose process dies or does not answer in time is tried once more in another process; a second failure is
reported as our fault. The pools of the standard library neither end a process that hangs nor go on without one that
died.
"""

from __future__ import annotations

import json
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


class GraderProcess:
    """One process, which answers a line of JSON by a line of JSON."""

    def __init__(self, request: RegressRequest) -> None:
        self._request = request
        self._graded = 0
        self._is_loaded = self._is_late = False
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
        )

    def grade(self, job: Job) -> Reply:
        """Grade a submission; RunError if none can be graded, _ProcessLost if the process ended or is too late."""
        if not self._is_loaded:
            self._load()
        self._graded += 1
        timeout_s = self._request.deadline_s + self._request.grace_s
        return Reply(**self._ask(encode_submission(job.packed), timeout_s=timeout_s))

    @property
    def is_usable(self) -> bool:
        """Whether it may grade one more submission."""
        return self._process.poll() is None and self._graded < SUBMISSIONS

    def end(self) -> None:
        """Kill the process, if it runs; its zygote and workers end with it."""
        self._process.kill()

    def close(self) -> None:
        """End the process and close the connection, which no thread may use any more."""
        with suppress(OSError):  # what it did not read is lost
            self._process.kill()
            self._process.communicate()
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
            refusal = self._ask(told, timeout_s=_START_S)["refusal"]
        except _ProcessLost as error:
            raise RunError(f"a grading process does not start: {error}") from error
        if refusal:
            raise RunError(refusal)
        self._is_loaded = True

    def _ask(self, message: Mapping[str, Any], *, timeout_s: float) -> dict[str, Any]:
        """Send a line and receive the answer; _ProcessLost if there is none in time."""
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: S101  (pipes)
        answer = b""
        timer = threading.Timer(timeout_s, self._end_late)
        timer.start()
        try:
            self._process.stdin.write(json.dumps(message).encode("ascii") + b"\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except OSError:  # it has ended
            pass
        finally:
            timer.cancel()
        if not answer.endswith(b"\n"):
            raise _ProcessLost(self._describe_end(timeout_s))
        reply: dict[str, Any] = json.loads(answer)
        return reply

    def _end_late(self) -> None:
        self._is_late = True
        self.end()

    def _describe_end(self, timeout_s: float) -> str:
        self.end()
        status = self._process.wait()
        if self._is_late:
            return f"the process that graded it did not answer for {timeout_s:.0f} s"
        self._complaints.seek(0)
        complaints = self._complaints.read(_COMPLAINT_BYTES).decode(errors="replace")
        said = clean(complaints.strip(), _COMPLAINT_CHARACTERS)
        return f"the process that graded it ended (exit status {status}: {said})".replace(": )", ")")


class GraderPool:
    """The grader processes of one machine, started on demand; several threads may call `grade`."""

    def __init__(self, request: RegressRequest) -> None:
        self._request = request
        self._lock = threading.Lock()
        self._idle: list[GraderProcess] = []
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

    def _grade_once(self, job: Job) -> Reply:
        process = self._take_process()
        try:
            return process.grade(job)
        except BaseException:
            process.end()
            raise
        finally:
            self._return_process(process)

    def _take_process(self) -> GraderProcess:
        with self._lock:
            if self._is_closed:
                raise RunError("the run was stopped")
            process = self._idle.pop() if self._idle else GraderProcess(self._request)
            self._busy.add(process)
        return process

    def _return_process(self, process: GraderProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            is_kept = process.is_usable and not self._is_closed
            if is_kept:
                self._idle.append(process)
        if not is_kept:
            process.close()
