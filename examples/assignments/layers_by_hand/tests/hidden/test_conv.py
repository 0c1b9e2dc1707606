"""Hidden tests of conv: convolution and max pooling, forward and backward.

A cache may have any form: it stays with the student's code, and only the backward pass reads it. No two entries of a
window are equal, so that it does not matter who gets the gradient then.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.authoring import Contract, Slopes
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


def convolve(student: Any, x: Any, w: Any, b: Any, stride: int, padding: int, dout: Any) -> Any:
    """Return the output of the student's own forward pass."""
    out, _cache = student.conv2d_forward(x, w, b, stride, padding)
    return out


def draw_few_filters(rng: np.random.Generator) -> list[Any]:
    """Draw two small filters for a gradient check."""
    arrays = [rng.normal(size=shape) for shape in ((2, 1, 3, 4), (2, 1, 2, 3), (2,), (2, 2, 2, 2))]
    return [*arrays[:3], 2, 1, arrays[3]]


def pool(student: Any, x: Any, height: int, width: int, stride: int, dout: Any) -> Any:
    """Return the output of the student's own forward pass."""
    out, _cache = student.max_pool_forward(x, height, width, stride)
    return out


def draw_apart(rng: np.random.Generator) -> list[Any]:
    """Draw entries so far apart that the largest one of a window stays the largest around the point."""
    return [rng.permutation(40).reshape(1, 2, 4, 5) / 2.0, 2, 3, 1, rng.normal(size=(1, 2, 3, 3))]


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
    gradient=Slopes({"dx": "x", "dw": "w", "db": "b"}, of=convolve, times=["dout"], draw=draw_few_filters),
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
    gradient=Slopes({"dx": "x"}, of=pool, times=["dout"], draw=draw_apart),
)
conv2d_forward.rows(
    ordinary=("1.1", 2, "ordinary values"),
    everywhere=("1.2", 3, "other sizes, values, strides and paddings, a second call"),
)
conv2d_backward.rows(
    ordinary=("1.3", 2.5, "ordinary values"),
    gradient_check=("1.4", 3, "the gradient of your own conv2d_forward"),
    everywhere=("1.5", 3.5, "other sizes, values, strides and paddings, a second call"),
)
max_pool_forward.rows(
    ordinary=("1.6", 1, "ordinary values"),
    everywhere=("1.7", 1.5, "other sizes, values, windows and strides, a second call"),
)
max_pool_backward.rows(
    ordinary=("1.8", 1, "ordinary values"),
    gradient_check=("1.9", 1, "the gradient of your own max_pool_forward"),
    everywhere=("1.10", 1.5, "other sizes, values, windows and strides, a second call"),
)
