"""Large class: grades a class of synthetic submissions on this machine, then on a cluster that loses a worker.

python -m benchmarks.large_class FOLDER [--size 1000] [--questions sgd,adam]

The class is drawn from a seed: right files, known mistakes, files that are not written, and missing ones. The second
run has a Dask scheduler and three workers, one of which is killed after a tenth of the class; its results have to be
those of the first.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.mistakes import MistakeBank
from benchmarks.classes import PROJECT
from benchmarks.processes import sum_memory_mib
from tests.selftest.support.dask_cluster import Process, open_cluster
from tests.selftest.support.made_class import make_export

_WORKERS = 3
_SEED = 2026
_SAMPLE_EVERY_S = 1.0


def main() -> None:
    """Make the class, grade it twice, and print a row for each run."""
    options = _read_options()
    folder = options.folder.resolve()
    make_export(
        folder / "class",
        options.size,
        question_ids=options.questions,
        seed=_SEED,
        known=MistakeBank(load_assignment(PROJECT)),
    )
    (folder / "class" / "grades.csv").unlink()  # the report would note that it is no submission
    only = ["--only", ",".join(options.questions)] if options.questions else []
    print(f"{options.size} submissions, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before", flush=True)
    _grade(folder, "here", "this machine", only)
    with open_cluster(folder, workers=_WORKERS) as (address, workers):
        again = [*only, "--cluster", address, "--baseline", str(folder / "here")]
        stopper = threading.Thread(
            target=_kill_after, args=(workers[0], folder / "there" / "results", options.size // 10)
        )
        stopper.start()
        _grade(folder, "there", "cluster", again)
        stopper.join()


def _grade(folder: Path, out: str, name: str, options: Sequence[str]) -> None:
    start = [sys.executable, "-I", "autograder/__main__.py", "regress", str(folder / "class")]
    started, peak = time.monotonic(), 0.0
    with subprocess.Popen([*start, "--out", str(folder / out), *options], cwd=PROJECT, stdout=subprocess.PIPE) as run:
        while run.poll() is None:
            peak = max(peak, sum_memory_mib(os.getpid()))
            time.sleep(_SAMPLE_EVERY_S)
        told = run.stdout.read().decode() if run.stdout is not None else ""
    spent = time.monotonic() - started
    size = len(list((folder / out / "results").glob("*.json")))
    page = (folder / out / "report.html").stat().st_size >> 10
    rate = f"{size / spent:.2f} a second"
    print(
        f"{name}: {size} results in {spent:.0f} s, {rate}, at most {peak:.0f} MiB; status {run.returncode}, {page} KiB"
    )
    print(told, flush=True)


def _kill_after(worker: Process, results: Path, number: int) -> None:
    """Kill a worker once so many results exist."""
    while worker.poll() is None and len(list(results.glob("*.json"))) < number:
        time.sleep(_SAMPLE_EVERY_S)
    worker.kill()
    print(f"killed one of {_WORKERS} workers after {len(list(results.glob('*.json')))} results", flush=True)


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large_class", description="Grade a large class twice.")
    parser.add_argument("folder", type=Path, help="a new folder for the class and both runs")
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--questions", type=lambda text: tuple(text.split(",")), default=(), help="all of code without")
    return parser.parse_args()


if __name__ == "__main__":
    main()
