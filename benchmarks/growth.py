"""Growth: measures `regress` as a class grows: time should grow linearly, and memory should not grow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.classes import REGRESS, class_of


@dataclass(frozen=True)
class Line:
    """A straight line through points; `farthest`: largest relative distance of a point from it."""

    slope: float
    start: float
    farthest: float


@dataclass(frozen=True)
class Growth:
    """The cost by the number of submissions."""

    wall_s: Mapping[int, float]
    cpu_s: Mapping[int, float]
    memory_mib: Mapping[int, float]


def line(points: Mapping[int, float]) -> Line:
    """Fit a line by least squares."""
    sizes, values = np.array(list(points), float), np.array(list(points.values()))
    slope, start = np.polyfit(sizes, values, 1)
    farthest = float(np.max(np.abs(slope * sizes + start - values) / values))
    return Line(float(slope), float(start), farthest)


def growth(sizes: Sequence[int], *, jobs: int, environment: Mapping[str, str], only: Sequence[str] = ()) -> Growth:
    """Measure classes of these sizes, one after another; `only`: the questions to grade, or all."""
    costs, memory = {}, {}
    for size in sizes:
        with class_of(size, jobs=jobs, environment=environment, only=only) as made:
            costs[size], memory[size] = made.cost(REGRESS), made.memory_mib(REGRESS)
    wall_s, cpu_s = ({size: getattr(cost, name) for size, cost in costs.items()} for name in ("wall_s", "cpu_s"))
    return Growth(wall_s, cpu_s, memory)


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
