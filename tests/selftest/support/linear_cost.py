"""Linear cost: compares the computing times of two sizes in one run; no time is compared with a written one."""

import time
from collections.abc import Callable

_FACTOR = 32
_ALLOWED = 8 * _FACTOR  # a linear cost grows by the factor, a quadratic one by its square; large blocks cost more each
_REPEATS = 5


def assert_linear(run: Callable[[int], object], size: int) -> None:
    """Fail if a size that is 32 times as large takes far more than 32 times as long."""
    small_s, large_s = measure_least(run, size), measure_least(run, _FACTOR * size)
    assert large_s < _ALLOWED * small_s, f"{large_s:.4f} s for {_FACTOR} times the size, after {small_s:.4f} s"


def measure_least(run: Callable[[int], object], size: int) -> float:
    """Measure the least computing time of some runs: what else runs on the machine adds to single ones only."""
    times = []
    for _ in range(_REPEATS):
        started = time.process_time()
        run(size)
        times.append(time.process_time() - started)
    return min(times)
