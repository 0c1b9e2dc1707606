"""Slot: one process that grades, seen from the run: it is given a submission and replies, or is lost and replaced.

A submission that takes its process along, or does not come back in time, is tried once more in a fresh one; the second
time that is reported as a fault of ours. Nothing that happens in one process is seen by another.
"""

from __future__ import annotations

import json
import queue
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.plain_text import clean
from autograder.regression.packed_submission import PackedSubmission, encode_line

SUBMISSIONS = 250  # after so many a process is replaced, whatever a library may have kept of them
GRACE_S = 60.0  # beyond a submission's own deadline: the grader has its own, so this is for a process that hangs
_START_S = 120.0
_SEND_S = 30.0
_END_S = 5.0
_CHUNK = 1 << 20
_COMPLAINT_CHARACTERS = 2_000
_PROGRAM = Path("autograder", "regression", "grader_process.py")


class RunError(Exception):
    """Nobody can be graded: the staff's files, or this machine, are not in order; the text says what."""


class _ProcessLost(Exception):
    pass


@dataclass(frozen=True)
class Settings:
    """What every process of a run is told; plain values, so that they can go to another machine."""

    project: str
    results_dir: str
    only: tuple[str, ...]
    deadline_s: float
    is_strict: bool
    layer_cache: str | None
    grace_s: float = GRACE_S


@dataclass(frozen=True)
class Reply:
    """What became of one submission: `results` and `seconds` where it was graded, else one of the two reasons."""

    results: Mapping[str, Any] | None = None
    seconds: Mapping[str, float] | None = None
    unreadable: str = ""
    fault: str = ""


class _GraderProcess:
    """One process and the socket to it."""

    def __init__(self, settings: Settings) -> None:
        self.graded = 0
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
        self._connection, theirs = socket.socketpair()
        command = [sys.executable, "-I", str(Path(settings.project) / _PROGRAM), str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                pass_fds=(theirs.fileno(),),
            )
        self._settings = asdict(settings)

    def start(self) -> None:
        """Wait until it has read the staff's files; RunError where they, or the process, are not in order."""
        try:
            answer = self.ask(self._settings, timeout_s=_START_S)
        except _ProcessLost as error:
            raise RunError(f"a grading process does not start: {error}") from error
        if "refusal" in answer:
            raise RunError(answer["refusal"])

    def ask(self, message: Mapping[str, Any], *, timeout_s: float) -> dict[str, Any]:
        """The answer to a message; _ProcessLost where the process ended, or does not answer in time."""
        try:
            self._connection.settimeout(_SEND_S)
            self._connection.sendall(encode_line(message))
            self._connection.settimeout(timeout_s)
            return dict(json.loads(self._receive_line()))
        except TimeoutError as error:
            raise _ProcessLost(f"the process that graded it did not answer for {timeout_s:.0f} s") from error
        except (OSError, ValueError) as error:
            self.kill()
            raise _ProcessLost(f"the process that graded it ended ({self._describe_exit()})") from error

    def kill(self) -> None:
        """End the process, whatever it is doing; its zygote and workers end with it."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Have the process end, by itself where it is waiting for a submission, and let go of what belongs to it."""
        self._connection.close()
        try:
            self._process.wait(timeout=_END_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._stderr.close()

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


class GraderPool:
    """The slots of one machine, started as they are needed; `grade` may be called by several threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._idle: queue.LifoQueue[_GraderProcess] = queue.LifoQueue()
        self._lock = threading.Lock()
        self._processes: set[_GraderProcess] = set()
        self._is_closed = False

    def grade(self, packed: PackedSubmission) -> Reply:
        """What became of a submission; RunError where nobody can be graded, or the pool was closed meanwhile."""
        message = packed.as_json()
        try:
            return self._ask(message)
        except _ProcessLost:
            pass
        try:
            return self._ask(message)
        except _ProcessLost as error:
            return Reply(fault=f"{error}, twice")

    def close(self) -> None:
        """End every process; who waits for one gets a RunError."""
        with self._lock:
            self._is_closed = True
        while not self._idle.empty():
            self._remove(self._idle.get())
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

    def _take_process(self) -> _GraderProcess:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            pass
        with self._lock:
            if self._is_closed:
                raise RunError("the run was stopped")
            process = _GraderProcess(self._settings)
            self._processes.add(process)
        try:
            process.start()
        except BaseException:
            process.kill()
            self._remove(process)
            raise
        return process

    def _remove(self, process: _GraderProcess) -> None:
        with self._lock:
            self._processes.discard(process)
        process.close()
