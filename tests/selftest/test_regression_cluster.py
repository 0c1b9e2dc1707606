"""Grading on a Dask cluster: a real scheduler, a worker that is killed, and the same results as on one machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.regression.class_run import ClassProgress, RegressRequest
from autograder.regression.regress import regress
from autograder.regression.slot import RunError
from tests.selftest import made_class
from tests.selftest.grading import PROJECT

STEM = "normalization"
DASK = "import sys; from distributed.cli.dask_{0} import main; sys.exit(main())"


def dask(part: str, *arguments: str, cwd: Path) -> subprocess.Popen[str]:
    """A scheduler or a worker of its own, which finds the project."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", DASK.format(part), *arguments]
    return subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
    )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """The address of a scheduler, and its three workers."""
    told = tmp_path / "scheduler.json"
    options = ("--scheduler-file", str(told), "--no-dashboard")
    processes = [dask("scheduler", *options, "--host", "127.0.0.1", "--port", "0", cwd=tmp_path)]
    worker = (*options, "--nthreads", "1", "--no-nanny", "--memory-limit", "0", "--death-timeout", "60")
    processes += [dask("worker", *worker, cwd=tmp_path) for _ in range(3)]
    try:
        while not told.exists():
            assert processes[0].poll() is None
            os.sched_yield()
        yield json.loads(told.read_text())["address"], processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.filterwarnings("default")  # Dask's own
def test_a_killed_worker_changes_no_result(cluster: tuple[str, list[subprocess.Popen[str]]], tmp_path: Path) -> None:
    address, workers = cluster
    made_class.make_export(tmp_path / "class", 12, stems=[STEM])
    done = []

    def kill_one(progress: ClassProgress) -> None:
        done.append(progress.done)
        if len(done) == 3:
            workers[0].send_signal(signal.SIGKILL)

    request = RegressRequest(tmp_path / "class", tmp_path / "there", only=(STEM,), cluster=address)
    there = regress(request, progress=kill_one)
    assert workers[0].wait() == -signal.SIGKILL
    assert there.is_complete
    assert there.undecided == ()
    here = regress(RegressRequest(tmp_path / "class", tmp_path / "here", only=(STEM,), jobs=2))
    assert there.model_dump(exclude={"timing"}) == here.model_dump(exclude={"timing"})


@pytest.mark.filterwarnings("default")
def test_an_address_without_a_scheduler_ends_the_run(tmp_path: Path) -> None:
    made_class.make_export(tmp_path / "class", 1, stems=[STEM])
    request = RegressRequest(tmp_path / "class", tmp_path / "out", only=(STEM,), cluster="nonsense://127.0.0.1:1")
    with pytest.raises(RunError, match=r"there is no Dask scheduler at nonsense://127\.0\.0\.1:1"):
        regress(request)
