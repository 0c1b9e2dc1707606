"""Sandbox: measures the cost of its layers for a worker and for student code, as a table.

python -m benchmarks.sandbox [ROUNDS]

Every value is a median over rounds in which the rivals take turns, so that other load affects all of them. A worker
without layers is a bare fork of the zygote. Time of student code is its CPU time. The brackets hold the quartiles; the
same ratio for two workers without layers shows the noise.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np

from autograder.sandbox.host.client import Worker, Zygote
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.layers import Layer
from benchmarks.rounds import in_rounds

ROUNDS = 200
SETS, TURNS = 24, 7  # workers of student code, each with its own zygote, and rounds in each
Cost = tuple[float, float]  # wall ms, and CPU ms of the worker
ALL = frozenset(Layer) - {Layer.PROCESS}
OF_ZYGOTE = frozenset({*(layer for layer in Layer if "namespace" in layer.value), Layer.MOUNT_NAMESPACE})
# Layers entered by each worker; a filter and Landlock require "no new privileges" first.
ALONE = {
    layer: {layer, Layer.NO_NEW_PRIVILEGES} if layer in (Layer.LANDLOCK, Layer.SECCOMP) else {layer}
    for layer in Layer
    if layer not in OF_ZYGOTE | {Layer.PROCESS}
}
# KEPT shifts later objects in memory: an unlucky alignment in the allocator costs up to 7 percent.
STUDENT = """
import time
import numpy as np

KEPT = [(float(i), object(), (i,), [i], bytes(i % 300)) for i in range(SHIFT)]

def matrices():
    x = np.ones((250, 250))
    for _ in range(40):
        x = np.tanh(x @ x / 250)
    return x

def loop():
    total = 0
    for i in range(600_000):
        total += i % 7
    return total

def small_calls():
    x = np.arange(3.0)
    for _ in range(50_000):
        x.dot(x)

def large_arrays():
    return [np.zeros(2**17) + i for i in range(50)][-1]

def prints():
    for i in range(500):
        print(i, flush=True)

def seconds(name):
    started = time.thread_time()  # process time is counted in ticks only, under a limit of CPU time
    globals()[name]()
    return time.thread_time() - started
"""
FUNCTIONS = {
    "matrices": "numpy on matrices of 250 by 250",
    "loop": "a loop in Python",
    "small_calls": "50,000 small calls of numpy",
    "large_arrays": "50 arrays of 1 MiB, each from the system",
    "prints": "500 lines printed, a system call each",
}


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with Zygote() as inside, Zygote(without=OF_ZYGOTE) as outside:
        print("\n".join(of_workers(inside, outside, rounds)), end="\n\n", flush=True)
    print("\n".join(of_student_code()))


def of_workers(inside: Zygote, outside: Zygote, rounds: int) -> list[str]:
    """Measure a worker from the request to its end, with all layers, with none and with each layer alone."""
    rivals: dict[str, Callable[[], Cost]] = {
        "no layer": partial(_life, outside, ALL),
        "all layers": partial(_life, inside, frozenset()),
        "namespaces": partial(_life, inside, ALL),
        **{layer.value: partial(_life, outside, ALL - layers) for layer, layers in ALONE.items()},
    }
    costs = in_rounds(rivals, rounds)
    bare_ms, bare_cpu_ms = (statistics.median(each) for each in zip(*costs["no layer"], strict=True))
    lines = [f"A worker from the request to its end, {rounds} rounds, medians", ""]
    lines += ["| with | wall ms | more than with no layer | CPU ms | more |", "|---|---|---|---|---|"]
    for name, taken in costs.items():
        ms, cpu_ms = (statistics.median(each) for each in zip(*taken, strict=True))
        lines.append(f"| {name} | {ms:.2f} | {ms - bare_ms:+.2f} | {cpu_ms:.2f} | {cpu_ms - bare_cpu_ms:+.2f} |")
    quartile = statistics.quantiles([ms for ms, _ in costs["no layer"]], n=4)
    return [*lines, "", f"Half of the rounds with no layer took {quartile[0]:.2f} to {quartile[2]:.2f} ms."]


def of_student_code() -> list[str]:
    """Measure how much slower the same code is in a worker with all layers."""
    ratios: dict[str, list[float]] = {name: [] for name in FUNCTIONS}
    same: dict[str, list[float]] = {name: [] for name in FUNCTIONS}
    bare: dict[str, list[float]] = {name: [] for name in FUNCTIONS}
    shifts = np.random.default_rng(0)
    for _ in range(SETS):
        with ExitStack() as opened:
            layers = ((frozenset[Layer](), frozenset[Layer]()), (OF_ZYGOTE, ALL), (OF_ZYGOTE, ALL))
            timers = [_timer(opened, *each, shift=int(shifts.integers(1000))) for each in layers]
            for name in FUNCTIONS:
                turns = in_rounds({str(number): partial(timer, name) for number, timer in enumerate(timers)}, TURNS)
                full, none, again = (statistics.median(each) for each in turns.values())
                ratios[name].append(full / none)
                same[name].append(again / none)
                bare[name].append(none)
    lines = [f"Student code with all layers, a worker of each of {SETS} zygotes, {TURNS} rounds, ratios to none", ""]
    lines += ["| code | ms with none | ratio | two with none |", "|---|---|---|---|"]
    return lines + [
        f"| {what} | {statistics.median(bare[name]) * 1000:.1f} | {_spread(ratios[name])} | {_spread(same[name])} |"
        for name, what in FUNCTIONS.items()
    ]


def _spread(ratios: list[float]) -> str:
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def _life(zygote: Zygote, without: frozenset[Layer]) -> Cost:
    started = time.perf_counter()
    end = zygote.spawn(Limits(), preload=(), without=without).close()
    return (time.perf_counter() - started) * 1000, end.cpu_s * 1000


def _timer(
    opened: ExitStack, of_zygote: frozenset[Layer], of_worker: frozenset[Layer], *, shift: int
) -> Callable[[str], float]:
    zygote = opened.enter_context(Zygote(without=of_zygote))
    worker = zygote.spawn(Limits(cpu_s=600), preload=("time",), without=of_worker)
    opened.callback(worker.close)
    _ask(worker, messages.LOAD, {"student": ("student.py", STUDENT.replace("SHIFT", str(shift)), False)}, {}, False)
    _ask(worker, messages.IMPORT, "student")
    seconds = _ask(worker, messages.FIND, "student", "seconds")
    return lambda name: float(_ask(worker, messages.CALL, seconds, (name,)))


def _ask(worker: Worker, *request: object) -> Any:
    kind, *values = worker.connection.exchange(request, deadline=time.monotonic() + 60)
    if kind != messages.RETURNED:
        raise RuntimeError(f"a worker did not return: {kind} {values}")
    return values[0]


if __name__ == "__main__":
    main()
