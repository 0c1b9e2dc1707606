"""Grader pool: sends submissions to grader processes and receives their replies; replaces processes that are lost.

A submission whose process dies or does not answer in time is tried once more in a fresh process; a second failure is
reported as our fault. Grader processes share nothing.

They are programs of their own, as the pools of the standard library neither end a process that hangs nor go on without
one that died, and a worker of Dask may start no process of `multiprocessing`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder import GraderError
from autograder.plain_text import clean
from autograder.regression.packed_submission import PackedSubmission
from autograder.sandbox.host.launcher import Launcher, ZygoteEndpoint

if TYPE_CHECKING:
    from autograder.regression.reuse import ReuseSettings

SUBMISSIONS = 250  # a process is replaced after so many, in case a library leaks memory
GRACE_S = 60.0  # beyond the deadline that the grader enforces itself: only a process that hangs takes longer
_START_S = 120.0
_END_S = 5.0
_COMPLAINT_CHARACTERS = 2_000
_PROGRAM = Path(__file__).with_name("grader_process.py")


class RunError(GraderError):
    """No submission can be graded: the staff's files or this machine have a problem, which the text names."""


class _ProcessLost(Exception):
    pass


@dataclass(frozen=True)
class Settings:
    """Settings of every grader process, on this machine or another.

    `root`: the assignment's folder. `reuse`: None where each question is graded. `keeps_passes`: whether a test looks
    at equal replies once for all submissions; False to find tests that are unstable.
    """

    root: Path
    results_dir: Path
    only: tuple[str, ...]
    deadline_s: float
    is_strict: bool
    layer_cache: Path | None
    grace_s: float = GRACE_S
    reuse: ReuseSettings | None = None
    keeps_passes: bool = True


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


class GraderProcess:
    """One process and the connection to it; the process loads the grader as soon as it is made.

    `zygote`: one that is starting, which the process takes over, with the libraries in it; without it, it starts one.
    """

    def __init__(self, zygote: ZygoteEndpoint | None = None, libraries: Sequence[str] = ()) -> None:
        self._graded = 0
        self._is_ready = False
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
        self._connection, theirs = Pipe()
        taken = [str(zygote.control.fileno()), str(zygote.uid), ",".join(libraries)] if zygote else []
        with theirs, zygote.control if zygote else nullcontext():
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_PROGRAM), str(theirs.fileno()), *taken],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                pass_fds=[theirs.fileno(), *map(int, taken[:1])],
            )

    def grade(self, job: Job, settings: Settings) -> Reply:
        """Grade a submission; RunError if none can be graded, _ProcessLost if the process ended or is too late."""
        if not self._is_ready:
            self._load_staff_files(settings)
        self._graded += 1
        reply: Reply = self._ask(job, timeout_s=settings.deadline_s + settings.grace_s)
        return reply

    @property
    def is_usable(self) -> bool:
        """Whether it may grade one more submission."""
        return self._process.returncode is None and self._graded < SUBMISSIONS

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

    def _load_staff_files(self, settings: Settings) -> None:
        """Wait until it has loaded the staff's files; RunError if they are broken or the process fails."""
        try:
            refusal = self._ask(settings, timeout_s=_START_S)
        except _ProcessLost as error:
            raise RunError(f"a grading process does not start: {error}") from error
        if refusal:
            raise RunError(refusal)
        self._is_ready = True

    def _ask(self, message: object, *, timeout_s: float) -> Any:
        try:
            self._connection.send(message)
            if self._connection.poll(timeout_s):
                return self._connection.recv()
        except (OSError, EOFError) as error:
            self._end()
            raise _ProcessLost(f"the process that graded it ended ({self._describe_exit()})") from error
        raise _ProcessLost(f"the process that graded it did not answer for {timeout_s:.0f} s")

    def _end(self) -> None:
        """Wait for a process that is about to exit, and kill it where it does not."""
        try:
            self._process.wait(timeout=_END_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def _describe_exit(self) -> str:
        self._stderr.seek(0)
        said = clean(self._stderr.read(1 << 16).decode(errors="replace").strip(), _COMPLAINT_CHARACTERS)
        status = f"exit status {self._process.returncode}"
        return f"{status}: {said}" if said else status


class GraderPool:
    """The grader processes of one machine, started on demand; several threads may call `grade`."""

    def __init__(self, launched: int = 0, libraries: Sequence[str] = ()) -> None:
        """`launched`: so many processes begin to load the grader now; more are started where these are too few.

        Their zygotes have one launcher, so that numpy and the `libraries` are in memory once. SandboxError if it fails.
        """
        self._lock = threading.Lock()
        self._launcher = Launcher(zygotes=launched, libraries=libraries) if launched else None
        zygotes = self._launcher.endpoints if self._launcher is not None else ()
        self._idle = [GraderProcess(zygote, libraries) for zygote in zygotes]
        self._busy: set[GraderProcess] = set()
        self._is_closed = False

    def grade(self, job: Job, settings: Settings) -> Reply:
        """Grade a submission; RunError if no submission can be graded, or the pool was closed meanwhile.

        `settings`: the same for all submissions; a process loads them before its first one.
        """
        try:
            return self._grade_once(job, settings)
        except _ProcessLost:
            pass
        try:
            return self._grade_once(job, settings)
        except _ProcessLost as error:
            return Reply(fault=f"{error}, twice")

    def close(self) -> None:
        """End every process; threads waiting for a process get a RunError."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for process in self._busy:
                process.kill()
        for process in idle:
            process.disconnect()
        for process in idle:
            process.close()
        if self._launcher is not None:
            self._launcher.close()

    def _grade_once(self, job: Job, settings: Settings) -> Reply:
        process = self._take_process()
        try:
            return process.grade(job, settings)
        except BaseException:
            process.kill()
            raise
        finally:
            self._return_process(process)

    def _take_process(self) -> GraderProcess:
        with self._lock:
            if self._is_closed:
                raise RunError("the run was stopped")
            process = self._idle.pop() if self._idle else GraderProcess()
            self._busy.add(process)
        return process

    def _return_process(self, process: GraderProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            is_kept = process.is_usable and not self._is_closed
            self._idle += [process] if is_kept else []
        if not is_kept:
            process.close()
