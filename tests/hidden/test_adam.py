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


def check_step(student: Student, name: str, returned: Sequence[str], *arguments: Any) -> None:
    """Compare the values that one step returns with the right ones."""
    got = checks.parts(name, getattr(student.adam, name)(*arguments), returned)
    expected = getattr(reference, name)(*arguments)
    before = dict(zip(("theta", "grad", "m", "v"), arguments, strict=False))
    for what, value, right in zip(returned, got, expected, strict=True):
        also = {f"{what} as it was passed in": before[what]}
        if what == "theta":
            also["theta after a step in the other direction"] = 2 * before[what] - right
        checks.close(what, value, right, names=Names(also=also))


def check_arguments_stay(student: Student, name: str, arguments: Sequence[Any], names: Sequence[str]) -> None:
    """Require that a function which computes something, right or wrong, leaves its arguments as they are."""
    returned = MOMENTUM if name == "momentum_step" else ADAM
    function, before = getattr(student.adam, name), dict(zip(names, arguments, strict=False))
    value, after = function.with_arguments(*arguments)
    other = function(*(2 * before[each] + 1 for each in names), *arguments[len(names) :])
    values = [checks.parts(name, each, returned) for each in (value, other)]
    special.require_work(name, {part: before[part] for part in returned}, *values)
    for what, left in zip(names, after, strict=False):
        checks.unchanged(what, before[what], left)


def check_lengths(student: Student, name: str, seed: int, *constants: float) -> None:
    """Check a step of arrays with long and short axes."""
    returned = MOMENTUM if name == "momentum_step" else ADAM
    for shape in LENGTHS:
        check_step(student, name, returned, *make_state(seed, shape)[: len(returned) + 1], *constants)


def check_changes(student: Student, name: str, seed: int, constants: Sequence[tuple[float, ...]]) -> None:
    """Check steps that differ from each other in one argument; `constants`: the values of each constant."""
    returned = MOMENTUM if name == "momentum_step" else ADAM
    state = make_state(seed, (2, 3))[: len(returned) + 1]
    values: dict[int, Sequence[Any]] = {
        position: special.make_special((2, 3), seed + position, integers=False) for position in range(3)
    }
    if name != "momentum_step":
        values[3] = [value**2 for value in special.make_special((2, 3), seed + 3, integers=False)]
    values |= dict(enumerate(constants, start=len(state)))
    calls = special.vary((*state, *(several[0] for several in constants)), values)
    special.check_calls(student, "adam", name, getattr(reference, name), calls, returned)


def check_whole_numbers(student: Student, name: str, seed: int, *constants: float) -> None:
    """Check steps of integer arrays, in one argument at a time and in all."""
    returned = MOMENTUM if name == "momentum_step" else ADAM
    state = make_state(seed, (2, 3))[: len(returned) + 1]
    whole = [np.random.default_rng(seed).integers(1, 5, size=array.shape) for array in state]
    calls = special.vary((*state, *constants), {position: [array] for position, array in enumerate(whole)})
    special.check_calls(student, "adam", name, getattr(reference, name), [*calls, (*whole, *constants)], returned)


@weight(1.25)
@number("4.1")
@visibility("visible")
@tags("momentum_step")
def test_momentum_step_values(student: Student) -> None:
    """momentum_step: a matrix"""
    theta, grad, m, _ = make_state(41, (2, 3))
    check_step(student, "momentum_step", MOMENTUM, theta, grad, m, 0.1)


@weight(1.25)
@number("4.2")
@visibility("after_due_date")
@tags("momentum_step")
def test_momentum_step_shapes(student: Student) -> None:
    """momentum_step: other shapes and constants, one argument changed at a time"""
    check_lengths(student, "momentum_step", 420, 0.1)
    check_changes(student, "momentum_step", 421, [(0.1, 1.0, 0.01), (0.9, 0.0, 0.5, 0.99)])
    for shape, beta1, learning_rate in zip(SHAPES, (0.5, 0.99, 0.0, 0.7), (1.0, 0.01, 0.3, 0.5), strict=True):
        theta, grad, m, _ = make_state(42, shape)
        check_step(student, "momentum_step", MOMENTUM, theta, grad, m, learning_rate, beta1)


@weight(0.25)
@number("4.3")
@visibility("after_due_date")
@tags("momentum_step")
def test_momentum_step_single(student: Student) -> None:
    """momentum_step: a single parameter, an array without axes; whole numbers"""
    check_step(student, "momentum_step", MOMENTUM, *make_state(43, ())[:3], 0.1, 0.9)
    check_whole_numbers(student, "momentum_step", 430, 0.1)


@weight(0.25)
@number("4.4")
@visibility("after_due_date")
@tags("momentum_step")
def test_momentum_step_keeps_its_arguments(student: Student) -> None:
    """momentum_step: the arguments are not changed"""
    check_arguments_stay(student, "momentum_step", [*make_state(43, (2, 3))[:3], 0.1], ("theta", "grad", "m"))


@weight(1.5)
@number("4.5")
@visibility("visible")
@tags("adam_step")
def test_adam_step_values(student: Student) -> None:
    """adam_step: a matrix"""
    check_step(student, "adam_step", ADAM, *make_state(44, (2, 3)), 0.1)


@weight(1.25)
@number("4.6")
@visibility("after_due_date")
@tags("adam_step")
def test_adam_step_shapes(student: Student) -> None:
    """adam_step: other shapes and constants, one argument changed at a time"""
    check_changes(student, "adam_step", 451, [(0.1, 1.0, 0.01), (0.9, 0.0, 0.5, 0.99), (0.999, 0.0, 0.5, 0.9)])
    for shape, beta1, beta2 in zip(SHAPES, (0.5, 0.99, 0.0, 0.7), (0.9, 0.99, 0.5, 0.95), strict=True):
        check_step(student, "adam_step", ADAM, *make_state(45, shape), 0.05, beta1, beta2)
    check_lengths(student, "adam_step", 450, 0.1, 0.5)  # beta1 alone


@weight(0.5)
@number("4.7")
@visibility("after_due_date")
@tags("adam_step")
def test_adam_step_small_gradients(student: Student) -> None:
    """adam_step: small gradients"""
    for scale in (1e-4, 1e-7):
        check_step(student, "adam_step", ADAM, *make_state(46, (3, 2), scale=scale), 0.1, 0.9, 0.999)


@weight(0.25)
@number("4.8")
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
    check_step(student, "adam_step", ADAM, theta, grad, m, v, 0.1, 0.9, 0.999)
    check_step(student, "adam_step", ADAM, *make_state(47, ()), 0.1, 0.9, 0.999)
    for v in (0.0, 1.0, 0.5, 20.0):
        check_step(student, "adam_step", ADAM, *make_state(470, ())[:3], np.array(v), 0.1)
    check_whole_numbers(student, "adam_step", 471, 0.1)


@weight(0.5)
@number("4.9")
@visibility("after_due_date")
@tags("adam_step")
def test_adam_step_keeps_its_arguments(student: Student) -> None:
    """adam_step: the arguments are not changed"""
    check_arguments_stay(student, "adam_step", [*make_state(48, (2, 3)), 0.1], ("theta", "grad", "m", "v"))


@weight(1.75)
@number("4.10")
@visibility("visible")
@tags("adam_step_corrected")
def test_adam_step_corrected_values(student: Student) -> None:
    """adam_step_corrected: the first step and the fourth"""
    theta, grad, m, v = make_state(49, (2, 3))
    check_step(student, "adam_step_corrected", ADAM, theta, grad, 0 * m, 0 * v, 1, 0.1)
    check_step(student, "adam_step_corrected", ADAM, theta, grad, m, v, 4, 0.1)


@weight(1.25)
@number("4.11")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_shapes(student: Student) -> None:
    """adam_step_corrected: other shapes, steps and constants, one argument changed at a time"""
    constants = [(2, 1, 5, 50, 20000), (0.1, 1.0, 0.01), (0.9, 0.0, 0.5, 0.99), (0.999, 0.0, 0.5, 0.9)]
    check_changes(student, "adam_step_corrected", 414, constants)
    several = zip(SHAPES, (1, 2, 10, 1000), (0.5, 0.99, 0.0, 0.7), (0.9, 0.99, 0.5, 0.95), strict=True)
    for shape, t, beta1, beta2 in several:
        check_step(student, "adam_step_corrected", ADAM, *make_state(410, shape), t, 0.05, beta1, beta2)
    check_lengths(student, "adam_step_corrected", 413, 2, 0.1, 0.5)  # beta1 alone


@weight(1.25)
@number("4.12")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_epsilon(student: Student) -> None:
    """adam_step_corrected: a large epsilon, and small gradients"""
    for t, eps in [(1, 0.1), (3, 0.5), (7, 1e-3)]:
        check_step(student, "adam_step_corrected", ADAM, *make_state(411, (2, 3)), t, 0.1, 0.9, 0.99, eps)
    for eps in (1e-8, 0.2):
        check_step(student, "adam_step_corrected", ADAM, *make_state(411, (2, 3)), 2, 0.1, 0.9, 0.99, eps)
    small = make_state(411, (2, 3), scale=1e-7)
    check_step(student, "adam_step_corrected", ADAM, *small, 2, 0.1, 0.9, 0.999, 1e-8)
    check_step(student, "adam_step_corrected", ADAM, *small, 2, 0.1)


@weight(0.25)
@number("4.13")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_single(student: Student) -> None:
    """adam_step_corrected: a single parameter, an array without axes; whole numbers"""
    check_step(student, "adam_step_corrected", ADAM, *make_state(412, ()), 3, 0.1, 0.9, 0.999)
    check_whole_numbers(student, "adam_step_corrected", 415, 2, 0.1)


@weight(0.5)
@number("4.14")
@visibility("after_due_date")
@tags("adam_step_corrected")
def test_adam_step_corrected_keeps_its_arguments(student: Student) -> None:
    """adam_step_corrected: the arguments are not changed"""
    names = ("theta", "grad", "m", "v")
    check_arguments_stay(student, "adam_step_corrected", [*make_state(412, (2, 3)), 2, 0.1], names)
