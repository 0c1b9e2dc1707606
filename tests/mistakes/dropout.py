"""Known wrong answers of dropout."""

from statistics import NormalDist

import numpy as np

from tests.mistakes import mistake_edit

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
    hint="Is the mean of the mask p_drop or 1 - p_drop? Which factor brings it back to 1?",
)


dropout_scale_p = mistake_edit(
    "dropout_scale",
    {"1 / (1 - p_drop)": "p_drop"},
    story="Scales by p_drop itself.",
    hint="Is the mean of the mask p_drop or 1 - p_drop? Which factor brings it back to 1?",
)


dropout_scale_down = mistake_edit(
    "dropout_scale",
    {"1 / (1 - p_drop)": "1 - p_drop"},
    story="Scales down by the probability of keeping a unit, instead of up.",
    hint="Should the units that are kept become larger or smaller?",
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


dropout_forward_same_for_all_rows = mistake_edit(
    "dropout_forward",
    {"(rng.random(h.shape) >= p_drop).astype(np.float64)": "np.ones(h.shape) * (rng.random(h.shape[-1]) >= p_drop)"},
    story="Draws one number for each column, so that all rows of a batch lose the same units.",
    hint="Compare two rows of your mask.",
)


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


dropout_backward_scales_twice = mistake_edit(
    "dropout_backward",
    {"dropout_scale(p_drop)": "dropout_scale(p_drop) ** 2"},
    story="Multiplies by the scale twice, as if the forward pass had done so.",
    hint="How often does the scale occur in h_drop?",
)


dropout_forward_classical = mistake_edit(
    "dropout_forward",
    {"dropout_scale(p_drop) * mask * h": "mask * h", "return h.copy()": "return (1 - p_drop) * h"},
    story="Has the classical form: no scale in training, and units times 1 - p_drop in evaluation.",
    hint="In which of the two, training or evaluation, does the assignment scale?",
)
