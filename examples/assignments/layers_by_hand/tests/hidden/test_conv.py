"""Hidden tests of conv: convolution and max pooling, forward and backward.

A cache may have any form: it stays with the student's code, and only the backward pass reads it. No two entries of a
window are equal, so that it does not matter who gets the gradient then.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight
from tests.hidden.slopes import check_own_gradient

from autograder.authoring import Contract, Student
from reference import conv as reference


def convolve_and_back(student: Any, x: Any, w: Any, b: Any, stride: int, padding: int, dout: Any) -> Any:
    """Give the backward pass the cache of the student's own forward pass."""
    _out, cache = student.conv2d_forward(x, w, b, stride, padding)
    return student.conv2d_backward(dout, cache)


def draw_convolved(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> Any:
    """Draw a gradient of the shape of the output."""
    names = ("x", "w", "b", "stride", "padding")
    out, _cache = reference.conv2d_forward(*(known[name] for name in names))
    return rng.normal(size=out.shape)


def pool_and_back(student: Any, x: Any, height: int, width: int, stride: int, dout: Any) -> Any:
    """Give the backward pass the cache of the student's own forward pass."""
    _out, cache = student.max_pool_forward(x, height, width, stride)
    return student.max_pool_backward(dout, cache)


def draw_pooled(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> Any:
    """Draw a gradient of the shape of the output."""
    names = ("x", "height", "width", "stride")
    out, _cache = reference.max_pool_forward(*(known[name] for name in names))
    return rng.normal(size=out.shape)


conv2d_forward = Contract(
    reference.conv2d_forward,
    """x: (N, C, H, W), w: (F, C, HH, WW), b: (F,), stride: 2 | 1 | 3, padding: 1 | 0 | 2
       -> out: (N, F, H_out, W_out), cache
       where HH <= H + 2*padding and WW <= W + 2*padding""",
)
conv2d_backward = Contract(
    reference.conv2d_backward,
    """x: (N, C, H, W), w: (F, C, HH, WW), b: (F,), stride: 2 | 1 | 3, padding: 1 | 0 | 2, dout: any
       -> dx: (N, C, H, W), dw: (F, C, HH, WW), db: (F,)
       where HH <= H + 2*padding and WW <= W + 2*padding""",
    driver=convolve_and_back,
    draw={"dout": draw_convolved},
)
max_pool_forward = Contract(
    reference.max_pool_forward,
    """x: (N, C, H, W) distinct, height: 2 | 1 | 3, width: 3 | 1 | 2, stride: 2 | 1 | 3
       -> out: (N, C, H_out, W_out), cache
       where height <= H and width <= W""",
)
max_pool_backward = Contract(
    reference.max_pool_backward,
    """x: (N, C, H, W) distinct, height: 2 | 1 | 3, width: 3 | 1 | 2, stride: 2 | 1 | 3, dout: any
       -> dx: (N, C, H, W)
       where height <= H and width <= W""",
    driver=pool_and_back,
    draw={"dout": draw_pooled},
)
conv2d_forward.rows(
    ordinary=("1.1", 2, "ordinary values"),
    everywhere=("1.2", 3, "other sizes, values, strides and paddings, a second call"),
)
conv2d_backward.rows(
    ordinary=("1.3", 2.5, "ordinary values"),
    everywhere=("1.5", 3.5, "other sizes, values, strides and paddings, a second call"),
)


@weight(3)
@number("1.4")
@visibility("visible")
@tags("conv2d_backward")
def test_conv2d_backward_own_gradient(student: Student) -> None:
    """conv2d_backward: the gradient of your own conv2d_forward"""
    rng = np.random.default_rng(17)
    arguments = rng.normal(size=(2, 2, 3, 4)), rng.normal(size=(2, 2, 2, 3)), rng.normal(size=2), 2, 1
    out, cache = reference.conv2d_forward(*arguments)
    dout = rng.normal(size=out.shape)
    right = dict(zip(("dx", "dw", "db"), reference.conv2d_backward(dout, cache), strict=True))
    check_own_gradient(student.conv.conv2d_forward, student.conv.conv2d_backward, arguments, right, [dout])


max_pool_forward.rows(
    ordinary=("1.6", 1, "ordinary values"),
    everywhere=("1.7", 1.5, "other sizes, values, windows and strides, a second call"),
)
max_pool_backward.rows(
    ordinary=("1.8", 1, "ordinary values"),
    everywhere=("1.10", 1.5, "other sizes, values, windows and strides, a second call"),
)


@weight(1)
@number("1.9")
@visibility("visible")
@tags("max_pool_backward")
def test_max_pool_backward_own_gradient(student: Student) -> None:
    """max_pool_backward: the gradient of your own max_pool_forward"""
    rng = np.random.default_rng(25)
    arguments = rng.normal(size=(1, 2, 4, 5)), 2, 3, 1
    dout = rng.normal(size=reference.max_pool_forward(*arguments)[0].shape)
    right = {"dx": arguments[0]}
    check_own_gradient(student.conv.max_pool_forward, student.conv.max_pool_backward, arguments, right, [dout])
