"""Toy classes: a railway yard whose states are given, and a classifier that is trained, with their contracts."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.contracts import JUMPS, LEFT_OUT, ROBUST, Contract, Given, Where, judge_functions

SEED = "a seed"
NEEDED = {"in": (1, 0), "join": (0, 2)}  # wagons on the track and on the siding


class Yard:
    """Wagons on a track are moved onto a siding, and there coupled; a pair of wagons is a coupling."""

    def __init__(self, wagons: list[str]) -> None:
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


def start(student: Any, wagons: Any) -> Any:
    """Make a yard."""
    yard = student.Yard(wagons)
    return yard.track, yard.siding, yard.pairs, wagons


def move(student: Any, wagons: Any, siding: Any, orders: Any, has_another: Any) -> Any:
    """Take orders in a state, and look at the yard, or at another one."""
    yard = student.Yard(wagons)
    seen = student.Yard(wagons) if has_another else yard
    if siding:
        yard.siding = siding
    for order in orders:
        yard.move(order)
    return seen.track, seen.siding, seen.pairs, wagons


def run(student: Any, wagons: Any, orders: Any) -> Any:
    """Take orders at once."""
    yard = student.Yard(wagons)
    return yard.run(orders), yard.track, yard.siding, yard.pairs


def train_and_predict(student: Any, D: Any, C: Any, rate: Any, x: Any, y: Any, points: Any) -> Any:
    """Train a new classifier, and ask it."""
    made = student.Means(D, C, rate)
    made.train(x, y)
    return made.predict(points), made.means


def draw_wagons(rng: Any, count: int) -> list[str]:
    """Draw different words."""
    return [f"w{each}" for each in rng.choice(10**6, size=count, replace=False)]


def list_starts(rng: Any) -> Iterator[Given]:
    """List wagons of a few lengths."""
    for count in (3, 1, 7):
        yield Given([draw_wagons(rng, count)], f"for {count} wagons", "wagons")


def list_moves(rng: Any) -> Iterator[Given]:
    """List both orders in states of each length, several orders, and another yard."""
    for order, (track, siding) in NEEDED.items():
        for more in (2, 0, 1):
            words = draw_wagons(rng, track + siding + 2 * more)
            state = [words[: track + more], words[track + more :]]
            yield Given([*state, [order], False], [f"after {order} of {more} more", f"after {order}"], order)
    wagons = draw_wagons(rng, 4)
    orders = ["in", "in", "join", "in", "join"]
    yield Given([wagons, [], orders, False], ["after several orders"], "several")
    yield Given([wagons, [], orders, True], ["with another yard in use"], ROBUST)


def list_runs(rng: Any) -> Iterator[Given]:
    """List orders that are taken at once."""
    for orders in (["in", "in", "join", "in", "join"], [], ["in"]):
        yield Given([draw_wagons(rng, 4), orders], [f"for {len(orders)} orders"], "runs")


YARD = Contract(
    Yard,
    "wagons: any -> track, siding, pairs",
    driver=start,
    cases={"ordinary": list_starts, "everywhere": list_starts},
)
MOVE = Contract(
    Yard.move,
    "wagons: any, siding: any, orders: any, has_another: any -> track, siding, pairs",
    driver=move,
    cases={"ordinary": list_moves, "everywhere": list_moves},
    shares={"in": 2, "join": 3, "several": 1},
)
RUN = Contract(
    Yard.run,
    "wagons: any, orders: any -> returned, track, siding, pairs",
    driver=run,
    cases={"ordinary": list_runs, "everywhere": list_runs},
    shares={"returned": 3},
)
PREDICT = Contract(
    Means.predict,
    "D: int, C: int, rate: float (0, 1), x: (N, D), y: (N,) < C, points: (M, D) -> labels, means: (C, D)",
    driver=train_and_predict,
    cases=[Where(JUMPS, group=LEFT_OUT)],
)
CLASSES = (YARD, MOVE, RUN, PREDICT)


def change(base: type, **methods: Any) -> type:
    """Make a class with other methods."""
    return type(base.__name__, (base,), methods)


def judge(contract: Contract, made: type, purpose: str = "everywhere") -> tuple[float, str]:
    """Judge a class: the share that is earned, and the text of what is wrong."""
    share, failure = judge_functions(contract.derive(purpose, SEED), {made.__name__: made}.__getitem__)
    return round(share, 4), "" if failure is None else failure.what
