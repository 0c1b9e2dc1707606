"""Hidden tests of lstm: one step and a sequence of steps, forward and backward.

A cache may have any form: it stays with the student's code, and only the backward pass reads it.
"""

from typing import Any

import numpy as np

from autograder.authoring import Contract, Slopes
from reference import lstm as reference


def step_and_back(
    student: Any, x: Any, prev_h: Any, prev_c: Any, Wx: Any, Wh: Any, b: Any, dnext_h: Any, dnext_c: Any
) -> Any:
    """Give the backward step the cache of the student's own forward step."""
    _next_h, _next_c, cache = student.lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b)
    return student.lstm_step_backward(dnext_h, dnext_c, cache)


def run_and_back(student: Any, x: Any, h0: Any, Wx: Any, Wh: Any, b: Any, dh: Any) -> Any:
    """Give the backward pass the cache of the student's own forward pass."""
    _h, cache = student.lstm_forward(x, h0, Wx, Wh, b)
    return student.lstm_backward(dh, cache)


def step(student: Any, x: Any, prev_h: Any, prev_c: Any, Wx: Any, Wh: Any, b: Any, dnext_h: Any, dnext_c: Any) -> Any:
    """Return the states of the student's own forward step."""
    next_h, next_c, _cache = student.lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b)
    return next_h, next_c


def run(student: Any, x: Any, h0: Any, Wx: Any, Wh: Any, b: Any, dh: Any) -> Any:
    """Return the hidden states of the student's own forward pass."""
    h, _cache = student.lstm_forward(x, h0, Wx, Wh, b)
    return h


def draw_step(rng: np.random.Generator) -> list[Any]:
    """Draw a step of two examples with two units for a gradient check."""
    shapes = ((2, 3), (2, 2), (2, 2), (3, 8), (2, 8), (8,), (2, 2), (2, 2))
    return [rng.normal(size=shape) for shape in shapes]


def draw_sequence(rng: np.random.Generator) -> list[Any]:
    """Draw three steps of two examples with two units for a gradient check."""
    return [rng.normal(size=shape) for shape in ((2, 3, 3), (2, 2), (3, 8), (2, 8), (8,), (2, 3, 2))]


lstm_step_forward = Contract(
    reference.lstm_step_forward,
    """x: (N, D), prev_h: (N, H), prev_c: (N, H), Wx: (D, 4*H), Wh: (H, 4*H), b: (4*H,)
       -> next_h: (N, H), next_c: (N, H), cache""",
    stable=["b"],
)
lstm_step_backward = Contract(
    reference.lstm_step_backward,
    """x: (N, D), prev_h: (N, H), prev_c: (N, H), Wx: (D, 4*H), Wh: (H, 4*H), b: (4*H,),
       dnext_h: (N, H), dnext_c: (N, H)
       -> dx: (N, D), dprev_h: (N, H), dprev_c: (N, H), dWx: (D, 4*H), dWh: (H, 4*H), db: (4*H,)""",
    driver=step_and_back,
    gradient=Slopes(
        {"dx": "x", "dprev_h": "prev_h", "dprev_c": "prev_c", "dWx": "Wx", "dWh": "Wh", "db": "b"},
        of=step,
        times=["dnext_h", "dnext_c"],
        draw=draw_step,
    ),
)
lstm_forward = Contract(
    reference.lstm_forward,
    "x: (N, T, D), h0: (N, H), Wx: (D, 4*H), Wh: (H, 4*H), b: (4*H,) -> h: (N, T, H), cache",
)
lstm_backward = Contract(
    reference.lstm_backward,
    """x: (N, T, D), h0: (N, H), Wx: (D, 4*H), Wh: (H, 4*H), b: (4*H,), dh: (N, T, H)
       -> dx: (N, T, D), dh0: (N, H), dWx: (D, 4*H), dWh: (H, 4*H), db: (4*H,)""",
    driver=run_and_back,
    gradient=Slopes(
        {"dx": "x", "dh0": "h0", "dWx": "Wx", "dWh": "Wh", "db": "b"}, of=run, times=["dh"], draw=draw_sequence
    ),
)
lstm_step_forward.rows(
    ordinary=("2.1", 2, "ordinary values"),
    everywhere=("2.2", 3, "other sizes and values, a second call"),
)
lstm_step_backward.rows(
    ordinary=("2.3", 1.5, "ordinary values"),
    gradient_check=("2.4", 3.5, "the gradient of your own lstm_step_forward"),
    everywhere=("2.5", 1.5, "other sizes and values, a second call"),
)
lstm_forward.rows(
    ordinary=("2.6", 1, "ordinary values"),
    everywhere=("2.7", 1.5, "other sizes and values, a second call"),
)
lstm_backward.rows(
    ordinary=("2.8", 1.25, "ordinary values"),
    gradient_check=("2.9", 3.25, "the gradient of your own lstm_forward"),
    everywhere=("2.10", 1.5, "other sizes and values, a second call"),
)
