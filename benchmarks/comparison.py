"""Comparison: turns the costs of rivals into values, ratios to one of them, and a table for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.processes import Cost
from benchmarks.rounds import Estimate, estimate, ratios


@dataclass(frozen=True)
class Measure:
    """One quantity: the values of all rounds for each rival; `digits`: after the decimal point."""

    title: str
    digits: int
    values: Mapping[str, Sequence[float]]

    def value(self, name: str) -> float:
        """The median over the rounds."""
        return estimate(self.values[name]).middle

    def ratio(self, name: str, base: str) -> Estimate:
        """The median of the ratios within the rounds."""
        return estimate(ratios(self.values[name], self.values[base]))


@dataclass(frozen=True)
class Comparison:
    """Rivals in display order, measured together; `base`: the rival that all are compared with."""

    title: str
    base: str
    ours: str
    measures: Sequence[Measure]

    @property
    def names(self) -> list[str]:
        """The rivals."""
        return list(self.measures[0].values)


def wall(costs: Mapping[str, Sequence[Cost]]) -> Measure:
    """Wall time."""
    return Measure("wall s", 2, {name: [cost.wall_s for cost in each] for name, each in costs.items()})


def cpu(costs: Mapping[str, Sequence[Cost]]) -> Measure:
    """CPU time of all processors together."""
    return Measure("CPU s", 2, {name: [cost.cpu_s for cost in each] for name, each in costs.items()})


def milliseconds(measure: Measure) -> Measure:
    """Convert a measure to milliseconds."""
    values = {name: [value * 1000 for value in each] for name, each in measure.values.items()}
    return Measure(measure.title.removesuffix(" s") + " ms", 0, values)


def table(of: Comparison) -> str:
    """Render a table of medians; the brackets hold the 95 % interval of a ratio."""
    head = "".join(f"{measure.title:>9}{'ratio':>7}{'':>14}" for measure in of.measures)
    lines = [f"{of.title + '; ratios to ' + of.base}", f"{'':24}{head}".rstrip()]
    for name in of.names:
        cells = "".join(_cell(measure, name, of.base) for measure in of.measures)
        lines.append(f"{name:24}{cells}".rstrip())
    return "\n".join(lines)


def _cell(measure: Measure, name: str, base: str) -> str:
    ratio = measure.ratio(name, base)
    spread = "" if name == base else f" ({ratio.low:.2f}-{ratio.high:.2f})"
    return f"{measure.value(name):9.{measure.digits}f}{ratio.middle:7.2f}{spread:14}"
