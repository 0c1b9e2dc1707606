"""Grader process: starts the grader as a process of its own, which a test can harm, and looks at what it leaves."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.gradescope.results_file import read_results_json
from tests.selftest.support.grading import PROJECT, reference_text

RIGHT = reference_text("normalization")
ENDLESS = "def normalizeRows(x):\n    while True: pass\n"
UNFINISHED = {"state": "unfinished"}
_TICKS_OF_A_LOOP = 10  # in user mode: far more than a worker needs to enter the sandbox
_WAIT_S = 60.0


def submission_in(folder: Path, text: str = RIGHT) -> Path:
    """A submission to one question, with this text."""
    submission = folder / "submission"
    submission.mkdir(parents=True)
    (submission / "normalization.py").write_text(text)
    return submission


def command(submission: Path, results: Path, *, project: Path = PROJECT) -> list[str]:
    """What grades that question of a submission."""
    main = str(project / "autograder" / "__main__.py")
    places = [str(submission), "--results", str(results), "--only", "normalization"]
    return [sys.executable, "-I", main, "grade", *places]


def environment(**settings: str) -> dict[str, str]:
    """Nothing of the test's own environment but the path."""
    return {"PATH": os.environ["PATH"], **settings}


def run(arguments: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a grader to its end, which has to come."""
    settings = {"env": environment(), "capture_output": True, "text": True, "timeout": _WAIT_S}
    return subprocess.run(arguments, check=False, **{**settings, **options})


def graded(folder: Path, text: str = RIGHT, **options: Any) -> subprocess.CompletedProcess[str]:
    """Grade that text; the results are in `folder / "results"`."""
    return run(command(submission_in(folder, text), folder / "results"), **options)


@contextlib.contextmanager
def started(arguments: list[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A grader that runs; it is ended with the test."""
    settings = {"env": environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(arguments, **{**settings, **options}) as process:
        try:
            yield process
        finally:
            process.kill()


def results_in(folder: Path) -> dict[str, Any]:
    """The results.json of a folder, which is as Gradescope wants it and stands alone."""
    assert os.listdir(folder) == ["results.json"]
    text = (folder / "results.json").read_text(encoding="utf-8")
    read_results_json(text)
    results: dict[str, Any] = json.loads(text)
    return results


def processes_below(pid: int) -> set[int]:
    """The processes that a process started, and those that they started."""
    children = children_of(pid)
    return children.union(*map(processes_below, children))


def children_of(pid: int) -> set[int]:
    """The processes that a process started itself; none where it has ended."""
    children: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            children.update(map(int, (thread / "children").read_text(encoding="ascii").split()))
    return children


def runs_student_code(pid: int) -> bool:
    """Whether a process is a worker in an endless loop."""
    with contextlib.suppress(OSError):
        user_ticks = int(_stat(pid)[11])
        return field_of_status(pid, "NoNewPrivs") == ["1"] and user_ticks > _TICKS_OF_A_LOOP
    return False


def field_of_status(pid: int, name: str) -> list[str]:
    """The words of one line of what the kernel says of a process."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    return next((line.split()[1:] for line in lines if line.startswith(f"{name}:")), [])


def wait_for(condition: Callable[[], Any]) -> Any:
    """What the condition gives once that is true."""
    end = time.monotonic() + _WAIT_S
    while not (value := condition()):
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)
    return value


def wait_for_student_code(process: subprocess.Popen[str]) -> set[int]:
    """The processes of a grader, at a time at which student code runs."""
    wait_for(lambda: process.poll() is not None or any(map(runs_student_code, processes_below(process.pid))))
    assert process.poll() is None, process.communicate()
    return processes_below(process.pid)


class Watch:
    """Processes that are watched to their end; another process that gets the same number is none of them."""

    def __init__(self, pids: Iterable[int]) -> None:
        self._open = [os.pidfd_open(pid) for pid in pids]

    def all_end(self, seconds: float = 10.0) -> bool:
        """Whether all of them end within that time."""
        end = time.monotonic() + seconds
        poll = select.poll()
        for descriptor in self._open:
            poll.register(descriptor, select.POLLIN)
        left = set(self._open)
        while left and (rest := end - time.monotonic()) > 0:
            for descriptor, _ in poll.poll(rest * 1000):
                poll.unregister(descriptor)
                left.discard(descriptor)
        for descriptor in self._open:
            os.close(descriptor)
        return not left


def _stat(pid: int) -> list[str]:
    text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    return text.rpartition(")")[2].split()
