"""Hidden tests of adam: single steps of momentum and of Adam in both forms."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Names, Student, checks
from reference import adam as reference
from tests.hidden import special_inputs as special

MOMENTUM = ("theta", "m")
ADAM = ("theta", "m", "v")
SHAPES = [(3,), (2, 4), (3, 3), (2, 1, 3)]
LENGTHS = [(12,), (1,), (12, 1), (1, 12)]


def make_state(seed: int, shape: tuple[int, ...], *, scale: float = 1.0) -> list[np.ndarray]:
    """Draw theta, grad, m and v; grad and m have the size `scale`, and theta is small enough to show the steps."""
    rng = np.random.default_rng(seed)
    theta, grad, m = (rng.normal(size=shape) for _ in range(3))
    v = rng.uniform(0.2, 2, size=shape)
    return [np.asarray(array) for array in (theta * 0.1, grad * scale, m * scale, v * scale**2)]


def name_right(name: str, arguments: Sequence[Any]) -> dict[str, Any]:
    """Name the right values of a step."""
    return dict(zip(get_returned(name), getattr(reference, name)(*arguments), strict=True))


def get_returned(name: str) -> tuple[str, ...]:
    """Return the names of the values that a step returns, in their order."""
    return MOMENTUM if name == "momentum_step" else ADAM


def check_step(student: Student, name: str, *arguments: Any, only: Sequence[str] = ADAM) -> None:
    """Compare the values that one step returns, or `only` some of them, with the right ones, whatever their order."""
    expected = name_right(name, arguments)
    got = checks.take_parts(name, getattr(student.adam, name)(*arguments), expected)
    before = dict(zip(("theta", "grad", "m", "v"), arguments, strict=False))
    for what, right in expected.items():
        also = {f"{what} as it was passed in": before[what]}
        if what == "theta":
            also["theta after a step in the other direction"] = 2 * before[what] - right
        if what in only:
            checks.close(what, got[what], right, names=Names(also=also))


def check_order(student: Student, name: str, *arguments: Any) -> None:
    """Check the order of the values that one step returns."""
    checks.require_order(name, getattr(student.adam, name)(*arguments), name_right(name, arguments))


def check_arguments_stay(student: Student, name: str, arguments: Sequence[Any], names: Sequence[str]) -> None:
    """Require that a function which computes something, right or wrong, leaves its arguments as they are."""
    returned = get_returned(name)
    function, before = getattr(student.adam, name), dict(zip(names, arguments, strict=False))
    value, after = function.with_arguments(*arguments)
    other = function(*(2 * before[each] + 1 for each in names), *arguments[len(names) :])
    values = [checks.parts(name, each, returned) for each in (value, other)]
    special.require_work(name, {part: before[part] for part in returned}, *values)
    for what, left in zip(names, after, strict=False):
        checks.unchanged(what, before[what], left)


def check_lengths(student: Student, name: str, seed: int, *constants: float, only: Sequence[str] = ADAM) -> None:
    """Check a step of arrays with long and short axes."""
    for shape in LENGTHS:
        check_step(student, name, *make_state(seed, shape)[: len(get_returned(name)) + 1], *constants, only=only)


def check_changes(
    student: Student, name: str, seed: int, constants: Sequence[tuple[float, ...]], *, only: Sequence[str] = ADAM
) -> None:
    """Check steps that differ from each other in one argument; `constants`: the values of each constant."""
    state = make_state(seed, (2, 3))[: len(get_returned(name)) + 1]
    values: dict[int, Sequence[Any]] = {
        position: special.make_special((2, 3), seed + position, integers=False) for position in range(3)
    }
    if name != "momentum_step":
        values[3] = [value**2 for value in special.make_special((2, 3), seed + 3, integers=False)]
    values |= dict(enumerate(constants, start=len(state)))
    check_calls(student, name, special.vary((*state, *(several[0] for several in constants)), values), only)


def check_calls(student: Student, name: str, calls: Sequence[Sequence[Any]], only: Sequence[str]) -> None:
    """Compare `only` some values of each step with the right ones, whatever their order."""
    for arguments, value in zip(calls, getattr(student.adam, name).each(calls), strict=True):
        expected = name_right(name, arguments)
        got = checks.take_parts(name, value, expected)
        for what in expected:
            if what in only:
                special.compare(what, got[what], expected[what])


def check_whole_numbers(student: Student, name: str, seed: int, *constants: float) -> None:
    """Check steps of integer arrays, in one argument at a time and in all."""
    state = make_state(seed, (2, 3))[: len(get_returned(name)) + 1]
    whole = [np.random.default_rng(seed).integers(1, 5, size=array.shape) for array in state]
    calls = special.vary((*state, *constants), {position: [array] for position, array in enumerate(whole)})
    check_calls(student, name, [*calls, (*whole, *constants)], ADAM)


def check_momentum_shapes(student: Student, only: str) -> None:
    """Check one value of momentum_step at other shapes and constants."""
    check_lengths(student, "momentum_step", 420, 0.1, only=[only])
    check_changes(student, "momentum_step", 421, [(0.1, 1.0, 0.01), (0.9, 0.0, 0.5, 0.99)], only=[only])
    for shape, beta1, learning_rate in zip(SHAPES, (0.5, 0.99, 0.0, 0.7), (1.0, 0.01, 0.3, 0.5), strict=True):
        theta, grad, m, _ = make_state(42, shape)
        check_step(student, "momentum_step", theta, grad, m, learning_rate, beta1, only=[only])


def check_adam_shapes(student: Student, only: str) -> None:
    """Check one value of adam_step at other shapes and constants."""
    constants = [(0.1, 1.0, 0.01), (0.9, 0.0, 0.5, 0.99), (0.999, 0.0, 0.5, 0.9)]
    check_changes(student, "adam_step", 451, constants, only=[only])
    for shape, beta1, beta2 in zip(SHAPES, (0.5, 0.99, 0.0, 0.7), (0.9, 0.99, 0.5, 0.95), strict=True):
        check_step(student, "adam_step", *make_state(45, shape), 0.05, beta1, beta2, only=[only])
    check_lengths(student, "adam_step", 450, 0.1, 0.5, only=[only])  # beta1 alone


def check_corrected_first_steps(student: Student, only: str) -> None:
    """Check one value of adam_step_corrected in the first step and in the fourth."""
    theta, grad, m, v = make_state(49, (2, 3))
    check_step(student, "adam_step_corrected", theta, grad, 0 * m, 0 * v, 1, 0.1, only=[only])
    check_step(student, "adam_step_corrected", theta, grad, m, v, 4, 0.1, only=[only])


def check_corrected_theta(student: Student, *arguments: Any) -> None:
    """Check theta after adam_step_corrected."""
    check_step(student, "adam_step_corrected", *arguments, only=["theta"])


def check_corrected_shapes(student: Student, only: str) -> None:
    """Check one value of adam_step_corrected at other shapes, steps and constants."""
    constants = [(2, 1, 5, 50, 20000), (0.1, 1.0, 0.01), (0.9, 0.0, 0.5, 0.99), (0.999, 0.0, 0.5, 0.9)]
    check_changes(student, "adam_step_corrected", 414, constants, only=[only])
    several = zip(SHAPES, (1, 2, 10, 1000), (0.5, 0.99, 0.0, 0.7), (0.9, 0.99, 0.5, 0.95), strict=True)
    for shape, t, beta1, beta2 in several:
        check_step(student, "adam_step_corrected", *make_state(410, shape), t, 0.05, beta1, beta2, only=[only])
    check_lengths(student, "adam_step_corrected", 413, 2, 0.1, 0.5, only=[only])  # beta1 alone
    if only != "theta":  # which has a check of its own
        for eps in (0.1, 0.5):
            check_step(student, "adam_step_corrected", *make_state(411, (2, 3)), 3, 0.1, 0.9, 0.99, eps, only=[only])


@weight(0.85)
@number("4.1")
@visibility("visible")
@tags("momentum_step")
def test_momentum_step_theta(student: Student) -> None:
    """momentum_step: theta, a matrix"""
    theta, grad, m, _ = make_state(41, (2, 3))
    check_step(student, "momentum_step", theta, grad, m, 0.1, only=["theta"])


@weight(0.15)
@number("4.2")
@visibility("visible")
@tags("momentum_step")
def test_momentum_step_m(student: Student) -> None:
    """momentum_step: m, a matrix"""
    theta, grad, m, _ = make_state(41, (2, 3))
    check_step(student, "momentum_step", theta, grad, m, 0.1, only=["m"])


@weight(0.25)
@number("4.3")
@visibility("visible")
@tags("momentum_step")
def test_momentum_step_order(student: Student) -> None:
    """momentum_step: the order of theta and m"""
    theta, grad, m, _ = make_state(41, (2, 3))
    check_order(student, "momentum_step", theta, grad, m, 0.1)


@weight(1.15)
@number("4.4")
@visibility("after_due_date")
@tags("momentum_step")
def test_momentum_step_shapes_theta(student: Student) -> None:
    """momentum_step: theta, other shapes and constants, one argument changed at a time"""
    check_momentum_shapes(student, "theta")


@weight(0.2)
@number("4.5")
@visibility("after_due_date")
@tags("momentum_step")
def test_momentum_step_shapes_m(student: Student) -> None:
    """momentum_step: m, other shapes and constants, one argument changed at a time"""
    check_momentum_shapes(student, "m")


@weight(0.25)
@number("4.6")
@visibility("after_due_date")
@tags("momentum_step")
def test_momentum_step_single(student: Student) -> None:
    """momentum_step: a single parameter, an array without axes; whole numbers"""
    check_step(student, "momentum_step", *make_state(43, ())[:3], 0.1, 0.9)
    check_whole_numbers(student, "momentum_step", 430, 0.1)


@weight(0.15)
@number("4.7")
@visibility("after_due_date")
@tags("momentum_step")
def test_momentum_step_keeps_its_arguments(student: Student) -> None:
    """momentum_step: the arguments are not changed"""
    check_arguments_stay(student, "momentum_step", [*make_state(43, (2, 3))[:3], 0.1], ("theta", "grad", "m"))


@weight(1)
@number("4.8")
@visibility("visible")
@tags("adam_step")
def test_adam_step_theta(student: Student) -> None:
    """adam_step: theta, a matrix"""
    check_step(student, "adam_step", *make_state(44, (2, 3)), 0.1, only=["theta"])


@weight(0.1)
@number("4.9")
@visibility("visible")
@tags("adam_step")
def test_adam_step_m(student: Student) -> None:
    """adam_step: m, a matrix"""
    check_step(student, "adam_step", *make_state(44, (2, 3)), 0.1, only=["m"])


@weight(0.1)
@number("4.10")
@visibility("visible")
@tags("adam_step")
def test_adam_step_v(student: Student) -> None:
    """adam_step: v, a matrix"""
    check_step(student, "adam_step", *make_state(44, (2, 3)), 0.1, only=["v"])


@weight(0.25)
@number("4.11")
@visibility("visible")
@tags("adam_step")
def test_adam_step_order(student: Student) -> None:
    """adam_step: the order of theta, m and v"""
    check_order(student, "adam_step", *make_state(44, (2, 3)), 0.1)


@weight(1.3)
@number("4.12")
@visibility("after_due_date")
@tags("adam_step")
def test_adam_step_shapes_theta(student: Student) -> None:
    """adam_step: theta, other shapes and constants, one argument changed at a time"""
    check_adam_shapes(student, "theta")


@weight(0.15)
@number("4.13")
@visibility("after_due_date")
@tags("adam_step")
def test_adam_step_shapes_m(student: Student) -> None:
    """adam_step: m, other shapes and constants, one argument changed at a time"""
    check_adam_shapes(student, "m")


@weight(0.15)
@number("4.14")
@visibility("after_due_date")
@tags("adam_step")
def test_adam_step_shapes_v(student: Student) -> None:
    """adam_step: v, other shapes and constants, one argument changed at a time"""
    check_adam_shapes(student, "v")


@weight(0.5)
@number("4.15")
@visibility("after_due_date")
@tags("adam_step")
def test_adam_step_small_gradients(student: Student) -> None:
    """adam_step: theta at small gradients"""
    for scale in (1e-4, 1e-7):
        check_step(student, "adam_step", *make_state(46, (3, 2), scale=scale), 0.1, 0.9, 0.999, only=["theta"])


@weight(0.25)
@number("4.16")
@visibility("after_due_date")
@tags("adam_step")
def test_adam_step_edges(student: Student) -> None:
    """adam_step: a parameter whose v is 0 stays where it is; a single parameter; whole numbers"""
    theta, grad, m, v = (
        np.array([[1.0, -2.0, 3.0]]),
        np.array([[0.0, 0.5, 0.0]]),
        np.array([[0.25, 0.5, 0.0]]),
        np.zeros((1, 3)),
    )
    check_step(student, "adam_step", theta, grad, m, v, 0.1, 0.9, 0.999)
    check_step(student, "adam_step", *make_state(47, ()), 0.1, 0.9, 0.999)
    for v in (0.0, 1.0, 0.5, 20.0):
        check_step(student, "adam_step", *make_state(470, ())[:3], np.array(v), 0.1)
    check_whole_numbers(student, "adam_step", 471, 0.1)


@weight(0.2)
@number("4.17")
@visibility("after_due_date")
@tags("adam_step")
def test_adam_step_keeps_its_arguments(student: Student) -> None:
    """adam_step: the arguments are not changed"""
    check_arguments_stay(student, "adam_step", [*make_state(48, (2, 3)), 0.1], ("theta", "grad", "m", "v"))


@weight(1.25)
@number("4.18")
@visibility("visible")
@tags("adam_step_corrected")
def test_adam_step_corrected_theta(student: Student) -> None:
    """adam_step_corrected: theta, the first step and the fourth"""
    check_corrected_first_steps(student, "theta")


@weight(0.15)
@number("4.19")
@visibility("visible")
@tags("adam_step_corrected")
def test_adam_step_corrected_m(student: Student) -> None:
    """adam_step_corrected: m, the first step and the fourth"""
    check_corrected_first_steps(student, "m")


@weight(0.15)
@number("4.20")
@visibility("visible")
@tags("adam_step_corrected")
def test_adam_step_corrected_v(student: Student) -> None:
    """adam_step_corrected: v, the first step and the fourth"""
    check_corrected_first_steps(student, "v")


@weight(0.25)
@number("4.21")
@visibility("visible")
@tags("adam_step_corrected")
def test_adam_step_corrected_order(student: Student) -> None:
    """adam_step_corrected: the order of theta, m and v"""
    check_order(student, "adam_step_corrected", *make_state(49, (2, 3)), 4, 0.1)


@weight(1.1)
@number("4.22")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_shapes_theta(student: Student) -> None:
    """adam_step_corrected: theta, other shapes, steps and constants, one argument changed at a time"""
    check_corrected_shapes(student, "theta")


@weight(0.2)
@number("4.23")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_shapes_m(student: Student) -> None:
    """adam_step_corrected: m, other shapes, steps and constants, one argument changed at a time"""
    check_corrected_shapes(student, "m")


@weight(0.2)
@number("4.24")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_shapes_v(student: Student) -> None:
    """adam_step_corrected: v, other shapes, steps and constants, one argument changed at a time"""
    check_corrected_shapes(student, "v")


@weight(1.25)
@number("4.25")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_epsilon(student: Student) -> None:
    """adam_step_corrected: theta at a large epsilon, and at small gradients"""
    for t, eps in [(1, 0.1), (3, 0.5), (7, 1e-3), (2, 1e-8), (2, 0.2)]:
        check_corrected_theta(student, *make_state(411, (2, 3)), t, 0.1, 0.9, 0.99, eps)
    small = make_state(411, (2, 3), scale=1e-7)
    check_corrected_theta(student, *small, 2, 0.1, 0.9, 0.999, 1e-8)
    check_corrected_theta(student, *small, 2, 0.1)


@weight(0.25)
@number("4.26")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_single(student: Student) -> None:
    """adam_step_corrected: a single parameter, an array without axes; whole numbers"""
    check_step(student, "adam_step_corrected", *make_state(412, ()), 3, 0.1, 0.9, 0.999)
    check_whole_numbers(student, "adam_step_corrected", 415, 2, 0.1)


@weight(0.2)
@number("4.27")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_keeps_its_arguments(student: Student) -> None:
    """adam_step_corrected: the arguments are not changed"""
    names = ("theta", "grad", "m", "v")
    check_arguments_stay(student, "adam_step_corrected", [*make_state(412, (2, 3)), 2, 0.1], names)
