"""Hidden tests of fitting: the loss and its gradient; the sum over batches by hand."""

from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight
from tests.hidden.draws import draw_examples

from autograder.authoring import Contract, Student, checks
from reference import fitting as reference


def draw_labels(known: Any, rng: np.random.Generator, style: str) -> np.ndarray | None:
    """Draw zeros and ones."""
    return rng.integers(0, 2, size=known["N"]) * 1.0 if style == "generic" else None


squash = Contract(reference.squash, "x: (N,) -> s: (N,)")
log_loss = Contract(
    reference.log_loss,
    "w: (D,), x: (N, D), y: (N,) -> loss: float, gradient: (D,)",
    draw={"y": draw_labels},
    gradient={"gradient": "w"},
)
squash.rows(ordinary=("1.1", 1, "several numbers"))
log_loss.rows(
    ordinary=("1.3", 2, "the loss and the gradient"),
    gradient_check=("1.5", 1, "the gradient of your own loss"),
    everywhere=("1.6", 4, "other sizes"),
)


@weight(2)
@number("1.8")
@visibility("visible")
@tags("batch_loss")
def test_batch_loss_loss(student: Student) -> None:
    """batch_loss: the loss of two batches"""
    batches = [draw_examples(seed, 4, 3) for seed in (18, 180)]
    arguments = batches[0][0], 0.0, [(x, y) for _, x, y in batches]
    loss, _ = checks.parts("batch_loss", student.fitting.batch_loss(*arguments), ("loss", "gradient"))
    checks.close("loss", loss, reference.batch_loss(*arguments)[0])


@weight(2)
@number("1.10")
@visibility("after_due_date")
@tags("batch_loss")
def test_batch_loss_gradient(student: Student) -> None:
    """batch_loss: the gradient of one batch"""
    w, x, y = draw_examples(110, 3, 2)
    _, gradient = checks.parts("batch_loss", student.fitting.batch_loss(w, 0.0, [(x, y)]), ("loss", "gradient"))
    checks.close("gradient", gradient, reference.batch_loss(w, 0.0, [(x, y)])[1])
