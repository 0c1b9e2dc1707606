"""Grader pool: sends submissions to grader processes and receives their replies; replaces processes that are lost.

A submission whose process dies or does not answer in time is tried once more in a fresh process; a second failure is
reported as our fault. Grader processes share nothing.
"""

from __future__ import annotations

import json
import queue
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.plain_text import clean
from autograder.regression.packed_submission import PackedSubmission, encode_line

SUBMISSIONS = 250  # a process is replaced after so many, in case a library leaks memory
GRACE_S = 60.0  # beyond the deadline that the grader enforces itself: only a process that hangs takes longer
_START_S = 120.0
_SEND_S = 30.0
_END_S = 5.0
_CHUNK = 1 << 20
_COMPLAINT_CHARACTERS = 2_000
_PROGRAM = Path(__file__).with_name("grader_process.py")


class RunError(Exception):
    """No submission can be graded: the staff's files or this machine have a problem, which the text names."""


class _ProcessLost(Exception):
    pass


@dataclass(frozen=True)
class ReuseSettings:
    """How results of single questions are reused; see `QuestionStore` and `StaffFiles`."""

    folders: tuple[str, ...]
    run: str
    hashes: Mapping[str, str]
    groups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Settings:
    """Settings of every grader process; plain values, so that they can be sent to another machine.

    `root`: the assignment's folder. `reuse`: None where each question is graded. `keeps_passes`: whether a test looks
    at equal replies once for all submissions; False to find tests that are unstable.
    """

    root: str
    results_dir: str
    only: tuple[str, ...]
    deadline_s: float
    is_strict: bool
    layer_cache: str | None
    grace_s: float = GRACE_S
    reuse: ReuseSettings | None = None
    keeps_passes: bool = True


@dataclass(frozen=True)
class Reply:
    """Reply for one submission: `results` and `seconds` if it was graded, else `unreadable` or `fault`, the reason.

    `questions`: the number of questions in the results; `reused`: those of them whose results were stored. `refused`:
    stored results that were not accepted, and why.
    """

    results: Mapping[str, Any] | None = None
    seconds: Mapping[str, float] | None = None
    unreadable: str = ""
    fault: str = ""
    questions: int = 0
    reused: Sequence[str] = ()
    refused: Sequence[str] = ()


class GraderProcess:
    """One process and the socket to it; the process loads the grader as soon as it is made."""

    def __init__(self) -> None:
        self.graded = 0
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
        self._connection, theirs = socket.socketpair()
        command = [sys.executable, "-I", str(_PROGRAM), str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                pass_fds=(theirs.fileno(),),
            )

    def load_staff_files(self, settings: Settings) -> None:
        """Wait until it has loaded the staff's files; RunError if they are broken or the process fails."""
        try:
            answer = self.ask(asdict(settings), timeout_s=_START_S)
        except _ProcessLost as error:
            raise RunError(f"a grading process does not start: {error}") from error
        if "refusal" in answer:
            raise RunError(answer["refusal"])

    def ask(self, message: Mapping[str, Any], *, timeout_s: float) -> dict[str, Any]:
        """Send a message and return the answer; _ProcessLost if the process ended or does not answer in time."""
        try:
            self._connection.settimeout(_SEND_S)
            self._connection.sendall(encode_line(message))
            self._connection.settimeout(timeout_s)
            return dict(json.loads(self._receive_line()))
        except TimeoutError as error:
            raise _ProcessLost(f"the process that graded it did not answer for {timeout_s:.0f} s") from error
        except (OSError, ValueError) as error:
            self._end()
            raise _ProcessLost(f"the process that graded it ended ({self._describe_exit()})") from error

    def kill(self) -> None:
        """Kill the process; its zygote and workers end with it."""
        self._process.kill()
        self._process.wait()

    def disconnect(self) -> None:
        """Let an idle process exit, without waiting for it."""
        self._connection.close()

    def close(self) -> None:
        """Let an idle process exit, kill a busy one, and release its resources."""
        self.disconnect()
        self._end()
        self._stderr.close()

    def _end(self) -> None:
        """Wait for a process that is about to exit, and kill it where it does not."""
        try:
            self._process.wait(timeout=_END_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def _receive_line(self) -> bytes:
        chunks: list[bytes] = []
        while not chunks or not chunks[-1].endswith(b"\n"):
            chunk = self._connection.recv(_CHUNK)
            if not chunk:
                raise ConnectionResetError
            chunks.append(chunk)
        return b"".join(chunks)

    def _describe_exit(self) -> str:
        self._stderr.seek(0)
        said = clean(self._stderr.read(1 << 16).decode(errors="replace").strip(), _COMPLAINT_CHARACTERS)
        status = f"exit status {self._process.returncode}"
        return f"{status}: {said}" if said else status


@contextmanager
def launch_graders(count: int) -> Iterator[list[GraderProcess]]:
    """Yield processes that begin to load the grader at once; they end with the block."""
    with ExitStack() as opened:
        launched: list[GraderProcess] = []
        for _ in range(count):
            launched.append(GraderProcess())
            opened.callback(launched[-1].close)
        yield launched


class GraderPool:
    """The grader processes of one machine, started on demand; several threads may call `grade`."""

    def __init__(self, settings: Settings, launched: Iterable[GraderProcess] = ()) -> None:
        """`launched`: processes that are loading the grader; more are launched where these are too few."""
        self._settings = settings
        self._idle: queue.LifoQueue[GraderProcess] = queue.LifoQueue()
        self._lock = threading.Lock()
        self._launched = list(launched)
        self._processes = set(self._launched)
        self._is_closed = False

    def grade(self, packed: PackedSubmission, again: Sequence[str] = ()) -> Reply:
        """Grade a submission; RunError if no submission can be graded, or the pool was closed meanwhile.

        `again`: grade only these questions, whether their results are stored or not.
        """
        message = {**packed.as_json(), "again": list(again)}
        try:
            return self._ask(message)
        except _ProcessLost:
            pass
        try:
            return self._ask(message)
        except _ProcessLost as error:
            return Reply(fault=f"{error}, twice")

    def close(self) -> None:
        """End every process; threads waiting for a process get a RunError."""
        with self._lock:
            self._is_closed = True
        idle = list(self._launched)
        while not self._idle.empty():
            idle.append(self._idle.get())
        for process in idle:
            process.disconnect()
        for process in idle:
            self._remove(process)
        with self._lock:
            for process in self._processes:
                process.kill()

    def _ask(self, message: Mapping[str, Any]) -> Reply:
        process = self._take_process()
        try:
            answer = process.ask(message, timeout_s=self._settings.deadline_s + self._settings.grace_s)
        except BaseException:
            process.kill()
            self._remove(process)
            raise
        process.graded += 1
        if process.graded < SUBMISSIONS and not self._is_closed:
            self._idle.put(process)
        else:
            self._remove(process)
        return Reply(**answer)

    def _take_process(self) -> GraderProcess:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            pass
        with self._lock:
            if self._is_closed:
                raise RunError("the run was stopped")
            process = self._launched.pop() if self._launched else GraderProcess()
            self._processes.add(process)
        try:
            process.load_staff_files(self._settings)
        except BaseException:
            process.kill()
            self._remove(process)
            raise
        return process

    def _remove(self, process: GraderProcess) -> None:
        with self._lock:
            self._processes.discard(process)
        process.close()
