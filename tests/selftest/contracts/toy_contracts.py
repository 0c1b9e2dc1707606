"""Toy contracts: functions of a few lines with a dict, a cache, labels, lists and defaults, and their contracts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograder.contracts import Contract, judge_functions

Array = Any
SEED = "a seed"


def blend(x: Array, y: Array, rate: float = 0.5) -> tuple[Array, Array]:
    """Return the average of two arrays, and their difference."""
    return rate * x + (1 - rate) * y, x - y


def pick_loss(scores: Array, labels: Array) -> tuple[float, Array]:
    """Return the mean of log sum exp(scores) - scores[label], and its gradient."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    sums = np.exp(shifted).sum(axis=1, keepdims=True)
    rows = np.arange(len(scores))
    grad = np.exp(shifted) / sums
    grad[rows, labels] -= 1
    return float((np.log(sums[:, 0]) - shifted[rows, labels]).mean()), grad / len(scores)


def scale_rows(x: Array, options: dict[str, Any]) -> Array:
    """Center the columns of x; in training the running mean is updated."""
    if options["mode"] == "train":
        mean = x.mean(axis=0)
        options["running"] = options.get("momentum", 0.9) * options["running"] + 0.1 * mean
        return x - mean
    return x - options["running"]


def multiply(x: Array, w: Array) -> tuple[Array, Any]:
    """Return x w, and what the backward pass needs."""
    return x @ w, (x, w)


def multiply_backward(dout: Array, cache: Any) -> tuple[Array, Array]:
    """Return the gradients of x and w."""
    x, w = cache
    return dout @ w.T, x.T @ dout


def stack_layers(weights: list[Array], x: Array) -> Array:
    """Multiply with one matrix after another."""
    for weight in weights:
        x = weight @ x
    return x


def step(params: dict[str, Array], rate: float) -> tuple[float, dict[str, Array]]:
    """Return the sum of all squares, and smaller parameters."""
    smaller = {name: value - rate * value for name, value in params.items()}
    return float(sum((value**2).sum() for value in params.values())), smaller


BLEND = Contract(
    blend, "x: (N, D), y: (N, D), rate: float [0, 1] = 0.5 -> mean: (N, D), difference: (N, D)", keeps_arguments=True
)
PICK = Contract(
    pick_loss,
    "scores: (N, C), labels: (N,) < C -> loss: float, grad: (N, C) where C >= 2",
    gradient={"grad": "scores"},
    stable=["scores"],
)
SCALE = Contract(
    scale_rows, "x: (N, D), options: {mode: 'train' | 'test', running: (D,), momentum: 0.9 | 0.5 = absent} -> out"
)
MULTIPLY = Contract(multiply, "x: (N, D), w: (D, M) -> out: (N, M), cache")


def multiply_and_back(student: Any, x: Array, w: Array, dout: Array) -> Any:
    """Give the backward pass what the forward pass left to it."""
    _out, cache = student.multiply(x, w)
    return student.multiply_backward(dout, cache)


BACKWARD = Contract(
    multiply_backward, "x: (N, D), w: (D, M), dout: (N, M) -> dx: (N, D), dw: (D, M)", driver=multiply_and_back
)
LAYERS = Contract(stack_layers, "weights: [(D[k+1], D[k])], x: (D[0],) -> out: (D[-1],)")
STEP = Contract(step, "params: {w: (N, D), b: (D,)}, rate: float [0, 1] -> size: float, smaller: {w: (N, D), b: (D,)}")
ALL = [STEP, BLEND, PICK, SCALE, MULTIPLY, BACKWARD, LAYERS]


def judge(contract: Contract, purpose: str = "everywhere", **functions: Any) -> tuple[float, str]:
    """Judge functions beside the right ones: the share that is earned, and the text of what is wrong."""
    own = {each.name: each.reference for each in ALL} | {contract.name: contract.reference} | functions
    share, failure = judge_functions(contract.derive(purpose, SEED), own.__getitem__)
    return round(share, 4), "" if failure is None else failure.what


def list_shares(compute: Callable[[list[dict[str, bool]]], Mapping[str, float]], count: int) -> list[float]:
    """List what each set of right parts of some cases earns, from none to all; more right parts never earn less."""
    shares: dict[tuple[bool, ...], float] = {}
    for chosen in itertools.product([False, True], repeat=2 * count):
        shares[chosen] = sum(
            compute([dict(zip("ab", chosen[k : k + 2], strict=True)) for k in range(0, 2 * count, 2)]).values()
        )
    for chosen, share in shares.items():
        more = [(*chosen[:k], True, *chosen[k + 1 :]) for k in range(len(chosen))]
        assert all(shares[each] >= share - 1e-12 for each in more)
    return list(shares.values())
