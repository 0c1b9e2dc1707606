"""Slopes: measures how the output of a student's forward pass changes with each of its arguments.

An output that is linear in an argument, as that of a convolution is, has no other check of the gradient beside the
student's own output: any function is linear whose output is a plain sum. So slopes that are all alike are refused.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.authoring import checks, gradient_check

STEP = 1e-4  # far below the distance of two random entries, so that the largest one of a window stays the largest


def shift_arguments(arguments: Sequence[Any], positions: Mapping[str, int]) -> list[tuple[Any, ...]]:
    """Return calls with one entry a step larger or smaller: of each array, in the order of its entries."""
    calls = []
    for position in positions.values():
        for index in np.ndindex(arguments[position].shape):
            for step in (STEP, -STEP):
                changed = arguments[position].copy()
                changed[index] += step
                calls.append((*arguments[:position], changed, *arguments[position + 1 :]))
    return calls


def compare_slopes(
    gradients: Mapping[str, object],
    arguments: Sequence[Any],
    positions: Mapping[str, int],
    outputs: Sequence[object],
    dout: np.ndarray,
) -> None:
    """Compare gradients, by name, with the slopes of the outputs for the calls of `shift_arguments`."""
    losses = iter([float((checks.array("out", each, dout.shape) * dout).sum()) for each in outputs])
    for name, position in positions.items():
        shape = arguments[position].shape
        pairs = np.array([(next(losses), next(losses)) for _ in np.ndindex(shape)])
        slopes = ((pairs[:, 0] - pairs[:, 1]) / (2 * STEP)).reshape(shape)
        is_plain = len(np.unique(np.round(slopes, 6))) < min(3, slopes.size)
        checks.require(not is_plain, "out", f"an output on which the entries of {name[1:]} act differently", "another")
        value = checks.array(name, gradients[name], shape)
        gradient_check.require_slopes(name, value, [slopes], of="your own forward pass")
