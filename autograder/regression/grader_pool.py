"""Slot: one process that grades, seen from the run: it is given a submission and replies, or is lost and replaced.

A submission that takes its slot along, or does not come back in time, is tried once more in a fresh one; the second
time that is reported as a fault of ours. Nothing that happens in one slot is seen by another.
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
from autograder.regression.packed_submission import Parcel, as_line

SUBMISSIONS = 250  # after so many a slot is replaced, whatever a library may have kept of them
GRACE_S = 60.0  # beyond a submission's own deadline: the grader has its own, so this is for a slot that hangs
_START_S = 120.0
_SEND_S = 30.0
_END_S = 5.0
_CHUNK = 1 << 20
_COMPLAINT_CHARACTERS = 2_000
_PROGRAM = Path("autograder", "regression", "grader_process.py")


class RunError(Exception):
    """Nobody can be graded: the staff's files, or this machine, are not in order; the text says what."""


class _SlotLost(Exception):
    pass


@dataclass(frozen=True)
class Settings:
    """What every slot of a run is told; plain values, so that they can go to another machine."""

    project: str
    results_dir: str
    only: tuple[str, ...]
    deadline_s: float
    is_strict: bool
    proofs: str | None
    grace_s: float = GRACE_S


@dataclass(frozen=True)
class Reply:
    """What became of one submission: `results` and `seconds` where it was graded, else one of the two reasons."""

    results: Mapping[str, Any] | None = None
    seconds: Mapping[str, float] | None = None
    unreadable: str = ""
    fault: str = ""


class _Slot:
    """One process and the socket to it."""

    def __init__(self, settings: Settings) -> None:
        self.graded = 0
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the slot)
        self._connection, theirs = socket.socketpair()
        command = [sys.executable, "-I", str(Path(settings.project) / _PROGRAM), str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                pass_fds=(theirs.fileno(),),
            )
        self._settings = asdict(settings)

    def start(self) -> None:
        """Wait until it has read the staff's files; RunError where they, or the process, are not in order."""
        try:
            answer = self.ask(self._settings, timeout_s=_START_S)
        except _SlotLost as error:
            raise RunError(f"a grading process does not start: {error}") from error
        if "refusal" in answer:
            raise RunError(answer["refusal"])

    def ask(self, message: Mapping[str, Any], *, timeout_s: float) -> dict[str, Any]:
        """The answer to a message; _SlotLost where the process ended, or does not answer in time."""
        try:
            self._connection.settimeout(_SEND_S)
            self._connection.sendall(as_line(message))
            self._connection.settimeout(timeout_s)
            return dict(json.loads(self._line()))
        except TimeoutError as error:
            raise _SlotLost(f"the process that graded it did not answer for {timeout_s:.0f} s") from error
        except (OSError, ValueError) as error:
            self.kill()
            raise _SlotLost(f"the process that graded it ended ({self._last_words()})") from error

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
        self._complaints.close()

    def _line(self) -> bytes:
        chunks: list[bytes] = []
        while not chunks or not chunks[-1].endswith(b"\n"):
            chunk = self._connection.recv(_CHUNK)
            if not chunk:
                raise ConnectionResetError
            chunks.append(chunk)
        return b"".join(chunks)

    def _last_words(self) -> str:
        self._complaints.seek(0)
        said = clean(self._complaints.read(1 << 16).decode(errors="replace").strip(), _COMPLAINT_CHARACTERS)
        status = f"exit status {self._process.returncode}"
        return f"{status}: {said}" if said else status


class SlotPool:
    """The slots of one machine, started as they are needed; `grade` may be called by several threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._idle: queue.LifoQueue[_Slot] = queue.LifoQueue()
        self._lock = threading.Lock()
        self._slots: set[_Slot] = set()
        self._is_closed = False

    def grade(self, parcel: Parcel) -> Reply:
        """What became of a submission; RunError where nobody can be graded, or the pool was closed meanwhile."""
        message = parcel.as_json()
        try:
            return self._ask(message)
        except _SlotLost:
            pass
        try:
            return self._ask(message)
        except _SlotLost as error:
            return Reply(fault=f"{error}, twice")

    def close(self) -> None:
        """End every slot; who waits for one gets a RunError."""
        with self._lock:
            self._is_closed = True
        while not self._idle.empty():
            self._remove(self._idle.get())
        with self._lock:
            for slot in self._slots:
                slot.kill()

    def _ask(self, message: Mapping[str, Any]) -> Reply:
        slot = self._slot()
        try:
            answer = slot.ask(message, timeout_s=self._settings.deadline_s + self._settings.grace_s)
        except BaseException:
            slot.kill()
            self._remove(slot)
            raise
        slot.graded += 1
        if slot.graded < SUBMISSIONS and not self._is_closed:
            self._idle.put(slot)
        else:
            self._remove(slot)
        return Reply(**answer)

    def _slot(self) -> _Slot:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            pass
        with self._lock:
            if self._is_closed:
                raise RunError("the run was stopped")
            slot = _Slot(self._settings)
            self._slots.add(slot)
        try:
            slot.start()
        except BaseException:
            slot.kill()
            self._remove(slot)
            raise
        return slot

    def _remove(self, slot: _Slot) -> None:
        with self._lock:
            self._slots.discard(slot)
        slot.close()
