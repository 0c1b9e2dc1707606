"""Mistakes of dropout as other people write them."""

import numpy as np

from tests.selftest.second_wordings import wording


@wording("dropout_forward_global_generator")
def numpy_random(h, p_drop, training, rng):
    if not training:
        return h, np.ones(h.shape)
    mask = np.random.binomial(1, 1 - p_drop, size=h.shape)  # noqa: NPY002  (the mistake)
    return h * mask / (1 - p_drop), mask
