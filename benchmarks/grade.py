"""Grade: what one submission costs here and with graders that run student code in their own process.

python benchmarks/grade.py [--rounds N] [--submission DIR] [--at-most RATIO]

All grade the same submission with the same hidden tests, each as a fresh process, one after another in every round, so
that what the machine does besides hits all alike. Times differ from machine to machine: compare the ratios. Ends with 1
where the CPU time of run_autograder is more than RATIO times that of plain pytest.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
import tempfile
from pathlib import Path
from statistics import median

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from benchmarks.in_process_student import stems_of
from benchmarks.processes import Cost, peak_memory_mib, run

BASE = "plain pytest, in process"
OURS = "run_autograder grade"


def commands(submission: Path, results: Path) -> dict[str, list[str]]:
    """What is compared."""
    python, here = sys.executable, PROJECT / "benchmarks"
    return {
        BASE: [python, str(here / "peer_pytest.py"), str(submission)],
        "gradescope-utils, in process": [python, str(here / "peer_gradescope.py"), str(submission)],
        OURS: [
            *(python, "-I", str(PROJECT / "autograder" / "__main__.py")),
            *("grade", str(submission), "--results", str(results), "--only", ",".join(stems_of(submission))),
        ],
    }


def measured(submission: Path, rounds: int) -> tuple[dict[str, list[Cost]], dict[str, float]]:
    """The costs of every round, and the memory of one more run, of each."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "XDG_CACHE_HOME": folder}
        compared = commands(submission, Path(folder) / "results")
        first = {name: run(command, environment) for name, command in compared.items()}  # fills caches too
        _require_same_checks(first)
        costs: dict[str, list[Cost]] = {name: [] for name in compared}
        for _ in range(rounds):
            for name, command in compared.items():
                costs[name].append(run(command, environment))
        return costs, {name: peak_memory_mib(command, environment) for name, command in compared.items()}


def _require_same_checks(costs: dict[str, Cost]) -> None:
    """All have to pass the same number of checks, and ours all that there are."""
    (all_checks,) = re.findall(r"(\d+) of \1 checks passed", costs[OURS].output)
    for name, cost in costs.items():
        if name != OURS and cost.output.split()[-2:] != ["passed", all_checks]:
            raise RuntimeError(f"{name} did not pass the {all_checks} checks:\n{cost.output}")


def table(costs: dict[str, list[Cost]], memory: dict[str, float]) -> str:
    """Medians; ratios are medians of the ratios within each round."""
    lines = [f"{'':30}{'wall s':>8}{'ratio':>7}{'CPU s':>8}{'ratio':>7}{'MiB':>7}"]
    for name, each in costs.items():
        pairs = list(zip(each, costs[BASE], strict=True))
        wall, cpu = median(cost.wall_s for cost in each), median(cost.cpu_s for cost in each)
        wall_ratio = median(cost.wall_s / base.wall_s for cost, base in pairs)
        cpu_ratio = cpu_ratio_of(each, costs[BASE])
        lines.append(f"{name:30}{wall:8.2f}{wall_ratio:7.2f}{cpu:8.2f}{cpu_ratio:7.2f}{memory[name]:7.0f}")
    return "\n".join(lines)


def cpu_ratio_of(costs: list[Cost], base: list[Cost]) -> float:
    """The median over the rounds."""
    return median(cost.cpu_s / other.cpu_s for cost, other in zip(costs, base, strict=True))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare what grading one submission costs.")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--submission", type=Path, default=PROJECT / "examples" / "right")
    parser.add_argument("--at-most", type=float, default=float("inf"), metavar="RATIO")
    options = parser.parse_args()
    costs, memory = measured(options.submission, options.rounds)
    print(f"{options.rounds} rounds, Python {platform.python_version()}, {os.cpu_count()} cores, user {os.getuid()}")
    print(table(costs, memory))
    if cpu_ratio_of(costs[OURS], costs[BASE]) > options.at_most:
        sys.exit(f"{OURS} takes more than {options.at_most:g} times the CPU time of {BASE}")


if __name__ == "__main__":
    main()
