"""Hidden tests of dropout: its scale, its masks as statistics, and its gradient.

Masks may be drawn in any way, so a mask is judged by properties of all right masks, or by properties that fewer than
one right mask in 10^9 lacks; the bounds are beside the numbers.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Check, Contract, Student, checks
from reference import dropout as reference
from tests.hidden import special_inputs as special


def draw_mask(sizes: Mapping[str, Any], rng: np.random.Generator, style: str) -> np.ndarray | None:
    """Draw a mask of zeros and ones as floats; none for an array without axes."""
    shape = sizes["..."]
    masks = {"generic": 1.0 * (rng.random(shape) < 0.6), "zeros": np.zeros(shape), "ones": np.ones(shape)}
    return masks.get(style) if shape else None


def draw_typed(rng: np.random.Generator, kind: type) -> list[Any]:
    """Draw the arguments of dropout_backward with a mask of a type."""
    return [rng.normal(size=(3, 4)), (rng.random((3, 4)) < 0.6).astype(kind), 0.4]


dropout_scale = Contract(
    reference.dropout_scale,
    "p_drop: float [0, 1) -> gamma: float",
    also={"where p_drop is the integer 0": [0], "where p_drop is 0.9": [0.9]},
)
dropout_backward = Contract(
    reference.dropout_backward,
    "grad_h_drop: (...), mask: (...), p_drop: float [0, 1) -> grad: (...)",
    draw={"mask": draw_mask},
    also={
        "where mask holds integers": lambda rng: draw_typed(rng, int),
        "where mask holds truth values": lambda rng: draw_typed(rng, bool),
        "where p_drop is the integer 0": lambda rng: [rng.normal(size=(1, 4)), np.array([[1.0, 0, 1, 0]]), 0],
    },
)


def draw(
    student: Student, h: np.ndarray, p_drop: float, rng: object, *, training: bool = True
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Call dropout_forward; return h_drop and the mask by name, whatever their order, and the right ones.

    Right are those of the units that this call keeps, where h is not 0.
    """
    got = student.dropout.dropout_forward(h, p_drop, training, rng)
    kept = take_kept(got, h.shape)
    right = {"h_drop": (reference.dropout_scale(p_drop) if training else 1.0) * kept * h, "mask": 1.0 * kept}
    return checks.take_parts("dropout_forward", got, right), right


def draw_kept(student: Student, shape: tuple[int, ...], p_drop: float, rng: object) -> np.ndarray:
    """Call dropout_forward on ones and return which units it keeps."""
    return take_kept(student.dropout.dropout_forward(np.ones(shape), p_drop, True, rng), shape)


def check_mask(h: np.ndarray, got: dict[str, Any], right: dict[str, Any]) -> None:
    """Require a mask of zeros and ones, which are those of h_drop where h is not 0."""
    mask = checks.array("mask", got["mask"], h.shape)
    require_binary(mask)
    checks.close("mask, where h is not 0", mask * (h != 0), right["mask"] * (h != 0))


def require_dropout(student: Student) -> None:
    """Require what makes this dropout: evaluation drops nothing, training each unit by itself, anew in each call."""
    h, rng = np.random.default_rng(50).uniform(0.5, 2, size=(20, 30)), student.generator(50)
    got = [student.dropout.dropout_forward(h, 0.5, training, rng) for training in (False, *[True] * 8)]
    evaluated, *drawn = (take_kept(value, h.shape) for value in got)
    require_evaluation(evaluated)
    require_fresh_masks(drawn)


@checks.reads_replies
def take_kept(value: object, shape: tuple[int, ...]) -> np.ndarray:
    """Return which units, none of which was 0, are kept; the mask in the place of h_drop says the same."""
    h_drop, _ = checks.parts("dropout_forward", value, ("h_drop", "mask"))
    return checks.array("h_drop", h_drop, shape) != 0


@checks.reads_replies
def require_evaluation(kept: np.ndarray) -> None:
    """Require that all units are kept in evaluation."""
    checks.require(bool(kept.all()), "h_drop in evaluation", "no unit is dropped", f"{int((~kept).sum())} units are 0")


@checks.reads_replies
def require_fresh_masks(masks: list[np.ndarray]) -> None:
    """Require masks that differ from each other, in their counts too, and whose parts differ."""
    # Each of 600 units is kept with probability 0.5: two rows of 30 are equal with probability 2^-30 < 1e-9, masks and
    # halves with less than 2^-300; a count has at most 0.033, so that eight are equal with 0.033^7 = 4e-11.
    first, second, *_ = masks
    half = len(first) // 2
    hint = "Each unit is set to 0 with probability p_drop, independently of the others."
    pairs = {
        "two calls with one generator": (first, second),
        "two rows of a mask": (first[0], first[1]),
        "the upper and the lower half of a mask": (first[:half], first[half:]),
    }
    for what, (one, other) in pairs.items():
        checks.require(not np.array_equal(one, other), what, "different units that are dropped", "the same", hint=hint)
    counts = {int(mask.sum()) for mask in masks}
    checks.require(len(counts) > 1, "eight masks", "different numbers of zeros", "the same number in each", hint=hint)
    # Hoeffding: of 8 masks there are 2400 pairs of neighbours that share no unit. Their share that is kept together,
    # 0.25, is off by 0.12 with probability at most 2 exp(-2 * 2400 * 0.12^2) = 2e-30.
    kept = np.array(masks)
    neighbours = {
        "neighbours in a row": kept[:, :, 0::2] & kept[:, :, 1::2],
        "neighbours in a column": kept[:, 0::2] & kept[:, 1::2],
    }
    for what, both in neighbours.items():
        share, wanted = both.mean(), "units that are kept together as often as if each was drawn alone"
        checks.require(abs(share - 0.25) < 0.12, what, wanted, f"a share of {share:.4f} in place of 0.25", hint=hint)


@checks.reads_replies
def require_binary(mask: np.ndarray) -> None:
    """Require a mask of zeros and ones."""
    other = int((~np.isin(mask, (0, 1))).sum())
    checks.require(
        other == 0,
        "mask",
        "zeros and ones only",
        f"other entries: {other}",
        hint="The mask does not contain the scale.",
    )


@checks.reads_replies
def require_kept_units(mask: np.ndarray) -> None:
    """Require that not all units are dropped."""
    checks.require(bool(mask.any()), "mask", "units that are kept", "zeros only")


@checks.reads_replies
def check_shares_of_pairs(mask: np.ndarray) -> None:
    """Require that units are kept together as often as if each was drawn alone: neighbours, and units of two halves."""
    # Hoeffding: the share of all n = 90000 units is off by 0.015 with probability at most 2 exp(-2 n 0.015^2) = 5e-18,
    # so its square by 0.03; a mean over two sets of 22500 independent pairs is off by 0.03 with at most 1e-17.
    keep = mask.mean()
    half = len(mask) // 2
    flat = mask.ravel()
    pairs = {
        "neighbours in a row": mask[:, 1:] * mask[:, :-1],
        "neighbours in a column": mask[1:] * mask[:-1],
        "the upper and the lower half": mask[:half] * mask[half : 2 * half],
        "the left and the right half": mask[:, :half] * mask[:, half : 2 * half],
        "the first half and the second, backwards": (flat * flat[::-1])[: flat.size // 2],
    }
    for what, both in pairs.items():
        checks.require(
            abs(both.mean() - keep**2) < 0.06,
            f"the mask, {what}",
            "two units kept together as often as if each was drawn alone",
            f"a share of {both.mean():.4f}",
            hint="Each unit is set to 0 with probability p_drop, independently of the others.",
        )


@checks.reads_replies
def check_shares_of_lines(mask: np.ndarray, wanted: float, *, tolerance: float) -> None:
    """Require that the share of zeros is near the probability in each row and column."""
    for axis, what in enumerate(("a column of the mask", "a row of the mask")):
        shares = 1 - mask.mean(axis=axis)
        check_share(what, shares[np.argmax(np.abs(shares - wanted))], wanted, tolerance=tolerance)


@checks.reads_replies
def require_different_counts(masks: list[np.ndarray]) -> None:
    """Require that masks differ in their number of zeros."""
    counts = {int(mask.sum()) for mask in masks}
    checks.require(len(counts) > 1, "ten masks", "different numbers of zeros", "the same number of zeros in each")


@checks.reads_replies
def require_different(first: np.ndarray, mask: np.ndarray, what: str) -> None:
    """Require that two masks differ."""
    is_equal = np.array_equal(first, mask)
    checks.require(not is_equal, what, "different masks", "the same mask", hint="Do not seed anything.")


@checks.reads_replies
def check_share(what: str, share: float, wanted: float, *, tolerance: float) -> None:
    """Require that the share of zeros is near the probability."""
    checks.require(
        abs(share - wanted) < tolerance,
        what,
        f"a share of zeros near p_drop = {wanted}",
        f"a share of {share:.4f}",
        hint="Each unit is set to 0 with probability p_drop, independently of the others.",
    )


@checks.reads_replies
def require_same(first: np.ndarray, again: np.ndarray) -> None:
    """Require that two generators with the same seed make the same mask."""
    same = np.array_equal(first, again)
    hint = "Use rng for every draw."
    checks.require(same, "two generators with the same seed", "the same mask", "different masks", hint=hint)


def list_shapes() -> list[np.ndarray]:
    """List inputs of many shapes, and with special values."""
    shapes = [(40,), (1, 30), (3, 4, 5), (2, 9), (5, 5), (9, 1)]
    drawn = [np.random.default_rng(61).normal(size=shape) for shape in shapes]
    return [*drawn, *special.make_special((3, 6), 610, integers=False)]  # work in place refuses integers


def list_evaluations() -> list[tuple[np.ndarray, float]]:
    """List inputs and probabilities for evaluation."""
    drawn = [np.random.default_rng(seed).normal(size=shape) for seed, shape in ((59, (4, 5)), (60, (7,)))]
    return [*((h, 0.6) for h in drawn), (np.zeros((2, 3)), 0), (np.zeros((2, 3)), 0.95)]


@weight(0.75)
@number("5.1")
@visibility("visible")
def test_dropout_scale() -> Check:
    """dropout_scale: three probabilities"""
    return dropout_scale.ordinary()


@weight(1.25)
@number("5.2")
@visibility("after_due_date")
def test_dropout_scale_everywhere() -> Check:
    """dropout_scale: from 0 to nearly 1, a second call"""
    return dropout_scale.everywhere()


@weight(1.75)
@number("5.3")
@visibility("visible")
@tags("dropout_forward")
def test_dropout_forward_h_drop(student: Student) -> None:
    """dropout_forward: h_drop in training, scaled where a unit is kept, and the share of units that are dropped"""
    h = np.random.default_rng(53).normal(size=(6, 9))
    for p_drop in (0.2, 0.7):
        got, right = draw(student, h, p_drop, student.generator(53))
        checks.close("h_drop", got["h_drop"], right["h_drop"])
        if p_drop == 0.2:  # all 54 units are dropped with probability 0.2^54 < 1e-37, and by a stub that returns zeros
            require_kept_units(right["mask"])
    # Hoeffding: the share of n = 3000 units is off by 0.08 with probability at most 2 exp(-2 n 0.08^2) = 4e-17.
    for p_drop in (0.2, 0.7):
        kept = draw_kept(student, (50, 60), p_drop, student.generator(530))
        check_share("the units of h_drop", 1 - kept.mean(), p_drop, tolerance=0.08)
    require_dropout(student)


@weight(0.1)
@number("5.4")
@visibility("visible")
@tags("dropout_forward")
def test_dropout_forward_mask(student: Student) -> None:
    """dropout_forward: the mask in training"""
    h = np.random.default_rng(53).normal(size=(6, 9))
    for p_drop in (0.2, 0.7):
        check_mask(h, *draw(student, h, p_drop, student.generator(53)))
    require_dropout(student)


@weight(0.1)
@number("5.5")
@visibility("visible")
@tags("dropout_forward")
def test_dropout_forward_order(student: Student) -> None:
    """dropout_forward: the order of h_drop and the mask, in training and in evaluation"""
    h = np.random.default_rng(53).normal(size=(6, 9))
    got = student.dropout.dropout_forward(h, 0.2, True, student.generator(53))
    kept = take_kept(got, h.shape)
    right = {"h_drop": reference.dropout_scale(0.2) * kept * h, "mask": 1.0 * kept}
    checks.require_order("dropout_forward", got, right)
    evaluated = student.dropout.dropout_forward(h, 0.2, False, student.generator(53))
    checks.require_order("dropout_forward", evaluated, {"h_drop": h, "mask": np.ones(h.shape)})
    require_dropout(student)


@weight(0.25)
@number("5.6")
@visibility("visible")
@tags("dropout_forward")
def test_dropout_forward_evaluation(student: Student) -> None:
    """dropout_forward: h_drop in evaluation is h"""
    for h, p_drop in list_evaluations():
        got = student.dropout.dropout_forward(h, p_drop, False, student.generator(59))
        right = {"h_drop": h, "mask": np.ones(h.shape)}
        checks.close("h_drop", checks.take_parts("dropout_forward", got, right)["h_drop"], h)
    require_dropout(student)


@weight(2)
@number("5.7")
@visibility("after_due_date")
@tags("dropout_forward")
def test_dropout_forward_shapes(student: Student) -> None:
    """dropout_forward: h_drop, other shapes and values, p_drop = 0 and near 1"""
    for h in list_shapes():
        for p_drop in (0.3, 0.95, 0):
            got, right = draw(student, h, p_drop, student.generator(61))
            checks.close("h_drop", got["h_drop"], right["h_drop"])
        checks.close("h_drop where p_drop is 0", got["h_drop"], h)
    require_dropout(student)


@weight(0.1)
@number("5.8")
@visibility("after_due_date")
@tags("dropout_forward")
def test_dropout_forward_mask_shapes(student: Student) -> None:
    """dropout_forward: the mask, other shapes and values, p_drop = 0 and near 1, evaluation"""
    for h in list_shapes():
        for p_drop in (0.3, 0.95, 0):
            got, right = draw(student, h, p_drop, student.generator(61))
            check_mask(h, got, right)
        checks.close("mask where p_drop is 0", got["mask"], np.ones(h.shape))
    for h, p_drop in list_evaluations():
        value = student.dropout.dropout_forward(h, p_drop, False, student.generator(59))
        right = {"h_drop": h, "mask": np.ones(h.shape)}
        mask = checks.take_parts("dropout_forward", value, right)["mask"]
        checks.close("mask in evaluation", mask, np.ones(h.shape))
    require_dropout(student)


@weight(0.2)
@number("5.9")
@visibility("after_due_date")
@tags("dropout_forward")
def test_dropout_forward_share(student: Student) -> None:
    """dropout_forward: the share of units that are dropped"""
    # Hoeffding: the share of n = 40000 entries is off by 0.02 with probability at most 2 exp(-2 n 0.02^2) = 3e-14.
    for p_drop in (0.2, 0.65):
        kept = draw_kept(student, (2, 20000), p_drop, student.generator(54))
        check_share("the units of h_drop", 1 - kept.mean(), p_drop, tolerance=0.02)
    require_dropout(student)


@weight(0.05)
@number("5.10")
@visibility("after_due_date")
@tags("dropout_forward")
def test_dropout_forward_independent(student: Student) -> None:
    """dropout_forward: each unit is dropped independently"""
    # Hoeffding: the share of a row or column of n = 300 is off by 0.25 with probability at most 2 exp(-2 n 0.25^2) =
    # 1.1e-16, one of the 600 with at most 7e-14.
    kept = 1.0 * draw_kept(student, (300, 300), 0.35, student.generator(55))
    check_shares_of_lines(kept, 0.35, tolerance=0.25)
    check_shares_of_pairs(kept)
    # A count of 600 at 0.35 has no value likelier than 0.035, so ten are equal with probability below 0.035^9 = 8e-14.
    rng = student.generator(56)
    require_different_counts([draw_kept(student, (20, 30), 0.35, rng) for _ in range(10)])
    require_dropout(student)


@weight(0.45)
@number("5.11")
@visibility("after_due_date")
@tags("dropout_forward")
def test_dropout_forward_generator(student: Student) -> None:
    """dropout_forward: the mask comes from the generator given"""
    # Two independent masks of 600 entries at 0.4 are equal with probability 0.52^600 < 1e-170.
    first_rng = student.generator(57)
    first, second = (draw_kept(student, (20, 30), 0.4, first_rng) for _ in range(2))
    again, other = (draw_kept(student, (20, 30), 0.4, student.generator(seed)) for seed in (57, 58))
    require_same(first, again)
    for mask, what in ((second, "two calls with one generator"), (other, "generators with different seeds")):
        require_different(first, mask, what)
    require_dropout(student)


@weight(1)
@number("5.12")
@visibility("visible")
def test_dropout_backward() -> Check:
    """dropout_backward: matrices"""
    return dropout_backward.ordinary()


@weight(2)
@number("5.13")
@visibility("after_due_date")
def test_dropout_backward_everywhere() -> Check:
    """dropout_backward: other shapes, probabilities and values, masks of integers and truth values, a second call"""
    return dropout_backward.everywhere()
