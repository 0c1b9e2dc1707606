"""Hidden tests of the written answers: formulas by value, a choice by its letter, a table by its rows."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, partial_credit, tags, visibility, weight

from autograder.authoring import Student, answer_checks, checks
from reference import quiz as reference

TRACE = [line.split("|") for line in reference.machine_trace().splitlines()[2:]]


def draw_probabilities(seed: int, count: int, size: int) -> tuple[np.ndarray, ...]:
    """Draw x, y and y_hat."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, size)), rng.integers(2, size=count) * 1.0, rng.uniform(0.1, 0.9, size=count)


def check_formula(student: Student, key: str, right: Callable[..., Any], *draws: tuple[Any, ...]) -> None:
    """Compare the value of a formula with the right one on each draw of its names."""
    answers = [answer_checks.read_answer(student.quiz, key, *inputs) for inputs in draws]
    for answer, inputs in zip(answers, draws, strict=True):
        checks.close(key, answer, right(*inputs))


@weight(1)
@number("7.1")
@visibility("after_due_date")
@tags("fitting_gradient")
def test_gradient_formula(student: Student) -> None:
    """fitting.gradient: the formula"""
    draws = [draw_probabilities(71, 3, 3), draw_probabilities(710, 4, 2)]
    check_formula(student, "fitting.gradient", reference.fitting_gradient, *draws)


@weight(1)
@number("7.2")
@visibility("after_due_date")
@tags("fitting_minimum")
def test_minimum(student: Student) -> None:
    """fitting.minimum: where the gradient is 0"""
    answer_checks.require_choice(student.quiz, "fitting.minimum", reference.fitting_minimum())


@weight(1)
@number("7.3")
@visibility("visible")
@tags("noise_factor")
def test_factor(student: Student) -> None:
    """noise.factor: the factor that keeps the expectation"""
    check_formula(student, "noise.factor", reference.noise_factor, (0.2,), (0.7,), (0.0,))


@weight(1)
@number("7.4")
@visibility("after_due_date")
@tags("machine_steps")
def test_steps(student: Student) -> None:
    """machine.steps: the number of operations"""
    check_formula(student, "machine.steps", reference.machine_steps, (5,), (1,), (12,))


@partial_credit(2)
@number("7.5")
@visibility("visible")
@tags("machine_trace")
def test_trace(student: Student, set_score: Callable[[float], None] = print) -> None:
    """machine.trace: the rows after the first, which is given"""
    rows = answer_checks.read_table(student.quiz, "machine.trace", ("stack", "queue", "operation"))
    checks.not_written(len(rows) < 2, "machine.trace has no row with an operation")
    found = [[each.split() for each in row.values()] for row in rows[1:]]
    right = sum(got == [each.split() for each in row] for got, row in zip(found, TRACE, strict=False))
    share = right / max(len(TRACE), len(found))
    checks.require(share > 0, "machine.trace", "at least one right row", "none")
    if share < 1:
        student.note(f"{right} of {len(TRACE)} rows are right")
    set_score(round(2 * share, 2))
