"""Hidden tests of conv: convolution and max pooling, forward and backward.

A cache may have any form: it stays with the student's code, and only the backward pass reads it. Images, filters and
windows are not square, so that a wrong axis shows; strides and paddings differ, so that one forgotten shows.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Names, Student, checks
from reference import conv as reference
from tests.hidden import slopes

Layer = tuple[np.ndarray, np.ndarray, np.ndarray, int, int]  # x, w, b, stride, padding
Pool = tuple[np.ndarray, int, int, int]  # x, height, width, stride
PLAIN = (2, 2, 4, 5, 3, 3, 2, 1, 0)  # N, C, H, W, F, HH, WW, stride, padding
STRIDED = (2, 2, 4, 5, 2, 2, 3, 2, 1)
LAYERS = [
    (1, 1, 3, 4, 1, 3, 4, 1, 0),  # one window, one entry
    (2, 3, 4, 5, 2, 1, 1, 1, 0),  # filters of one entry
    (2, 1, 5, 4, 2, 2, 3, 2, 0),  # a row and a column that no window reaches
    (3, 2, 3, 4, 2, 3, 3, 1, 2),  # more padding than half a filter
    (2, 3, 7, 5, 2, 3, 2, 3, 1),  # a stride larger than a filter is wide
    (2, 2, 4, 4, 2, 2, 2, 2, 0),  # all square, windows that do not overlap
    (1, 2, 5, 6, 3, 2, 4, 2, 1),
]
POOL = (2, 2, 4, 5, 2, 3, 2)  # N, C, H, W, height, width, stride; windows overlap in a row
OWN_LAYER, OWN_POOL = (2, 2, 3, 4, 2, 2, 3, 2, 1), (1, 2, 4, 5, 2, 3, 1)
POOLS = [
    (1, 1, 2, 3, 2, 3, 1),  # one window
    (2, 2, 6, 4, 2, 2, 2),  # windows that do not overlap
    (2, 3, 5, 5, 3, 2, 1),  # windows that overlap much
    (1, 2, 5, 8, 2, 3, 3),  # rows and columns that no window reaches
    (2, 1, 3, 4, 1, 1, 1),  # windows of one entry
]


def make_layer(seed: int, sizes: tuple[int, ...]) -> Layer:
    """Draw the arguments of conv2d_forward."""
    N, C, H, W, F, HH, WW, stride, padding = sizes
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, C, H, W)), rng.normal(size=(F, C, HH, WW)), rng.normal(size=F), stride, padding


def make_pool(seed: int, sizes: tuple[int, ...]) -> Pool:
    """Draw the arguments of max_pool_forward, without equal entries; some windows are negative throughout."""
    N, C, H, W, *window = sizes
    return np.random.default_rng(seed).normal(size=(N, C, H, W)) - 0.5, *window  # type: ignore[return-value]


def make_dout(seed: int, out: np.ndarray) -> np.ndarray:
    """Draw a gradient of an output."""
    return np.random.default_rng(seed).normal(size=out.shape)


def check_layers(student: Student, layers: Sequence[Layer]) -> None:
    """Compare the output of each convolution with the right one."""
    for layer, out in zip(layers, student.conv.conv2d_forward.each(layers, part=0), strict=True):
        checks.close("out", out, reference.conv2d_forward(*layer)[0])


def check_pools(student: Student, pools: Sequence[Pool]) -> None:
    """Compare the output of each pooling with the right one."""
    for pool, out in zip(pools, student.conv.max_pool_forward.each(pools, part=0), strict=True):
        checks.close("out", out, reference.max_pool_forward(*pool)[0])


def run_backward(student: Student, seed: int, sizes: tuple[int, ...]) -> tuple[object, dict[str, object]]:
    """Call conv2d_backward after the student's own conv2d_forward; return its value and the right gradients."""
    layer = make_layer(seed, sizes)
    out, cache = reference.conv2d_forward(*layer)
    dout = make_dout(seed + 1, out)
    right = dict(zip(("dx", "dw", "db"), reference.conv2d_backward(dout, cache), strict=True))
    kept = student.conv.conv2d_forward.keep(*layer, part=1)
    return student.conv.conv2d_backward(dout, kept), right


def check_backward(student: Student, seed: int, all_sizes: Sequence[tuple[int, ...]], only: str) -> None:
    """Compare one gradient of each convolution with the right one."""
    for sizes in all_sizes:
        got, right = run_backward(student, seed, sizes)
        names = Names(sizes={"the number of images": sizes[0]})
        checks.close(only, checks.take_parts("conv2d_backward", got, right)[only], right[only], names=names)


def check_pool_backward(student: Student, seed: int, all_sizes: Sequence[tuple[int, ...]]) -> None:
    """Compare the gradient of each pooling with the right one."""
    for sizes in all_sizes:
        pool = make_pool(seed, sizes)
        out, cache = reference.max_pool_forward(*pool)
        dout = make_dout(seed + 1, out)
        kept: Any = student.conv.max_pool_forward.keep(*pool, part=1)
        checks.close("dx", student.conv.max_pool_backward(dout, kept), reference.max_pool_backward(dout, cache))


@weight(1.5)
@number("1.1")
@visibility("visible")
@tags("conv2d_forward")
def test_conv2d_forward_plain(student: Student) -> None:
    """conv2d_forward: stride 1, no padding"""
    check_layers(student, [make_layer(11, PLAIN)])


@weight(1.5)
@number("1.2")
@visibility("visible")
@tags("conv2d_forward")
def test_conv2d_forward_strided(student: Student) -> None:
    """conv2d_forward: stride 2, padding 1"""
    check_layers(student, [make_layer(12, STRIDED)])


@weight(2)
@number("1.3")
@visibility("after_due_date")
@tags("conv2d_forward")
def test_conv2d_forward_sizes(student: Student) -> None:
    """conv2d_forward: one image, one window, small and large strides and paddings, windows that do not fit evenly"""
    check_layers(student, [make_layer(13, sizes) for sizes in LAYERS])


@weight(0.75)
@number("1.4")
@visibility("visible")
@tags("conv2d_backward")
def test_conv2d_backward_dx(student: Student) -> None:
    """conv2d_backward: dx, stride 1, no padding"""
    check_backward(student, 14, [PLAIN], "dx")


@weight(0.5)
@number("1.5")
@visibility("visible")
@tags("conv2d_backward")
def test_conv2d_backward_dw(student: Student) -> None:
    """conv2d_backward: dw, stride 1, no padding"""
    check_backward(student, 14, [PLAIN], "dw")


@weight(0.5)
@number("1.6")
@visibility("visible")
@tags("conv2d_backward")
def test_conv2d_backward_db(student: Student) -> None:
    """conv2d_backward: db"""
    check_backward(student, 14, [PLAIN], "db")


@weight(0.25)
@number("1.7")
@visibility("visible")
@tags("conv2d_backward")
def test_conv2d_backward_order(student: Student) -> None:
    """conv2d_backward: the order of the three gradients"""
    checks.require_order("conv2d_backward", *run_backward(student, 14, PLAIN))


@weight(0.75)
@number("1.8")
@visibility("visible")
@tags("conv2d_backward")
def test_conv2d_backward_strided_dx(student: Student) -> None:
    """conv2d_backward: dx, stride 2, padding 1"""
    check_backward(student, 15, [STRIDED], "dx")


@weight(0.5)
@number("1.9")
@visibility("visible")
@tags("conv2d_backward")
def test_conv2d_backward_strided_dw(student: Student) -> None:
    """conv2d_backward: dw, stride 2, padding 1"""
    check_backward(student, 15, [STRIDED], "dw")


@weight(1.25)
@number("1.10")
@visibility("after_due_date")
@tags("conv2d_backward")
def test_conv2d_backward_sizes_dx(student: Student) -> None:
    """conv2d_backward: dx, one image, one window, small and large strides and paddings"""
    check_backward(student, 16, LAYERS, "dx")


@weight(1)
@number("1.11")
@visibility("after_due_date")
@tags("conv2d_backward")
def test_conv2d_backward_sizes_dw(student: Student) -> None:
    """conv2d_backward: dw, one image, one window, small and large strides and paddings"""
    check_backward(student, 16, LAYERS, "dw")


@weight(0.5)
@number("1.12")
@visibility("after_due_date")
@tags("conv2d_backward")
def test_conv2d_backward_sizes_db(student: Student) -> None:
    """conv2d_backward: db, one image, one window, small and large strides and paddings"""
    check_backward(student, 16, LAYERS, "db")


@weight(3)
@number("1.13")
@visibility("visible")
@tags("conv2d_backward")
def test_conv2d_backward_own_gradient(student: Student) -> None:
    """conv2d_backward: gradient check, the gradients beside your own conv2d_forward"""
    got, right = run_backward(student, 17, OWN_LAYER)
    layer, positions = make_layer(17, OWN_LAYER), {"dx": 0, "dw": 1, "db": 2}
    dout = make_dout(18, reference.conv2d_forward(*layer)[0])
    outputs = student.conv.conv2d_forward.each(slopes.shift_arguments(layer, positions), part=0)
    gradients = checks.take_parts("conv2d_backward", got, right)
    slopes.compare_slopes(gradients, layer, positions, outputs, dout)


@weight(1)
@number("1.14")
@visibility("visible")
@tags("max_pool_forward")
def test_max_pool_forward_values(student: Student) -> None:
    """max_pool_forward: windows of 2 by 3, stride 2"""
    check_pools(student, [make_pool(21, POOL)])


@weight(1.5)
@number("1.15")
@visibility("after_due_date")
@tags("max_pool_forward")
def test_max_pool_forward_sizes(student: Student) -> None:
    """max_pool_forward: one window, windows that overlap, windows that do not fit evenly"""
    check_pools(student, [make_pool(22, sizes) for sizes in POOLS])


@weight(1)
@number("1.16")
@visibility("visible")
@tags("max_pool_backward")
def test_max_pool_backward_values(student: Student) -> None:
    """max_pool_backward: windows of 2 by 3, stride 2"""
    check_pool_backward(student, 23, [POOL])


@weight(1.5)
@number("1.17")
@visibility("after_due_date")
@tags("max_pool_backward")
def test_max_pool_backward_sizes(student: Student) -> None:
    """max_pool_backward: one window, windows that overlap, windows that do not fit evenly"""
    check_pool_backward(student, 24, POOLS)


@weight(1)
@number("1.18")
@visibility("visible")
@tags("max_pool_backward")
def test_max_pool_backward_own_gradient(student: Student) -> None:
    """max_pool_backward: gradient check, the gradient beside your own max_pool_forward"""
    pool, positions = make_pool(25, OWN_POOL), {"dx": 0}
    dout = make_dout(26, reference.max_pool_forward(*pool)[0])
    dx = student.conv.max_pool_backward(dout, student.conv.max_pool_forward.keep(*pool, part=1))
    outputs = student.conv.max_pool_forward.each(slopes.shift_arguments(pool, positions), part=0)
    slopes.compare_slopes({"dx": dx}, pool, positions, outputs, dout)
