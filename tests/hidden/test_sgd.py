"""Hidden tests of sgd: steps along the gradient, postprocessing after each, and a step that halves."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Callback, Names, Student, checks, read_callback_source
from reference import sgd as reference
from tests.hidden import special_inputs as special


def run(student: Student, f: Callable[[Any], tuple[float, Any]], *arguments: Any) -> Any:
    """Call sgd for the function f, with the step and all others in `arguments`."""
    calls: list[Callable[[Any], Any]] = []

    def watch(function: Callable[[Any], Any]) -> Callback:
        def call(x: Any) -> Any:
            calls.append(function)
            return function(x)

        return Callback(call, keywords=(("x",),), source=read_callback_source(function))

    x = student.sgd.sgd(watch(f), *[watch(each) if callable(each) else each for each in arguments])
    checks.not_written(f not in calls, "it never calls f")
    student.observe([calls.count(each) for each in arguments if callable(each)])
    return x


def check_sgd(
    student: Student, f: Callable[[Any], tuple[float, Any]], x0: Any, step: float, iterations: int, *arguments: Any
) -> None:
    """Compare the last x of sgd with the right one."""
    got = run(student, f, x0, step, iterations, *arguments)
    neighbours = {"x after one step more": iterations + 1, "x after one step fewer": iterations - 1}
    also = {name: reference.sgd(f, x0, step, number, *arguments) for name, number in neighbours.items()}
    checks.close("x", got, reference.sgd(f, x0, step, iterations, *arguments), names=Names(also=also))


def quartic(x: Any) -> tuple[float, Any]:
    """Return the sum of x^4 / 4 + x over the entries, and its gradient."""
    x = np.asarray(x, dtype=np.float64)
    gradient = x**3 + 1
    return float((x**4 / 4 + x).sum()), gradient if x.ndim else float(gradient)


def bounded(x: Any) -> tuple[float, Any]:
    """Return the sum of sqrt(1 + (x - 1)^2) over the entries, and its gradient."""
    x = np.asarray(x, dtype=np.float64)
    root = np.sqrt(1 + (x - 1) ** 2)
    gradient = (x - 1) / root
    return float(root.sum()), gradient if x.ndim else float(gradient)


def row_quadratic(x: Any) -> tuple[float, Any]:
    """Return a quadratic function of a matrix that couples the entries of each row, and its gradient."""
    x = np.asarray(x, dtype=np.float64)
    weights = np.arange(1.0, x.shape[1] + 1)  # (D,)
    row_sums = x @ weights  # (N,)
    return float((row_sums**2).sum() / 2), np.outer(row_sums, weights) + 0.5


def constant_slope(x: Any) -> tuple[float, float]:
    """Return the constant cost 0 and the constant gradient 1."""
    return 0.0, 1.0


def longer(x: Any) -> Any:
    """Add 1 and double, in a new value."""
    return 2 * (x + 1)


def unit_rows(x: Any) -> Any:
    """Scale the rows to length 1, in a new array."""
    x = np.asarray(x, dtype=np.float64)
    return x / np.sqrt((x**2).sum(axis=1, keepdims=True))


@weight(1.25)
@number("2.1")
@visibility("visible")
@tags("sgd")
def test_sgd_number(student: Student) -> None:
    """sgd: nine steps of a number"""
    run(student, quartic, -0.25, 0.1, 2)  # decides nothing of the next call
    check_sgd(student, quartic, 0.5, 0.05, 9)


@weight(1.5)
@number("2.2")
@visibility("after_due_date")
@tags("sgd")
def test_sgd_array(student: Student) -> None:
    """sgd: steps of numbers and arrays, one argument changed at a time"""
    rng = np.random.default_rng(22)
    check_sgd(student, row_quadratic, rng.normal(size=(2, 3)), 0.02, 7)
    check_sgd(student, row_quadratic, rng.normal(size=(3, 3)), 0.03, 1)
    check_sgd(student, quartic, rng.normal(size=4), 0.1, 25)
    for shape in [(1,), (2, 1, 2)]:
        check_sgd(student, quartic, rng.normal(size=shape), 0.1, 2)
    for x0 in (0.0, 1.0, 2.0, -8.0):
        check_sgd(student, bounded, x0, 0.1, 3)
    x0 = rng.normal(size=(4, 2))
    starts = special.make_special((4, 2), 220, integers=False)
    for f, start, step, iterations in special.vary(
        (bounded, x0, 0.1, 3), {0: [quartic], 1: starts, 2: (0.01, 1.0), 3: (1, 2, 12)}
    ):
        check_sgd(student, f, start, step, iterations)


@weight(1.25)
@number("2.3")
@visibility("visible")
@tags("sgd")
def test_sgd_postprocessing_number(student: Student) -> None:
    """sgd: postprocessing of a number, which returns a new value"""
    run(student, quartic, 0.25, 0.05, 2, longer)  # decides nothing of the next call
    check_sgd(student, quartic, -0.5, 0.1, 3, longer)


@weight(1.25)
@number("2.4")
@visibility("after_due_date")
@tags("sgd")
def test_sgd_postprocessing_array(student: Student) -> None:
    """sgd: postprocessing of an array, which returns a new array"""
    for seed, shape in enumerate([(2, 3), (4, 4)], start=24):
        check_sgd(student, row_quadratic, np.random.default_rng(seed).normal(size=shape), 0.05, 5, unit_rows)
    x0 = np.random.default_rng(26).normal(size=(2, 3))
    for postprocessing in (unit_rows, longer, None):
        check_sgd(student, row_quadratic, x0, 0.05, 5, postprocessing)


@weight(0.75)
@number("2.5")
@visibility("after_due_date")
@tags("sgd")
def test_sgd_halves_the_step(student: Student) -> None:
    """sgd: the step halves every 20000 iterations"""
    # The gradient is always 1, so x shows the sum of the steps: 20000 of size 1 and 10 of size 0.5. Halving one
    # iteration earlier or later, which is accepted, moves x by at most 1; no halving moves it by 5.
    run(student, constant_slope, 0.0, 1.0, 1)  # unchanged starter code ends here
    runs = [
        (20010, -20005.0, "20000 whole steps and 10 half steps"),
        (20000, -20000.0, "20000 whole steps"),
        (40020, -30005.0, "20000 whole steps, 20000 half steps and 20 quarter steps"),
    ]
    slope = student.constant((0.0, 1.0))
    got = student.sgd.sgd.each([(slope, 0.0, 1.0, iterations) for iterations, _, _ in runs])
    for (iterations, right, steps), x in zip(runs, got, strict=True):
        require_steps(checks.scalar("x", x), right, iterations, steps)


@checks.reads_replies
def require_steps(x: float, right: float, iterations: int, steps: str) -> None:
    """Require that x is near the sum of the steps."""
    checks.require(
        abs(x - right) < 1.1,
        f"x after {iterations} iterations with gradient 1 and step 1",
        steps,
        f"x = {x}",
        hint="The step halves every 20000 iterations.",
    )
