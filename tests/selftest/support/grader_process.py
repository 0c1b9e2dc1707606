"""Grader process: starts the grader as a separate process that a test can harm, and inspects its results."""

import contextlib
import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.gradescope.results_json import read_results_json
from tests.selftest.support.command_line import list_start
from tests.selftest.support.toy_assignment import PROJECT, TOY, reference_text

RIGHT = reference_text("rows")
ENDLESS = "def unit_rows(x):\n    while True: pass\n"
UNFINISHED = {"state": "unfinished"}
_TICKS_OF_A_LOOP = 10  # in user mode: far more than a worker needs to enter the sandbox
WAIT_S = 120.0  # no test is about it: a machine may be busy


def write_submission(folder: Path, text: str = RIGHT) -> Path:
    """Write a submission to one question, with this text."""
    submission = folder / "submission"
    submission.mkdir(parents=True)
    (submission / "rows.py").write_text(text)
    return submission


def build_command(submission: Path, results: Path, *, project: Path | None = None) -> list[str]:
    """Build the command that grades that question of a submission; `project`: a copy of the grader and the toy."""
    arguments = [str(submission), "--results", str(results), "--only", "rows", "--assignment", str(project or TOY)]
    return [*list_start(project or PROJECT), "grade", *arguments]


def build_environment(**settings: str) -> dict[str, str]:
    """Build an environment with nothing of the test's own except the path; without another word, the toy is graded."""
    return {"PATH": os.environ["PATH"], "AUTOGRADER_ASSIGNMENT": str(TOY), **settings}


def run(arguments: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a grader until it ends, within the time limit."""
    settings = {"env": build_environment(), "capture_output": True, "text": True, "timeout": WAIT_S}
    return subprocess.run(arguments, check=False, **{**settings, **options})


def grade_right(folder: Path, project: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Grade a right submission in a folder, with the results beside it; `project`: a copy of the grader and the toy."""
    return run(build_command(write_submission(folder), folder / "results", project=project))


@contextlib.contextmanager
def start_grader(arguments: list[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Start a grader, and kill it at the end of the test."""
    settings = {"env": build_environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(arguments, **{**settings, **options}) as process:
        try:
            yield process
        finally:
            process.kill()


def read_results(folder: Path) -> dict[str, Any]:
    """Read the results.json of a folder; require that it is valid and the only file."""
    assert os.listdir(folder) == ["results.json"]
    text = (folder / "results.json").read_text(encoding="utf-8")
    read_results_json(text)
    results: dict[str, Any] = json.loads(text)
    return results


def list_descendants(pid: int) -> set[int]:
    """Return the descendants of a process."""
    children = list_children(pid)
    return children.union(*map(list_descendants, children))


def list_children(pid: int) -> set[int]:
    """Return the children of a process; none if it has ended."""
    children: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            children.update(map(int, (thread / "children").read_text(encoding="ascii").split()))
    return children


def is_worker(pid: int, *, least_ticks: int = 0) -> bool:
    """Tell whether a process is confined as workers are, and computed so long in user mode; False if it has ended."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(text.rpartition(")")[2].split()[11]) >= least_ticks and read_status_field(pid, "NoNewPrivs") == ["1"]
    return False


def runs_student_code(pid: int) -> bool:
    """Tell whether a process is a worker in an endless loop."""
    return is_worker(pid, least_ticks=_TICKS_OF_A_LOOP)


def read_status_field(pid: int, name: str) -> list[str]:
    """Return the words of a line of a process's /proc status."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    return next((line.split()[1:] for line in lines if line.startswith(f"{name}:")), [])


def wait_for(condition: Callable[[], Any]) -> Any:
    """Wait until the condition is true, and return its value."""
    end = time.monotonic() + WAIT_S
    while not (value := condition()):
        assert time.monotonic() < end, "timeout: the condition never became true"
        time.sleep(0.01)
    return value


def wait_for_student_code(process: subprocess.Popen[str]) -> set[int]:
    """Wait until student code runs, and return the processes of the grader."""
    wait_for(lambda: process.poll() is not None or any(map(runs_student_code, list_descendants(process.pid))))
    assert process.poll() is None, process.communicate()
    return list_descendants(process.pid)


class Watch:
    """Watches processes until they end; other processes that reuse their pids are not confused with them."""

    def __init__(self, pids: Iterable[int]) -> None:
        self._open = []
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):  # it has ended already
                self._open.append(os.pidfd_open(pid))

    def all_end(self, seconds: float = WAIT_S) -> bool:
        """Tell whether all of them end within this time."""
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
