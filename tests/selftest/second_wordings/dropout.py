"""Mistakes of dropout as other people write them; masks are drawn in other ways than the reference's."""

import numpy as np

from tests.selftest.second_wordings import wording


@wording("dropout_scale_one_over_p")
def inverse(p_drop):
    return p_drop**-1


@wording("dropout_scale_down")
def kept_share(p_drop):
    keep = 1.0
    keep -= p_drop
    return keep


@wording("dropout_forward_not_scaled")
def masked_only(h, p_drop, training, rng):
    if training:
        mask = rng.binomial(1, 1 - p_drop, size=h.shape)
        return h * mask, mask
    return h, np.ones_like(h)


@wording("dropout_forward_scaled_mask")
def inverted_mask(h, p_drop, training, rng):
    if not training:
        return h, np.ones(h.shape)
    mask = (rng.uniform(size=h.shape) > p_drop) / (1 - p_drop)
    return h * mask, mask


@wording("dropout_forward_keeps_with_p")
def binomial_of_p(h, p_drop, training, rng):
    mask = rng.binomial(1, p_drop, h.shape) if training else np.ones(h.shape)
    return h * mask / (1 - p_drop if training else 1), mask


@wording("dropout_forward_global_generator")
def numpy_random(h, p_drop, training, rng):
    if not training:
        return h, np.ones(h.shape)
    mask = np.random.binomial(1, 1 - p_drop, size=h.shape)  # noqa: NPY002  (the mistake)
    return h * mask / (1 - p_drop), mask


@wording("dropout_forward_always_training")
def no_branch(h, p_drop, training, rng):
    mask = np.array([float(rng.random() >= p_drop) for _ in range(h.size)]).reshape(h.shape)
    return h * mask / (1 - p_drop), mask


@wording("dropout_backward_not_scaled")
def where_kept(grad, mask, p_drop):
    return np.where(mask == 1, grad, 0)
