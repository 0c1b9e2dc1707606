"""Hidden tests of fitting: the loss and its gradient, by values and beside each other, and the sum over batches."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight
from tests.hidden.draws import Inputs, draw_examples

from autograder.authoring import Student, checks, gradient_check
from reference import fitting as reference

PARTS = ("loss", "gradient")


def check_squash(student: Student, x: np.ndarray) -> None:
    """Compare squash(x)."""
    checks.close("squash(x)", student.fitting.squash(x), reference.squash(x))


def check_part(student: Student, name: str, part: str, *inputs: Sequence[Any]) -> None:
    """Compare the loss or the gradient of a function."""
    values = [getattr(student.fitting, name)(*each) for each in inputs]
    for value, each in zip(values, inputs, strict=True):
        right = dict(zip(PARTS, getattr(reference, name)(*each), strict=True))
        checks.close(part, checks.take_parts(name, value, right)[part], right[part])


def check_batch_loss(student: Student, part: str, *all_batches: Sequence[Inputs]) -> None:
    """Compare the loss or the gradient, at the w of the first batch each time."""
    inputs = [(batches[0][0], 0.0, [(x, y) for _, x, y in batches]) for batches in all_batches]
    check_part(student, "batch_loss", part, *inputs)


@weight(1)
@number("1.1")
@visibility("visible")
@tags("squash")
def test_squash_values(student: Student) -> None:
    """squash: three numbers"""
    check_squash(student, np.array([-1.5, 0.25, 2.0]))


@weight(1)
@number("1.2")
@visibility("after_due_date")
@tags("squash")
def test_squash_large(student: Student) -> None:
    """squash: large numbers and a matrix"""
    check_squash(student, np.array([[-800.0, 40.0], [3.0, 800.0]]))


@weight(1)
@number("1.3")
@visibility("visible")
@tags("log_loss")
def test_log_loss_loss(student: Student) -> None:
    """log_loss: the loss"""
    check_part(student, "log_loss", "loss", draw_examples(13, 4, 3))


@weight(1)
@number("1.4")
@visibility("visible")
@tags("log_loss")
def test_log_loss_gradient(student: Student) -> None:
    """log_loss: the gradient"""
    check_part(student, "log_loss", "gradient", draw_examples(14, 4, 3))


@weight(1)
@number("1.5")
@visibility("visible")
@tags("log_loss")
def test_log_loss_gradient_check(student: Student) -> None:
    """log_loss: gradient check, the gradient of your own loss"""
    w, x, y = draw_examples(15, 5, 2)
    w = gradient_check.round_to_grid(w)
    loss, gradient = checks.parts("log_loss", student.fitting.log_loss(w, x, y), PARTS)
    checks.close("loss", loss, reference.log_loss(w, x, y)[0])
    losses = student.fitting.log_loss.each([(each, x, y) for each in gradient_check.list_moved(w)], part=0)
    slopes = gradient_check.compute_slopes([checks.scalar("loss", each) for each in losses])
    gradient_check.require_slopes("gradient", gradient, slopes, of="your loss")


@weight(1.5)
@number("1.6")
@visibility("after_due_date")
@tags("log_loss")
def test_log_loss_loss_sizes(student: Student) -> None:
    """log_loss: the loss of other sizes"""
    check_part(student, "log_loss", "loss", draw_examples(16, 1, 3), draw_examples(160, 6, 6))


@weight(1.5)
@number("1.7")
@visibility("after_due_date")
@tags("log_loss")
def test_log_loss_gradient_sizes(student: Student) -> None:
    """log_loss: the gradient of other sizes"""
    check_part(student, "log_loss", "gradient", draw_examples(17, 2, 4), draw_examples(170, 6, 6))


@weight(1)
@number("1.8")
@visibility("visible")
@tags("batch_loss")
def test_batch_loss_loss(student: Student) -> None:
    """batch_loss: the loss of two batches"""
    check_batch_loss(student, "loss", [draw_examples(18, 4, 3), draw_examples(180, 2, 3)])


@weight(1)
@number("1.9")
@visibility("visible")
@tags("batch_loss")
def test_batch_loss_gradient(student: Student) -> None:
    """batch_loss: the gradient of two batches"""
    check_batch_loss(student, "gradient", [draw_examples(18, 4, 3), draw_examples(180, 2, 3)])


@weight(2)
@number("1.10")
@visibility("after_due_date")
@tags("batch_loss")
def test_batch_loss_batches(student: Student) -> None:
    """batch_loss: the gradient of one and of three batches"""
    inputs = [draw_examples(seed, 3, 2) for seed in (110, 111, 112)]
    check_batch_loss(student, "gradient", inputs[:1], inputs)
