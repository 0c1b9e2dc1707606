"""Hidden tests of averages: each result of a step by itself."""

from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight
from tests.hidden.draws import draw_arrays

from autograder.authoring import Student, checks
from reference import averages as reference


def check_glide(student: Student, part: str, seed: int, shape: tuple[int, ...], *numbers: float) -> None:
    """Compare a result of glide_step."""
    inputs = (*draw_arrays(seed, 3, shape), *numbers)
    right = dict(zip(("theta", "m"), reference.glide_step(*inputs), strict=True))
    got = checks.take_parts("glide_step", student.averages.glide_step(*inputs), right)
    checks.close(part, got[part], right[part])


def check_scaled(student: Student, part: str, seed: int, shape: tuple[int, ...], *numbers: float) -> None:
    """Compare a result of scaled_step."""
    inputs = (*draw_arrays(seed, 4, shape), *numbers)
    right = dict(zip(("theta", "m", "v"), reference.scaled_step(*inputs), strict=True))
    got = checks.take_parts("scaled_step", student.averages.scaled_step(*inputs), right)
    checks.close(part, got[part], right[part])


@weight(1)
@number("4.1")
@visibility("visible")
@tags("glide_step")
def test_glide_theta(student: Student) -> None:
    """glide_step: theta"""
    check_glide(student, "theta", 41, (3,), 0.1)


@weight(1)
@number("4.2")
@visibility("after_due_date")
@tags("glide_step")
def test_glide_m(student: Student) -> None:
    """glide_step: m, of a matrix and another beta"""
    check_glide(student, "m", 42, (2, 3), 0.1, 0.5)


@weight(1)
@number("4.3")
@visibility("visible")
@tags("scaled_step")
def test_scaled_theta(student: Student) -> None:
    """scaled_step: theta of two steps"""
    check_scaled(student, "theta", 43, (3,), 0.1)
    check_scaled(student, "theta", 430, (3,), 0.1)


@weight(1)
@number("4.4")
@visibility("visible")
@tags("scaled_step")
def test_scaled_averages(student: Student) -> None:
    """scaled_step: m and v"""
    check_scaled(student, "m", 44, (3,), 0.1)
    check_scaled(student, "v", 44, (3,), 0.1)


@weight(2)
@number("4.5")
@visibility("after_due_date")
@tags("scaled_step")
def test_scaled_theta_sizes(student: Student) -> None:
    """scaled_step: theta, of other shapes and another beta"""
    for shape in ((2, 2), (1, 4), (5,)):
        check_scaled(student, "theta", 45, shape, 0.3, 0.7)
