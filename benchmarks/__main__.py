"""Benchmarks: compares the cost of this grader with others, as tables.

python -m benchmarks [grade] [class] [change] [growth] [wrong] [--rounds N] [--peers check50,otter]

All graders grade the same right submission with the same hidden tests, each in a fresh process, one after another in
every round, so that other load slows all of them alike. Times differ between machines: compare the ratios.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from benchmarks.classes import REGRESS, RIGHT, class_of
from benchmarks.comparison import Comparison, Measure, cpu, milliseconds, table, wall
from benchmarks.graders import (
    EXTRA,
    GRADESCOPE,
    HELP,
    OURS,
    PYTEST,
    PYTHON,
    count_advice,
    grade_commands,
    is_installed,
    require_same_checks,
    start_commands,
)
from benchmarks.growth import growth
from benchmarks.growth import table as growth_table
from benchmarks.processes import environment_in, peak_memory_mib, run
from benchmarks.rounds import in_rounds
from benchmarks.wrong_work import wrong_rivals, wrong_table

_PARTS = ("grade", "class", "growth", "wrong")
_MEMORY_ROUNDS = 3
_JOBS = 2  # submissions of a class at a time


def main() -> None:
    """Measure and print."""
    options = _options()
    machine = (
        f"Python {platform.python_version()}, Linux {platform.release()}, {os.cpu_count()} cores, user {os.getuid()}"
    )
    print(f"{options.rounds} rounds, {machine}", end="\n\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_in(Path(folder))
        if "grade" in options.parts:
            _compare_grading(options, Path(folder), environment)
        if "class" in options.parts:
            _compare_class(options, environment)
        if "wrong" in options.parts:
            wrong = wrong_rivals(Path(folder) / "wrong", environment)
            print(wrong_table(in_rounds(wrong, options.class_rounds)), end="\n\n", flush=True)
        if "growth" in options.parts:
            grown = growth(options.sizes, jobs=_JOBS, environment=environment, only=options.questions)
            print(growth_table(grown), end="\n\n")


def _compare_grading(options: argparse.Namespace, folder: Path, environment: Mapping[str, str]) -> None:
    started = start_commands()
    grading = grade_commands(RIGHT, folder / "results", options.peers)
    checks = require_same_checks(grading, environment, advice=count_advice(RIGHT))
    runs = {name: partial(run, each, environment) for name, each in {**started, **grading}.items()}
    costs = in_rounds(runs, options.rounds)
    peaks = {name: partial(peak_memory_mib, each, environment) for name, each in grading.items()}
    memory = in_rounds(peaks, _MEMORY_ROUNDS)
    starts, grades = ({name: costs[name] for name in names} for names in (started, grading))
    measures = [wall(grades), cpu(grades), Measure("MiB", 0, memory)]
    _show(Comparison(f"One submission, {checks} checks", PYTEST, OURS, measures))
    _show(Comparison("Starting", PYTHON, HELP, [milliseconds(wall(starts)), milliseconds(cpu(starts))]))


def _compare_class(options: argparse.Namespace, environment: Mapping[str, str]) -> None:
    with class_of(options.size, jobs=_JOBS, environment=environment) as submissions:
        rivals = {name: partial(submissions.cost, name) for name in (GRADESCOPE, REGRESS)}
        costs = in_rounds(rivals, options.class_rounds)
        memory = {name: [submissions.memory_mib(name)] for name in costs}
    rate = {name: [options.size / cost.wall_s for cost in each] for name, each in costs.items()}
    each_s = {name: [cost.cpu_s / options.size for cost in taken] for name, taken in costs.items()}
    measures = [Measure("a second", 2, rate), Measure("CPU s each", 2, each_s), Measure("MiB", 0, memory)]
    title = f"Submissions of a class of {options.size}, {_JOBS} at a time"
    _show(Comparison(title, GRADESCOPE, REGRESS, measures))


def _show(comparison: Comparison) -> None:
    print(table(comparison), end="\n\n", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Compare what grading costs.")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(_PARTS)}; all without")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--class-rounds", type=int, default=3)
    parser.add_argument("--size", type=int, default=20, help="size of the class")
    sizes = "sizes of the classes for growth"
    parser.add_argument("--sizes", type=lambda text: list(map(int, text.split(","))), default=(10, 20, 40), help=sizes)
    questions = "the questions to grade for growth; all without"
    parser.add_argument("--questions", type=lambda text: text.split(","), default=(), help=questions)
    parser.add_argument("--peers", type=_peers, default=(), help=f"of {','.join(EXTRA)}; see requirements-peers.txt")
    options = parser.parse_args()
    if not set(options.parts) <= set(_PARTS):
        parser.error(f"parts are {', '.join(_PARTS)}")
    options.parts = options.parts or _PARTS
    return options


def _peers(text: str) -> tuple[str, ...]:
    """Parse names of peers; return those that are installed, and print how to install the others."""
    names = text.split(",")
    if not set(names) <= set(EXTRA):
        raise argparse.ArgumentTypeError(f"peers are {', '.join(EXTRA)}")
    for name in names:
        if not is_installed(name):
            print(f"left out: {name} is not installed; python -m pip install -r benchmarks/requirements-peers.txt")
    return tuple(filter(is_installed, names))


if __name__ == "__main__":
    main()
