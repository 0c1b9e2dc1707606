"""A Dask cluster on this machine: a scheduler and workers that import a project."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.selftest.support.project_sources import PROJECT

Process = subprocess.Popen[bytes]
_DASK = "import sys; from distributed.cli.dask_{0} import main; sys.exit(main())"


@contextlib.contextmanager
def open_cluster(folder: Path, *, workers: int, project: Path = PROJECT) -> Iterator[tuple[str, list[Process]]]:
    """Start a scheduler and its workers; yield its address and their processes."""
    told = folder / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told))
    started = [_start("scheduler", *options, folder=folder, project=project)]
    try:
        while not (told.exists() and told.read_text().endswith("}")):
            assert started[0].poll() is None
            time.sleep(0.05)
        address = json.loads(told.read_text())["address"]
        one = (address, "--nthreads", "1", "--no-nanny", "--memory-limit", "0")
        started += [_start("worker", *one, folder=folder, project=project) for _ in range(workers)]
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def _start(part: str, *arguments: str, folder: Path, project: Path) -> Process:
    settings = {"PYTHONPATH": str(project), "PYTHONWARNINGS": "ignore", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", _DASK.format(part), "--no-dashboard", *arguments]
    with (folder / "dask.log").open("ab") as log:
        return subprocess.Popen(command, cwd=folder, env={**os.environ, **settings}, stdout=log, stderr=log)
