"""Generators: seeds the generators of random numbers before student code, or a replay in its place, runs.

Run in the worker, by the replay of known mistakes and by `check.py`, so that all three draw the same numbers.
"""

from __future__ import annotations

import random

import numpy as np

from autograder.sandbox import limits as limit
from autograder.sandbox.protocol import tensors


def seed_generators() -> None:
    """Seed `numpy.random`, `random`, and torch where it is loaded, with the seed of every worker."""
    np.random.seed(limit.WORKER_SEED)  # noqa: NPY002  (the one that student code uses)
    random.seed(limit.WORKER_SEED)
    tensors.seed(limit.WORKER_SEED)
