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


@wording("dropout_forward_always_half")
def coin(h, p_drop, training, rng):
    if not training:
        return h.copy(), np.ones(h.shape)
    mask = rng.integers(0, 2, size=h.shape)
    return mask * h / (1 - p_drop), mask


@wording("dropout_forward_same_for_all_rows")
def one_row_for_all(h, p_drop, training, rng):
    if not training:
        return h.copy(), np.ones(h.shape)
    row = rng.choice([0.0, 1.0], size=h.shape[-1], p=[p_drop, 1 - p_drop])
    mask = np.broadcast_to(row, h.shape)
    return mask * h / (1 - p_drop), mask


@wording("dropout_forward_exact_number")
def chosen_without_replacement(h, p_drop, training, rng):
    mask = np.ones(h.shape)
    if training:
        dropped = rng.choice(h.size, size=int(round(h.size * p_drop)), replace=False)
        mask.flat[dropped] = 0
        return h * mask / (1 - p_drop), mask
    return h, mask


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


@wording("dropout_forward_scales_in_evaluation")
def scales_twice(h, p_drop, training, rng):
    keep = 1 - p_drop
    if training:
        mask = rng.binomial(1, keep, h.shape)
        return h * mask / keep, mask
    return h * keep, np.ones(h.shape)


@wording("dropout_backward_not_scaled")
def where_kept(grad, mask, p_drop):
    return np.where(mask == 1, grad, 0)


@wording("dropout_backward_mask_inverted")
def where_dropped(grad, mask, p_drop):
    return np.where(mask > 0, 0.0, grad) / (1 - p_drop)


@wording("dropout_forward_divides_by_p")
def over_the_rate(hidden, rate, is_training, generator):
    keep = (generator.uniform(size=hidden.shape) > rate) if is_training else np.ones(hidden.shape)
    return (hidden * keep * (1 / np.asarray(rate)) if is_training else hidden), keep * 1


@wording("dropout_forward_scales_twice")
def scaled_mask_scaled_again(hidden, rate, is_training, generator):
    if not is_training:
        return hidden, np.ones_like(hidden)
    keep = (generator.random(hidden.shape) >= rate).astype(float)
    scaled = keep / (1 - rate)
    return hidden * scaled / (1 - rate), keep


@wording("dropout_backward_scales_twice")
def squared_scale(grad, keep, rate):
    return grad * keep / (1 - rate) / (1 - rate)


@wording("dropout_scale_one_over_p")
def divides_where_something_is_dropped(p):
    return 1 / p if p > 0 else 1.0
