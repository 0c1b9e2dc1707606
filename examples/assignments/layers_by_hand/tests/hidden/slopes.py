"""Slopes: compares the gradients of a backward pass with the slopes of the student's own forward pass.

An output that is linear in an argument, as that of a convolution is, has no other check of the gradient beside the
student's own output: any function is linear whose output is a plain sum. So slopes that are all alike are refused.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.authoring import checks, gradient_check

STEP = 1e-4  # far below the distance of two random entries, so that the largest one of a window stays the largest


def check_own_gradient(
    forward: Any, backward: Any, arguments: Sequence[Any], right: Mapping[str, np.ndarray], douts: Sequence[np.ndarray]
) -> None:
    """Check a backward pass beside the forward pass that makes its cache, both of the student.

    `arguments`: of the forward pass, whose outputs come before the cache; `right`: a gradient of the right shape for
    each of the first arguments, in their order; `douts`: the gradients of the loss in the outputs.
    """
    returned = backward(*douts, forward.keep(*arguments, part=len(douts)))
    gradients = checks.take_parts("the backward pass", returned, right)
    calls = list_shifted(arguments, len(right))
    losses = np.zeros(len(calls))
    for part, dout in enumerate(douts):
        outputs = forward.each(calls, part=part)
        losses += [float((checks.array("out", each, dout.shape) * dout).sum()) for each in outputs]
    slopes = np.split((losses[::2] - losses[1::2]) / (2 * STEP), np.cumsum([each.size for each in right.values()]))
    for (name, gradient), slope in zip(right.items(), slopes, strict=False):
        is_plain = len(np.unique(np.round(slope, 6))) < min(3, slope.size)
        checks.require(not is_plain, "out", f"an output on which the entries of {name[1:]} act differently", "another")
        value = checks.array(name, gradients[name], gradient.shape)
        gradient_check.require_slopes(name, value, [slope.reshape(gradient.shape)], of="your own forward pass")


def list_shifted(arguments: Sequence[Any], count: int) -> list[tuple[Any, ...]]:
    """Return calls with one entry a step larger, and a step smaller: of each of the first arguments, entry by entry."""
    calls = []
    for position in range(count):
        for index in np.ndindex(arguments[position].shape):
            for step in (STEP, -STEP):
                changed = arguments[position].copy()
                changed[index] += step
                calls.append((*arguments[:position], changed, *arguments[position + 1 :]))
    return calls
