"""Hidden tests of descent: steps against the gradient, postprocessing after each, and a step that halves."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import leaderboard, number, tags, visibility, weight
from tests.hidden.draws import quartic

from autograder.authoring import Callback, Names, Student, checks
from reference import descent as reference


def run(student: Student, f: Callable[[Any], tuple[float, Any]], *arguments: Any) -> Any:
    """Call descend for the function f, with the step and all others in `arguments`."""
    calls: list[Callable[[Any], Any]] = []

    def watch(function: Callable[[Any], Any]) -> Callback:
        def call(x: Any) -> Any:
            calls.append(function)
            return function(x)

        return Callback(call, keywords=(("x",),))

    x = student.descent.descend(watch(f), *[watch(each) if callable(each) else each for each in arguments])
    checks.not_written(f not in calls, "it never calls f")
    student.observe([calls.count(each) for each in arguments if callable(each)])
    return x


def check_descend(
    student: Student, f: Callable[[Any], tuple[float, Any]], x0: Any, step: float, iterations: int, *arguments: Any
) -> None:
    """Compare the last x of descend with the right one."""
    got = run(student, f, x0, step, iterations, *arguments)
    neighbours = {"x after one step more": iterations + 1, "x after one step fewer": iterations - 1}
    also = {name: reference.descend(f, x0, step, number, *arguments) for name, number in neighbours.items()}
    checks.close("x", got, reference.descend(f, x0, step, iterations, *arguments), names=Names(also=also))


def constant_slope(x: Any) -> tuple[float, float]:
    """Return the constant cost 0 and the constant gradient 1."""
    return 0.0, 1.0


def longer(x: Any) -> Any:
    """Add 1 and double, in a new value."""
    return 2 * (x + 1)


@weight(1.25)
@number("2.1")
@visibility("visible")
@tags("descend")
def test_descend_number(student: Student) -> None:
    """descend: nine steps of a number"""
    run(student, quartic, -0.25, 0.1, 2)  # decides nothing of the next call
    check_descend(student, quartic, 0.5, 0.05, 9)


@weight(1.5)
@number("2.2")
@visibility("after_due_date")
@tags("descend")
def test_descend_array(student: Student) -> None:
    """descend: steps of arrays"""
    rng = np.random.default_rng(22)
    for shape, iterations in (((2, 3), 7), ((4,), 12), ((1,), 1)):
        check_descend(student, quartic, rng.normal(size=shape), 0.05, iterations)


@weight(1.25)
@number("2.3")
@visibility("visible")
@tags("descend")
@leaderboard("cost after three steps", "asc")
def test_descend_postprocessing_number(student: Student, set_leaderboard_value: Any = None) -> None:
    """descend: postprocessing of a number, which returns a new value"""
    run(student, quartic, 0.25, 0.05, 2, longer)  # decides nothing of the next call
    check_descend(student, quartic, -0.5, 0.1, 3, longer)
    set_leaderboard_value(round(quartic(reference.descend(quartic, -0.5, 0.1, 3))[0], 3))


@weight(1.25)
@number("2.4")
@visibility("after_due_date")
@tags("descend")
def test_descend_postprocessing_array(student: Student) -> None:
    """descend: postprocessing of an array, which returns a new array"""
    check_descend(student, quartic, np.random.default_rng(24).normal(size=(2, 3)), 0.05, 4, longer)


@weight(0.75)
@number("2.5")
@visibility("after_due_date")
@tags("descend")
def test_descend_halves_the_step(student: Student) -> None:
    """descend: the step halves every 50 iterations"""
    run(student, constant_slope, 0.0, 1.0, 1)
    for iterations in (50, 60, 120):
        check_descend(student, constant_slope, 0.0, 1.0, iterations)
