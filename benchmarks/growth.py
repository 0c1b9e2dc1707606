"""Growth: measures `regress` as a class grows: time should grow linearly, and memory should not grow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

import numpy as np

from benchmarks.classes import REGRESS, Class, class_of
from benchmarks.processes import Cost
from benchmarks.rounds import in_rounds


@dataclass(frozen=True)
class Line:
    """A straight line through points; `farthest`: largest relative distance of a point from it."""

    slope: float
    start: float
    farthest: float


@dataclass(frozen=True)
class Growth:
    """Medians by the number of submissions."""

    wall_s: Mapping[int, float]
    cpu_s: Mapping[int, float]
    memory_mib: Mapping[int, float]


def line(points: Mapping[int, float]) -> Line:
    """Fit a line by least squares."""
    sizes, values = np.array(list(points), float), np.array(list(points.values()))
    slope, start = np.polyfit(sizes, values, 1)
    farthest = float(np.max(np.abs(slope * sizes + start - values) / values))
    return Line(float(slope), float(start), farthest)


def growth(
    sizes: Sequence[int], rounds: int, *, jobs: int, environment: Mapping[str, str], only: Sequence[str] = ()
) -> Growth:
    """Measure classes of these sizes, one after another in each round; `only`: the questions to grade, or all."""
    with ExitStack() as opened:
        made = {size: class_of(size, jobs=jobs, environment=environment, only=only) for size in sizes}
        classes = {size: opened.enter_context(each) for size, each in made.items()}
        costs = in_rounds({str(size): _grading(each) for size, each in classes.items()}, rounds, uncounted=0)
        memory = {size: each.memory_mib(REGRESS) for size, each in classes.items()}
    wall_s = {size: median(cost.wall_s for cost in costs[str(size)]) for size in sizes}
    cpu_s = {size: median(cost.cpu_s for cost in costs[str(size)]) for size in sizes}
    return Growth(wall_s, cpu_s, memory)


def _grading(each: Class) -> Callable[[], Cost]:
    return lambda: each.cost(REGRESS)


def table(of: Growth) -> str:
    """Render the cost of each size, and the lines through the costs."""
    lines = [
        "A class that grows, graded by run_autograder regress",
        f"{'submissions':24}{'wall s':>9}{'CPU s':>9}{'MiB':>9}",
    ]
    for size, wall_s in of.wall_s.items():
        lines.append(f"{size:<24}{wall_s:9.2f}{of.cpu_s[size]:9.2f}{of.memory_mib[size]:9.0f}")
    wall, cpu, memory = line(of.wall_s), line(of.cpu_s), line(of.memory_mib)
    lines.append(f"{'one more':24}{wall.slope:9.3f}{cpu.slope:9.3f}{memory.slope:9.2f}")
    lines.append(f"{'none':24}{wall.start:9.2f}{cpu.start:9.2f}{memory.start:9.0f}")
    lines.append(f"{'farthest from the line':24}{wall.farthest:9.1%}{cpu.farthest:9.1%}{memory.farthest:9.1%}")
    return "\n".join(lines)
