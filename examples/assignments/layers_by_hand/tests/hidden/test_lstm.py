"""Hidden tests of lstm: one step and a sequence of steps, forward and backward.

A cache may have any form: it stays with the student's code, and only the backward pass reads it. D and H differ, so
that a wrong axis shows, and are equal once, where a missing transpose gives an array of the right shape.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Names, Point, Student, checks, gradient_check
from reference import lstm as reference

STATES = ("next_h", "next_c")
OF_STEP = ("dx", "dprev_h", "dprev_c", "dWx", "dWh", "db")
OF_SEQUENCE = ("dx", "dh0", "dWx", "dWh", "db")
STEP = (4, 3, 5)  # N, D, H
STEPS = [(1, 4, 2), (3, 3, 3), (2, 1, 4), (5, 6, 1), (2, 5, 3)]
SEQUENCE = (2, 4, 3, 5)  # N, T, D, H
SEQUENCES = [(3, 1, 2, 4), (1, 5, 4, 2), (2, 3, 3, 3), (4, 2, 1, 3), (2, 6, 5, 1)]
OWN_STEP, OWN_SEQUENCE = (2, 3, 2), (2, 3, 3, 2)
Arrays = tuple[np.ndarray, ...]


def make_step(seed: int, sizes: Sequence[int]) -> Arrays:
    """Draw the arguments of lstm_step_forward."""
    N, D, H = sizes
    rng = np.random.default_rng(seed)
    shapes = [(N, D), (N, H), (N, H), (D, 4 * H), (H, 4 * H), (4 * H,)]
    return tuple(rng.normal(size=shape) for shape in shapes)


def make_sequence(seed: int, sizes: Sequence[int]) -> Arrays:
    """Draw the arguments of lstm_forward."""
    N, T, D, H = sizes
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=shape) for shape in [(N, T, D), (N, H), (D, 4 * H), (H, 4 * H), (4 * H,)])


def make_states(seed: int, N: int, H: int) -> Arrays:
    """Draw gradients of the next hidden state and the next cell state."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, H)), rng.normal(size=(N, H))


def run_steps(student: Student, steps: Sequence[Arrays]) -> list[tuple[list[object], dict[str, object]]]:
    """Call lstm_step_forward; return its two states for each step, and the right ones by name."""
    h, c = (student.lstm.lstm_step_forward.each(steps, part=part) for part in (0, 1))
    right = [dict(zip(STATES, reference.lstm_step_forward(*step)[:2], strict=True)) for step in steps]
    return [([one, other], wanted) for one, other, wanted in zip(h, c, right, strict=True)]


def check_steps(student: Student, steps: Sequence[Arrays], only: str) -> None:
    """Compare one state of each step with the right one."""
    for got, right in run_steps(student, steps):
        checks.close(only, checks.take_parts("lstm_step_forward", got, right)[only], right[only])


def run_step_backward(student: Student, seed: int, sizes: Sequence[int]) -> tuple[object, dict[str, object]]:
    """Call lstm_step_backward after the student's own forward step; return its value and the right gradients."""
    step, states = make_step(seed, sizes), make_states(seed + 1, sizes[0], sizes[2])
    right = reference.lstm_step_backward(*states, reference.lstm_step_forward(*step)[2])
    kept = student.lstm.lstm_step_forward.keep(*step, part=2)
    return student.lstm.lstm_step_backward(*states, kept), dict(zip(OF_STEP, right, strict=True))


def check_step_backward(student: Student, seed: int, all_sizes: Sequence[Sequence[int]], only: str) -> None:
    """Compare one gradient of each step with the right one."""
    for sizes in all_sizes:
        got, right = run_step_backward(student, seed, sizes)
        names = Names(sizes={"the number of rows in the batch": sizes[0]})
        checks.close(only, checks.take_parts("lstm_step_backward", got, right)[only], right[only], names=names)


def check_sequences(student: Student, sequences: Sequence[Arrays]) -> None:
    """Compare the hidden states of each sequence with the right ones."""
    for sequence, h in zip(sequences, student.lstm.lstm_forward.each(sequences, part=0), strict=True):
        checks.close("h", h, reference.lstm_forward(*sequence)[0])


def run_backward(student: Student, seed: int, sizes: Sequence[int]) -> tuple[object, dict[str, object]]:
    """Call lstm_backward after the student's own lstm_forward; return its value and the right gradients."""
    sequence, dh = make_sequence(seed, sizes), make_dh(seed, sizes)
    right = reference.lstm_backward(dh, reference.lstm_forward(*sequence)[1])
    kept = student.lstm.lstm_forward.keep(*sequence, part=1)
    return student.lstm.lstm_backward(dh, kept), dict(zip(OF_SEQUENCE, right, strict=True))


def make_dh(seed: int, sizes: Sequence[int]) -> np.ndarray:
    """Draw the gradient of all hidden states."""
    N, T, _, H = sizes
    return np.random.default_rng(seed + 1).normal(size=(N, T, H))


def check_backward(student: Student, seed: int, all_sizes: Sequence[Sequence[int]], only: str) -> None:
    """Compare one gradient of each sequence with the right one."""
    for sizes in all_sizes:
        got, right = run_backward(student, seed, sizes)
        names = Names(sizes={"the number of rows in the batch": sizes[0], "the number of steps": sizes[1]})
        checks.close(only, checks.take_parts("lstm_backward", got, right)[only], right[only], names=names)


def add_losses(states: Sequence[object], weights: Sequence[np.ndarray]) -> float:
    """Return the sum of all states, each entry with its weight."""
    arrays = [checks.array("a state", state, each.shape) for state, each in zip(states, weights, strict=True)]
    return float(sum((array * each).sum() for array, each in zip(arrays, weights, strict=True)))


@weight(1)
@number("2.1")
@visibility("visible")
@tags("lstm_step_forward")
def test_lstm_step_forward_next_h(student: Student) -> None:
    """lstm_step_forward: next_h, a batch of four rows"""
    check_steps(student, [make_step(31, STEP)], "next_h")


@weight(1)
@number("2.2")
@visibility("visible")
@tags("lstm_step_forward")
def test_lstm_step_forward_next_c(student: Student) -> None:
    """lstm_step_forward: next_c, a batch of four rows"""
    check_steps(student, [make_step(31, STEP)], "next_c")


@weight(0.5)
@number("2.3")
@visibility("visible")
@tags("lstm_step_forward")
def test_lstm_step_forward_order(student: Student) -> None:
    """lstm_step_forward: the order of the two states"""
    ((got, right),) = run_steps(student, [make_step(31, STEP)])
    checks.require_order("lstm_step_forward", got, right)


@weight(1)
@number("2.4")
@visibility("after_due_date")
@tags("lstm_step_forward")
def test_lstm_step_forward_sizes_next_h(student: Student) -> None:
    """lstm_step_forward: next_h, one row, one unit, one feature, D equal to H"""
    check_steps(student, [make_step(32, sizes) for sizes in STEPS], "next_h")


@weight(1)
@number("2.5")
@visibility("after_due_date")
@tags("lstm_step_forward")
def test_lstm_step_forward_sizes_next_c(student: Student) -> None:
    """lstm_step_forward: next_c, one row, one unit, one feature, D equal to H"""
    check_steps(student, [make_step(32, sizes) for sizes in STEPS], "next_c")


@weight(0.5)
@number("2.6")
@visibility("after_due_date")
@tags("lstm_step_forward", "robustness")
def test_lstm_step_forward_large(student: Student) -> None:
    """lstm_step_forward: sums of 1000 and -1000 before the gates"""
    x, prev_h, prev_c, Wx, Wh, b = make_step(33, STEP)
    for large in (b + 1000, b - 1000):
        check_steps(student, [(x, prev_h, prev_c, Wx, Wh, large)], "next_h")


@weight(0.25)
@number("2.7")
@visibility("visible")
@tags("lstm_step_backward")
def test_lstm_step_backward_dx(student: Student) -> None:
    """lstm_step_backward: dx, a batch of four rows"""
    check_step_backward(student, 34, [STEP], "dx")


@weight(0.25)
@number("2.8")
@visibility("visible")
@tags("lstm_step_backward")
def test_lstm_step_backward_dprev_h(student: Student) -> None:
    """lstm_step_backward: dprev_h, a batch of four rows"""
    check_step_backward(student, 34, [STEP], "dprev_h")


@weight(0.25)
@number("2.9")
@visibility("visible")
@tags("lstm_step_backward")
def test_lstm_step_backward_dprev_c(student: Student) -> None:
    """lstm_step_backward: dprev_c, a batch of four rows"""
    check_step_backward(student, 34, [STEP], "dprev_c")


@weight(0.25)
@number("2.10")
@visibility("visible")
@tags("lstm_step_backward")
def test_lstm_step_backward_dWx(student: Student) -> None:
    """lstm_step_backward: dWx, a batch of four rows"""
    check_step_backward(student, 34, [STEP], "dWx")


@weight(0.25)
@number("2.11")
@visibility("visible")
@tags("lstm_step_backward")
def test_lstm_step_backward_dWh(student: Student) -> None:
    """lstm_step_backward: dWh, a batch of four rows"""
    check_step_backward(student, 34, [STEP], "dWh")


@weight(0.25)
@number("2.12")
@visibility("visible")
@tags("lstm_step_backward")
def test_lstm_step_backward_db(student: Student) -> None:
    """lstm_step_backward: db, a batch of four rows"""
    check_step_backward(student, 34, [STEP], "db")


@weight(0.25)
@number("2.13")
@visibility("visible")
@tags("lstm_step_backward")
def test_lstm_step_backward_order(student: Student) -> None:
    """lstm_step_backward: the order of the six gradients"""
    checks.require_order("lstm_step_backward", *run_step_backward(student, 34, STEP))


@weight(0.35)
@number("2.14")
@visibility("after_due_date")
@tags("lstm_step_backward")
def test_lstm_step_backward_sizes_dx(student: Student) -> None:
    """lstm_step_backward: dx and dprev_h, one row, one unit, one feature, D equal to H"""
    for only in ("dx", "dprev_h"):
        check_step_backward(student, 35, STEPS, only)


@weight(0.3)
@number("2.15")
@visibility("after_due_date")
@tags("lstm_step_backward")
def test_lstm_step_backward_sizes_dprev_c(student: Student) -> None:
    """lstm_step_backward: dprev_c, one row, one unit, one feature, D equal to H"""
    check_step_backward(student, 35, STEPS, "dprev_c")


@weight(0.3)
@number("2.16")
@visibility("after_due_date")
@tags("lstm_step_backward")
def test_lstm_step_backward_sizes_weights(student: Student) -> None:
    """lstm_step_backward: dWx and dWh, one row, one unit, one feature, D equal to H"""
    for only in ("dWx", "dWh"):
        check_step_backward(student, 35, STEPS, only)


@weight(0.3)
@number("2.17")
@visibility("after_due_date")
@tags("lstm_step_backward")
def test_lstm_step_backward_sizes_db(student: Student) -> None:
    """lstm_step_backward: db, one row, one unit, one feature, D equal to H"""
    check_step_backward(student, 35, STEPS, "db")


@weight(3.5)
@number("2.18")
@visibility("visible")
@tags("lstm_step_backward")
def test_lstm_step_backward_own_gradient(student: Student) -> None:
    """lstm_step_backward: gradient check, the gradients beside your own lstm_step_forward"""
    got, right = run_step_backward(student, 36, OWN_STEP)
    weights = make_states(37, OWN_STEP[0], OWN_STEP[2])

    def evaluate(points: Sequence[Point]) -> list[object]:
        calls = [tuple(point[name] for name in OF_STEP) for point in points]
        h, c = (student.lstm.lstm_step_forward.each(calls, part=part) for part in (0, 1))
        return [add_losses(states, weights) for states in zip(h, c, strict=True)]

    at = dict(zip(OF_STEP, make_step(36, OWN_STEP), strict=True))
    gradients = checks.take_parts("lstm_step_backward", got, right)
    gradient_check.require_own_gradient(gradients, at, evaluate, of="your own lstm_step_forward")


@weight(1)
@number("2.19")
@visibility("visible")
@tags("lstm_forward")
def test_lstm_forward_values(student: Student) -> None:
    """lstm_forward: four steps"""
    check_sequences(student, [make_sequence(41, SEQUENCE)])


@weight(1.5)
@number("2.20")
@visibility("after_due_date")
@tags("lstm_forward")
def test_lstm_forward_sizes(student: Student) -> None:
    """lstm_forward: one step, one row, one unit, one feature, D equal to H"""
    check_sequences(student, [make_sequence(42, sizes) for sizes in SEQUENCES])


@weight(0.25)
@number("2.21")
@visibility("visible")
@tags("lstm_backward")
def test_lstm_backward_dx(student: Student) -> None:
    """lstm_backward: dx, four steps"""
    check_backward(student, 43, [SEQUENCE], "dx")


@weight(0.25)
@number("2.22")
@visibility("visible")
@tags("lstm_backward")
def test_lstm_backward_dh0(student: Student) -> None:
    """lstm_backward: dh0, four steps"""
    check_backward(student, 43, [SEQUENCE], "dh0")


@weight(0.25)
@number("2.23")
@visibility("visible")
@tags("lstm_backward")
def test_lstm_backward_dWx(student: Student) -> None:
    """lstm_backward: dWx, four steps"""
    check_backward(student, 43, [SEQUENCE], "dWx")


@weight(0.25)
@number("2.24")
@visibility("visible")
@tags("lstm_backward")
def test_lstm_backward_dWh(student: Student) -> None:
    """lstm_backward: dWh, four steps"""
    check_backward(student, 43, [SEQUENCE], "dWh")


@weight(0.25)
@number("2.25")
@visibility("visible")
@tags("lstm_backward")
def test_lstm_backward_db(student: Student) -> None:
    """lstm_backward: db, four steps"""
    check_backward(student, 43, [SEQUENCE], "db")


@weight(0.25)
@number("2.26")
@visibility("visible")
@tags("lstm_backward")
def test_lstm_backward_order(student: Student) -> None:
    """lstm_backward: the order of the five gradients"""
    checks.require_order("lstm_backward", *run_backward(student, 43, SEQUENCE))


@weight(0.5)
@number("2.27")
@visibility("after_due_date")
@tags("lstm_backward")
def test_lstm_backward_sizes_dx(student: Student) -> None:
    """lstm_backward: dx and dh0, one step, one row, one unit, one feature, D equal to H"""
    for only in ("dx", "dh0"):
        check_backward(student, 44, SEQUENCES, only)


@weight(0.5)
@number("2.28")
@visibility("after_due_date")
@tags("lstm_backward")
def test_lstm_backward_sizes_weights(student: Student) -> None:
    """lstm_backward: dWx and dWh, one step, one row, one unit, one feature, D equal to H"""
    for only in ("dWx", "dWh"):
        check_backward(student, 44, SEQUENCES, only)


@weight(0.25)
@number("2.29")
@visibility("after_due_date")
@tags("lstm_backward")
def test_lstm_backward_sizes_db(student: Student) -> None:
    """lstm_backward: db, one step, one row, one unit, one feature, D equal to H"""
    check_backward(student, 44, SEQUENCES, "db")


@weight(3.25)
@number("2.30")
@visibility("visible")
@tags("lstm_backward")
def test_lstm_backward_own_gradient(student: Student) -> None:
    """lstm_backward: gradient check, the gradients beside your own lstm_forward"""
    got, right = run_backward(student, 45, OWN_SEQUENCE)
    weights = (make_dh(45, OWN_SEQUENCE),)

    def evaluate(points: Sequence[Point]) -> list[object]:
        calls = [tuple(point[name] for name in OF_SEQUENCE) for point in points]
        return [add_losses([h], weights) for h in student.lstm.lstm_forward.each(calls, part=0)]

    at: dict[str, Any] = dict(zip(OF_SEQUENCE, make_sequence(45, OWN_SEQUENCE), strict=True))
    gradients = checks.take_parts("lstm_backward", got, right)
    gradient_check.require_own_gradient(gradients, at, evaluate, of="your own lstm_forward")
