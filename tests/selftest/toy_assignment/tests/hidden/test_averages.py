"""Hidden tests of averages: each result of a step by itself."""

from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight
from tests.hidden.draws import draw_arrays

from autograder.authoring import Student, checks
from reference import averages as reference

PARTS = {"glide_step": ("theta", "m"), "scaled_step": ("theta", "m", "v")}


def check_step(student: Student, name: str, part: str, seed: int, shape: tuple[int, ...], *numbers: float) -> None:
    """Compare a result of a step: from what it returns and a gradient, and numbers."""
    inputs = (*draw_arrays(seed, len(PARTS[name]) + 1, shape), *numbers)
    right = dict(zip(PARTS[name], getattr(reference, name)(*inputs), strict=True))
    got = checks.take_parts(name, getattr(student.averages, name)(*inputs), right)
    checks.close(part, got[part], right[part])


@weight(1)
@number("4.1")
@visibility("visible")
@tags("glide_step")
def test_glide_theta(student: Student) -> None:
    """glide_step: theta"""
    check_step(student, "glide_step", "theta", 41, (3,), 0.1)


@weight(1)
@number("4.2")
@visibility("after_due_date")
@tags("glide_step")
def test_glide_m(student: Student) -> None:
    """glide_step: m, of a matrix and another beta"""
    check_step(student, "glide_step", "m", 42, (2, 3), 0.1, 0.5)


@weight(1)
@number("4.3")
@visibility("visible")
@tags("scaled_step")
def test_scaled_theta(student: Student) -> None:
    """scaled_step: theta of two steps"""
    check_step(student, "scaled_step", "theta", 43, (3,), 0.1)
    check_step(student, "scaled_step", "theta", 430, (3,), 0.1)


@weight(1)
@number("4.4")
@visibility("visible")
@tags("scaled_step")
def test_scaled_averages(student: Student) -> None:
    """scaled_step: m and v"""
    check_step(student, "scaled_step", "m", 44, (3,), 0.1)
    check_step(student, "scaled_step", "v", 44, (3,), 0.1)


@weight(2)
@number("4.5")
@visibility("after_due_date")
@tags("scaled_step")
def test_scaled_theta_sizes(student: Student) -> None:
    """scaled_step: theta, of other shapes and another beta"""
    for shape in ((2, 2), (1, 4), (5,)):
        check_step(student, "scaled_step", "theta", 45, shape, 0.3, 0.7)
