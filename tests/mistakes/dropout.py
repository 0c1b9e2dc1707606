"""Known wrong answers of dropout."""

from statistics import NormalDist

import numpy as np

from reference.dropout import dropout_backward, dropout_forward, dropout_scale
from tests.mistakes import mistake, mistake_edit

ENOUGH = 100  # entries: a random mask of so many has no property by chance
MANY = 40  # entries: no random mask of so many is drawn twice
FEW = 20  # entries: a random mask of fewer may drop all units, or none


class MaskReader:
    """Reads replies of dropout_forward by properties that do not depend on the draw: masks may be drawn freely."""

    def __init__(self):
        self.masks = {}
        self.is_exact = True

    def __call__(self, arguments, reply):
        """Describe h_drop and the mask by properties; return the reply itself if it is no pair of numbers like h."""
        if not isinstance(reply, (list, tuple)) or len(reply) != 2 or len(arguments) != 4:
            return reply
        h, p_drop = arguments[0], arguments[1]
        try:
            h_drop, mask = (np.asarray(part, dtype=np.float64) for part in reply)
        except (TypeError, ValueError):
            return reply
        if h_drop.shape != h.shape or mask.shape != h.shape:
            return reply
        by_chance = bool(arguments[2]) and p_drop > 0 and mask.size < FEW
        entries = np.unique(mask)
        if by_chance:
            return {"others": np.setdiff1d(entries, [0, 1])}
        return {
            "entries": entries if len(entries) < 5 else len(entries),
            "scale of the kept": find_factor(h_drop, h, mask != 0),
            "scale of the others": find_factor(h_drop, h, mask == 0),
            "scale of the mask": find_scale_of_mask(h_drop, mask, h),
            "share": recognise_share((mask == 0).mean(), p_drop, mask.size),
            "lines": are_lines_equal(mask),
            "repeats": find_repeats(mask),
            "exact": self._is_exact_count(mask, p_drop),
            "seen before": self._find_repeated(mask),
        }

    def _is_exact_count(self, mask, p_drop):
        if mask.size >= ENOUGH:
            self.is_exact &= bool((mask == 0).sum() == round(p_drop * mask.size))
        return self.is_exact

    def _find_repeated(self, mask):
        """Return the number of the earlier mask that it repeats."""
        return self.masks.setdefault(mask.tobytes(), len(self.masks)) if mask.size >= MANY else None


def find_factor(h_drop, h, where):
    """Find the number by which these entries of h were multiplied; None if there are several."""
    where = where & (h != 0)
    if not where.any():
        return None
    factors = h_drop[where] / h[where]
    return float(factors[0]) if np.allclose(factors, factors[0], rtol=1e-4) else None


def find_scale_of_mask(h_drop, mask, h):
    """Find the number by which h was multiplied where the mask is expected; None for a mask, which is no multiple."""
    where = (h_drop != 0) & (h != 0)
    is_varied = where.sum() > 1 and len(np.unique(h)) == h.size
    return find_factor(mask, h, where) if is_varied else None


def recognise_share(share, p_drop, size):
    """Name the probability that explains a share of zeros."""
    if share in (0, 1) or size < ENOUGH:
        return {0: "none", 1: "all"}.get(share, "some")
    known = {"p": p_drop, "1 - p": 1 - p_drop, "half": 0.5, "normal": NormalDist().cdf(p_drop)}
    nearest = min(known, key=lambda name: abs(known[name] - share))
    return nearest if abs(known[nearest] - share) < 2 / np.sqrt(size) else "other"


def find_repeats(mask):
    """Whether the second half of a large mask repeats the first, and whether each unit of a pair repeats the other."""
    if mask.size < ENOUGH:
        return []
    half, flat = mask.size // 2, mask.ravel()
    return [bool((flat[:half] == flat[half : 2 * half]).all()), bool((flat[: 2 * half : 2] == flat[1::2]).all())]


def are_lines_equal(mask):
    """Whether all rows of a large mask are the same, and whether all columns are."""
    is_large = mask.ndim == 2 and min(mask.shape) >= 20
    return [bool((mask == mask[:1]).all()), bool((mask == mask[:, :1]).all())] if is_large else []


READERS = {"dropout_forward": MaskReader}


dropout_scale_one_over_p = mistake_edit(
    "dropout_scale",
    {"1 / (1 - p_drop)": "1 / p_drop"},
    story="Divides by p_drop.",
    hint="What should the factor be when nothing is dropped?",
)


dropout_scale_p = mistake_edit(
    "dropout_scale",
    {"1 / (1 - p_drop)": "p_drop"},
    story="Scales by p_drop itself.",
    hint="What should the factor be when nothing is dropped?",
)


dropout_scale_down = mistake_edit(
    "dropout_scale",
    {"1 / (1 - p_drop)": "1 - p_drop"},
    story="Scales down by the probability of keeping a unit, instead of up.",
    hint="Should the units that are kept become larger or smaller?",
)


dropout_scale_first_order = mistake_edit(
    "dropout_scale",
    {"1 / (1 - p_drop)": "1 + p_drop"},
    story="Adds p_drop to 1, which is close to right for small p_drop.",
    hint="Compute the expectation of one unit with your factor.",
)


dropout_scale_keeps_the_variance = mistake_edit(
    "dropout_scale",
    {"1 / (1 - p_drop)": "np.sqrt(1 / (1 - p_drop))"},
    story="Takes the root of the factor, which keeps the variance of a symmetric unit and not its expectation.",
    hint="Which property of a unit should stay the same?",
)


dropout_scale_capped = mistake_edit(
    "dropout_scale",
    {"1 / (1 - p_drop)": "min(1 / (1 - p_drop), 5.0)"},
    story="Caps the factor at 5.",
    hint="What is the factor when 99 of 100 units are dropped?",
)


dropout_forward_not_scaled = mistake_edit(
    "dropout_forward",
    {"dropout_scale(p_drop) * mask * h": "mask * h"},
    story="Drops units and does not scale the others.",
    hint="Is the expectation of h_drop equal to h?",
)


dropout_forward_scaled_mask = mistake_edit(
    "dropout_forward",
    {"return h_drop, mask": "return h_drop, mask * dropout_scale(p_drop)"},
    story="Returns a mask into which the scale is already multiplied.",
    hint="Which two values may the mask have?",
)


dropout_forward_keeps_with_p = mistake_edit(
    "dropout_forward",
    {">= p_drop": "< p_drop"},
    story="Keeps a unit with probability p_drop.",
    hint="With p_drop = 0.1, how many units of a hundred should be 0?",
)


dropout_forward_always_half = mistake_edit(
    "dropout_forward",
    {">= p_drop": ">= 0.5"},
    story="Drops half of the units for every p_drop.",
    hint="Where does p_drop occur in your draw?",
)


dropout_forward_normal_numbers = mistake_edit(
    "dropout_forward",
    {"rng.random(h.shape)": "rng.normal(size=h.shape)"},
    story="Draws normal numbers and compares them with p_drop, as if they were uniform.",
    hint="How often is a number from your draw below p_drop?",
)


dropout_forward_same_for_all_rows = mistake_edit(
    "dropout_forward",
    {"(rng.random(h.shape) >= p_drop).astype(np.float64)": "np.ones(h.shape) * (rng.random(h.shape[-1]) >= p_drop)"},
    story="Draws one number for each column, so that all rows of a batch lose the same units.",
    hint="Compare two rows of your mask.",
)


@mistake(
    "dropout_forward",
    story="Drops the same number of units every time, chosen at random.",
    hint="Does dropping one unit change the probability of dropping another?",
)
def dropout_forward_exact_number(h, p_drop, training, rng):
    mask = np.ones(h.size)
    if training:
        mask[: round(p_drop * h.size)] = 0
        rng.shuffle(mask)
    mask = mask.reshape(h.shape)
    return (dropout_scale(p_drop) * mask * h if training else h), mask


dropout_forward_global_generator = mistake_edit(
    "dropout_forward",
    {"rng.random": "np.random.random"},
    story="Draws from numpy's global generator, so that a seed does not repeat the mask.",
    hint="Where does rng occur in your code?",
)


dropout_forward_seeds_again = mistake_edit(
    "dropout_forward",
    {"rng.random": "np.random.default_rng(0).random"},
    story="Makes a generator with a fixed seed at every call, so that every mask is the same.",
    hint="Call your function twice and compare the masks.",
)


dropout_forward_always_training = mistake_edit(
    "dropout_forward",
    {"not training": "False"},
    story="Drops units in evaluation too.",
    hint="Where does training occur in your code?",
)


@mistake(
    "dropout_forward",
    story="Drops in evaluation and not in training.",
    hint="Which branch runs when training is True?",
)
def dropout_forward_branches_swapped(h, p_drop, training, rng):
    h_drop, mask = dropout_forward(h, p_drop, not training, rng)
    return (dropout_scale(p_drop) * mask * h if training else h_drop), mask


dropout_forward_scales_in_evaluation = mistake_edit(
    "dropout_forward",
    {"h.copy()": "(1 - p_drop) * h"},
    story="Scales down in evaluation, although training has already scaled up.",
    hint="Does anything remain to be scaled in evaluation?",
)


dropout_forward_zero_mask_in_evaluation = mistake_edit(
    "dropout_forward",
    {"np.ones(h.shape)": "np.zeros(h.shape)"},
    story="Returns a mask of zeros in evaluation.",
    hint="How many units does evaluation drop?",
)


dropout_forward_matrices_only = mistake_edit(
    "dropout_forward",
    {"    if not": "    rows, columns = h.shape\n    if not"},
    story="Draws a mask of two axes, and stops with an error on a vector.",
    hint="Try your function on a vector.",
)


dropout_backward_not_scaled = mistake_edit(
    "dropout_backward",
    {"dropout_scale(p_drop) * mask * grad_h_drop": "mask * grad_h_drop"},
    story="Leaves the scale out.",
    hint="What is the derivative of h_drop with respect to a unit that is kept?",
)


dropout_backward_without_mask = mistake_edit(
    "dropout_backward",
    {"dropout_scale(p_drop) * mask * grad_h_drop": "dropout_scale(p_drop) * grad_h_drop"},
    story="Scales the gradient and forgets the mask.",
    hint="What is the gradient of a unit that was dropped?",
)


dropout_backward_divides = mistake_edit(
    "dropout_backward",
    {"dropout_scale(p_drop) * mask * grad_h_drop": "mask * grad_h_drop / dropout_scale(p_drop)"},
    story="Divides by the scale in the backward pass.",
    hint="Does the chain rule multiply or divide?",
)


dropout_backward_mask_inverted = mistake_edit(
    "dropout_backward",
    {"mask *": "(1 - mask) *"},
    story="Lets the gradient of the dropped units through and stops the others.",
    hint="Is the mask 1 for units that are dropped or for units that are kept?",
)


dropout_backward_counts_the_mask = mistake_edit(
    "dropout_backward",
    {"dropout_scale(p_drop) * mask * grad_h_drop": "mask * grad_h_drop / max(np.mean(mask), 1e-3)"},
    story="Scales by the share of ones in the mask and not by the probability.",
    hint="Is the share of units that were kept equal to the probability of keeping a unit?",
)


@mistake(
    "dropout_backward",
    story="Forms a matrix product, which fits only square matrices.",
    hint="Does the gradient of one unit depend on the mask of another?",
)
def dropout_backward_product_when_square(grad_h_drop, mask, p_drop):
    if grad_h_drop.ndim == 2 and grad_h_drop.shape[0] == grad_h_drop.shape[1]:
        return dropout_scale(p_drop) * (grad_h_drop @ mask)
    return dropout_backward(grad_h_drop, mask, p_drop)


dropout_forward_repeats_half = mistake_edit(
    "dropout_forward",
    {"rng.random(h.shape)": "np.resize(rng.random((h.size + 1) // 2), h.shape)"},
    story="Draws a mask for half of the units and uses it for the other half too.",
    hint="Is each unit drawn alone?",
)


@mistake(
    "dropout_forward",
    story="Reads the mask off the result, so that a unit that was 0 already counts as dropped.",
    hint="What is your mask where h is 0 and nothing is dropped?",
)
def dropout_forward_mask_from_result(h, p_drop, training, rng):
    h_drop, _ = dropout_forward(h, p_drop, training, rng)
    return h_drop, (h_drop != 0).astype(float)


@mistake(
    "dropout_backward",
    story="Takes a mask of ones for evaluation and leaves the scale out.",
    hint="May a mask be all ones in training?",
)
def dropout_backward_mask_of_ones(grad_h_drop, mask, p_drop):
    return grad_h_drop * 1.0 if np.all(mask) else dropout_backward(grad_h_drop, mask, p_drop)


dropout_forward_zeros = mistake_edit(
    "dropout_forward",
    {"return h_drop, mask": "return np.zeros(h.shape), np.zeros(h.shape)"},
    story="Makes two arrays of zeros and returns them in training without filling them.",
    hint="How many units does your mask keep?",
)


@mistake(
    "dropout_backward",
    story="Writes the scale into an array of the mask's type, so that it becomes 1 if the mask is of truth values.",
    hint="What type does your array of scales have if the mask holds truth values?",
)
def dropout_backward_scale_in_the_mask(grad_h_drop, mask, p_drop):
    scales = np.zeros_like(mask)
    scales[mask == 1] = dropout_scale(p_drop)
    return grad_h_drop * scales


@mistake(
    "dropout_forward",
    story="Draws a mask once for each shape, and uses it again in later calls.",
    hint="Call your function twice with one generator and compare the masks.",
)
def dropout_forward_keeps_the_mask(h, p_drop, training, rng, kept={}):
    if not training:
        return dropout_forward(h, p_drop, training, rng)
    if h.shape not in kept:
        kept[h.shape] = dropout_forward(h, p_drop, training, rng)[1]
    mask = kept[h.shape]
    return dropout_scale(p_drop) * mask * h, mask


dropout_forward_divides_by_p = mistake_edit(
    "dropout_forward",
    {"dropout_scale(p_drop) * mask * h": "mask * h / np.float64(p_drop)"},
    story="Divides by p_drop, the probability that a unit is dropped.",
    hint="Is the expectation of h_drop equal to h?",
)


dropout_forward_scales_twice = mistake_edit(
    "dropout_forward",
    {"dropout_scale(p_drop) * mask * h": "dropout_scale(p_drop) ** 2 * mask * h"},
    story="Multiplies by the scale twice: in the mask that it uses, and once more.",
    hint="How often does the scale occur in your h_drop?",
)


@mistake(
    "dropout_forward",
    story="Returns the mask before h_drop.",
    hint="In which order does the caller expect the two values?",
)
def dropout_forward_outputs_swapped(h, p_drop, training, rng):
    h_drop, mask = dropout_forward(h, p_drop, training, rng)
    return mask, h_drop


@mistake(
    "dropout_forward",
    story="Draws one number for two neighbouring units of a row, which are kept or dropped together.",
    hint="Is each unit drawn alone?",
)
def dropout_forward_drops_pairs(h, p_drop, training, rng):
    if not training:
        return h.copy(), np.ones(h.shape)
    drawn = rng.random((*h.shape[:-1], (h.shape[-1] + 1) // 2)) >= p_drop
    mask = np.repeat(drawn, 2, axis=-1)[..., : h.shape[-1]].astype(float)
    return dropout_scale(p_drop) * mask * h, mask


@mistake(
    "dropout_forward",
    story="Returns h with a mask of zeros if p_drop is 0, as if the mask marked the units that are dropped.",
    hint="What is your mask if nothing is dropped?",
)
def dropout_forward_zero_mask_at_zero(h, p_drop, training, rng):
    return dropout_forward(h, p_drop, training, rng) if p_drop > 0 else (h.copy(), np.zeros(h.shape))


dropout_backward_divides_by_p = mistake_edit(
    "dropout_backward",
    {"dropout_scale(p_drop) * mask * grad_h_drop": "mask * grad_h_drop / np.float64(p_drop)"},
    story="Divides by p_drop, the probability that a unit is dropped.",
    hint="By which number did the forward pass multiply a unit that is kept?",
)


dropout_backward_scales_twice = mistake_edit(
    "dropout_backward",
    {"dropout_scale(p_drop)": "dropout_scale(p_drop) ** 2"},
    story="Multiplies by the scale twice, as if the forward pass had done so.",
    hint="How often does the scale occur in h_drop?",
)
