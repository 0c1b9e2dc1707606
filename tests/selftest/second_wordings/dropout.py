"""Mistakes of dropout as other people write them; masks are drawn in other ways than the reference's."""

import numpy as np

from tests.selftest.second_wordings import wording


@wording("dropout_forward_scaled_mask")
def inverted_mask(h, p_drop, training, rng):
    if not training:
        return h, np.ones(h.shape)
    mask = (rng.uniform(size=h.shape) > p_drop) / (1 - p_drop)
    return h * mask, mask


@wording("dropout_forward_global_generator")
def numpy_random(h, p_drop, training, rng):
    if not training:
        return h, np.ones(h.shape)
    mask = np.random.binomial(1, 1 - p_drop, size=h.shape)  # noqa: NPY002  (the mistake)
    return h * mask / (1 - p_drop), mask
