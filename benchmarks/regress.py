"""Regress: how many submissions of a class are graded a second here, and by gradescope-utils, two at a time each.

python benchmarks/regress.py [--size N] [--rounds N] [--jobs N]

The class is the right solution N times, because a grader without a sandbox cannot be given others: what student code
does there, it does to the grader. gradescope-utils' runner has a fresh process for each submission, as on Gradescope;
it could not grade two in one process. Both run the same hidden tests. Compare the ratios, not the times.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from benchmarks.in_process_student import stems_of
from benchmarks.processes import peak_memory_mib, run


@dataclass(frozen=True)
class Throughput:
    """What a class took."""

    wall_s: float
    cpu_s: float


def regress_command(folder: Path, out: Path, jobs: int) -> list[str]:
    """Our own."""
    program = [sys.executable, "-I", str(PROJECT / "autograder" / "__main__.py"), "regress"]
    only = ",".join(stems_of(next(folder.iterdir())))  # what gradescope-utils runs below
    return [*program, str(folder), "--out", str(out), "--jobs", str(jobs), "--only", only]


def ours(folder: Path, jobs: int, environment: dict[str, str]) -> Throughput:
    """The class graded by `regress`, which starts from nothing."""
    with tempfile.TemporaryDirectory() as out:
        cost = run(regress_command(folder, Path(out), jobs), environment)
    return Throughput(cost.wall_s, cost.cpu_s)


def theirs(folder: Path, jobs: int, environment: dict[str, str]) -> Throughput:
    """The class graded by gradescope-utils, `jobs` processes at a time."""
    script = str(PROJECT / "benchmarks" / "peer_gradescope.py")
    commands = [[sys.executable, script, str(submission)] for submission in sorted(folder.iterdir())]
    started = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        costs = list(pool.map(lambda command: run(command, environment), commands))
    return Throughput(time.perf_counter() - started, sum(cost.cpu_s for cost in costs))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare how fast a class is graded.")
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "class"
        for number in range(options.size):
            shutil.copytree(PROJECT / "examples" / "right", folder / f"student{number:04}")
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "XDG_CACHE_HOME": scratch}
        rounds = []
        for _ in range(options.rounds):
            rounds.append([each(folder, options.jobs, environment) for each in (theirs, ours)])
        memory = peak_memory_mib(regress_command(folder, Path(scratch) / "out", options.jobs), environment)
    print(
        f"{options.size} submissions, {options.rounds} rounds, {options.jobs} at a time, {os.cpu_count()} cores,",
        end=" ",
    )
    print(f"Python {platform.python_version()}, user {os.getuid()}")
    print(table(rounds, options.size))
    print(f"regress with all its processes: {memory:.0f} MiB at most")


def table(rounds: list[list[Throughput]], size: int) -> str:
    """Medians; ratios are medians of the ratios within each round."""
    lines = [f"{'':30}{'a second':>10}{'ratio':>7}{'CPU s each':>12}{'ratio':>7}"]
    for column, name in enumerate(("gradescope-utils, in process", "run_autograder regress")):
        rate = median(size / each[column].wall_s for each in rounds)
        cpu = median(each[column].cpu_s / size for each in rounds)
        faster = median(each[0].wall_s / each[column].wall_s for each in rounds)
        dearer = median(each[column].cpu_s / each[0].cpu_s for each in rounds)
        lines.append(f"{name:30}{rate:10.2f}{faster:7.2f}{cpu:12.2f}{dearer:7.2f}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
