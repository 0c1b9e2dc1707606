"""Toy classes: a railway yard with states and moves, a classifier that is trained, and their contracts."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.contracts import Action, ObjectContract, Repeated, judge_functions

SEED = "a seed"


class Yard:
    """Wagons on a track are moved onto a siding, and there coupled; a pair of wagons is a coupling."""

    def __init__(self, wagons: list[str]) -> None:
        self.wagons = wagons
        self.track = list(wagons)
        self.siding: list[str] = []
        self.pairs: list[tuple[str, str]] = []

    def move(self, order: str) -> None:
        """Take an order: "in" takes the first wagon of the track, "join" couples the last two of the siding."""
        if order == "in":
            self.siding.append(self.track.pop(0))
        else:
            last = self.siding.pop()
            self.pairs.append((self.siding[-1], last))

    def run(self, orders: list[str]) -> list[tuple[str, str]]:
        """Take several orders."""
        for order in orders:
            self.move(order)
        return self.pairs


def list_orders(yard: Any) -> list[str]:
    """List the legal orders."""
    return ["in"] * bool(yard.track) + ["join"] * (len(yard.siding) > 1)


class Means:
    """A classifier by the nearest mean, which moves with each row of its class."""

    def __init__(self, D: int, C: int, rate: float) -> None:
        self.rate = rate
        self.means = np.zeros((C, D))
        self.seen = 0

    def train(self, x: Any, y: Any) -> None:
        """Move the means."""
        for row, label in zip(x, y, strict=True):
            self.means[label] += self.rate * (row - self.means[label])
        self.seen += len(x)

    def predict(self, points: Any) -> Any:
        """Return the number of the nearest mean for each point."""
        return ((points[:, None] - self.means) ** 2).sum(axis=2).argmin(axis=1)


YARD = ObjectContract(
    Yard,
    start="wagons: [str]",
    state=("track", "siding", "pairs"),
    kept=("wagons",),
    actions={"move": list_orders, "run": Repeated("move", returns="pairs")},
    unordered={"pairs": ("first", "second")},
    shares={"in": 1, "join": 3},
)
MEANS = ObjectContract(
    Means,
    start="D: int, C: int, rate: float (0, 1)",
    state=("means", "seen"),
    actions={
        "train": Action("x: (N, D), y: (N,) < C"),
        "predict": Action("points: (M, D)", when=lambda model: model.seen > 0),
    },
)


def judge(row: Any, made: type, purpose: str = "everywhere") -> tuple[float, str]:
    """Judge a class: the share that is earned, and the text of what is wrong."""
    share, failure = judge_functions(getattr(row, purpose)().derive(SEED), lambda _name: made)
    return round(share, 4), "" if failure is None else failure.what
