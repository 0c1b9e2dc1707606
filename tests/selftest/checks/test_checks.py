"""Each check finds an error just above its tolerance, accepts one just below, and shows no hidden number."""

import re
from typing import Any

import numpy as np
import pytest

from autograder.checks import DOUBLE, SINGLE, CheckFailed, checks
from autograder.checks.tolerances import LOSS_RELATIVE
from autograder.programs.plain_values import Handle
from autograder.student import Remote

pytestmark = pytest.mark.once

RIGHT = np.array([[0.75, -2.5, 1.25], [4.0, -0.5, 3.0]])
JUST_BELOW, JUST_ABOVE = 0.98, 1.02


class NoWorker:
    """Fake module whose worker must get no request: checks use only values already received."""

    def request(self, kind: str, *_: object) -> Any:
        """Fail."""
        pytest.fail(f"a check asked the student's code ({kind})")


def remote(type_name: str = "Weird") -> Remote:
    """Make a proxy of a student's object in the worker."""
    return Remote(NoWorker(), Handle(1, type_name, False))  # type: ignore[arg-type]


def failure(check: Any, *arguments: Any, **options: Any) -> CheckFailed:
    """Call a check and return its failure."""
    with pytest.raises(CheckFailed) as caught:
        check(*arguments, **options)
    return caught.value


class TestCloseOnArrays:
    def allowed(self, index: tuple[int, int]) -> float:
        return DOUBLE.relative * (abs(RIGHT[index]) + DOUBLE.floor * 4.0)

    @pytest.mark.parametrize("index", [(0, 0), (1, 0), (1, 1)], ids=str)
    @pytest.mark.parametrize("sign", [1, -1])
    def test_an_error_just_above_the_tolerance_of_its_entry_fails(self, index: tuple[int, int], sign: int) -> None:
        wrong = RIGHT.copy()
        wrong[index] += sign * JUST_ABOVE * self.allowed(index)
        failed = failure(checks.close, "grad", wrong, RIGHT)
        assert failed.what == "grad"
        assert failed.expected == "the right values, shape (2, 3)"
        is_largest = index == (1, 0)
        largest = f"tolerance {DOUBLE.relative * (1 + DOUBLE.floor):.1g}"
        told = largest if is_largest else "its tolerance is smaller, as the entry is"
        assert failed.found.endswith(f" relative to the largest right entry ({told})")
        assert failed.found.startswith(f"1 of 6 entries is wrong, at index [{index[0]}, {index[1]}], error ")

    @pytest.mark.parametrize("sign", [1, -1])
    def test_an_error_just_below_it_passes(self, sign: int) -> None:
        coarse = RIGHT + sign * JUST_BELOW * DOUBLE.relative * (np.abs(RIGHT) + DOUBLE.floor * 4.0)
        assert checks.close("grad", coarse, RIGHT) is not None

    def test_float32_values_are_compared_as_such(self) -> None:
        allowed = SINGLE.relative * np.abs(RIGHT) + SINGLE.absolute
        checks.close("grad", (RIGHT + JUST_BELOW * allowed).astype(np.float32), RIGHT)
        failure(checks.close, "grad", RIGHT + JUST_BELOW * allowed, RIGHT)
        checks.close("grad", RIGHT + JUST_BELOW * allowed, RIGHT, single=True)
        failed = failure(checks.close, "grad", (RIGHT + JUST_ABOVE * allowed).astype(np.float32), RIGHT)
        assert "6 of 6 entries are wrong" in failed.found

    def test_another_relative_tolerance_replaces_the_usual_one(self) -> None:
        checks.close("grad", RIGHT * (1 + 9e-4), RIGHT, rtol=1e-3)
        failure(checks.close, "grad", RIGHT * (1 + 2e-3), RIGHT, rtol=1e-3)
        failure(checks.close, "grad", RIGHT * (1 + 2e-6), RIGHT, rtol=1e-6)

    def test_the_worst_entry_is_the_one_furthest_off(self) -> None:
        wrong = RIGHT.copy()
        wrong[0, 1], wrong[1, 2] = 0.0, -300.0
        failed = failure(checks.close, "grad", wrong, RIGHT)
        assert (
            "2 of 6 entries are wrong, the worst at index [1, 2], error 76 relative to the largest right entry"
            in failed.found
        )
        assert failed.values == ("expected at [1, 2]: 3", "found at [1, 2]:    -300")

    @pytest.mark.parametrize(
        ("got", "right", "found"),
        [
            (
                np.array([3.0]),
                np.array([2.0]),
                "its only entry is wrong, error 0.5 relative to the largest right entry",
            ),
            (np.array([0, 0, 1e-11]), np.zeros(3), "1 of 3 entries is wrong, at index [2], where all should be 0"),
            (np.full(2, -1.7e308), np.full(2, 1.7e308), "2 of 2 entries are wrong, the worst at index [0], error inf"),
            (np.zeros((3, 0)), np.zeros((0, 3)), "shape (3, 0)"),
            (np.array([1.0, np.nan, np.inf]), np.ones(3), "2 of 3 entries are NaN or infinite, the first at index [1]"),
            (np.array([[1.0, 3.0], [2.0, 4.0]]), np.array([[1.0, 2.0], [3.0, 4.0]]), "2 of 4 entries are wrong, "),
        ],
        ids=["a single entry", "beside zeros", "beyond the range of floats", "empty", "not finite", "turned"],
    )
    def test_what_is_wrong_is_counted_and_located(self, got: Any, right: Any, found: str) -> None:
        assert failure(checks.close, "grad", got, right).found.startswith(found)
        checks.close("grad", right, right)

    def test_an_expected_value_that_is_no_number_is_a_fault_of_ours(self) -> None:
        with pytest.raises(ValueError, match="the right values of grad are not finite"):
            checks.close("grad", np.ones(2), np.array([1.0, np.nan]))
        with pytest.raises(ValueError, match="the right values of loss are not finite"):
            checks.close("loss", 1.0, np.inf)


@pytest.mark.parametrize("right", [0.0, 0.3, -1.0, 250.0, -3e7])
def test_the_tolerance_is_relative_above_one_and_absolute_below(right: float) -> None:
    allowed = LOSS_RELATIVE * max(1.0, abs(right))
    for sign in (1, -1):
        checks.close("loss", right + sign * JUST_BELOW * allowed, right)
        failed = failure(checks.close, "loss", right + sign * JUST_ABOVE * allowed, right)
        of_size = " of its size" if abs(right) > 1 else ""
        assert (failed.what, failed.expected) == ("loss", f"the right number (within 3e-05{of_size})")
        assert failed.values[0] == f"expected: {right:.8g} (within {allowed:.2g})"
        assert failed.found == "another number"


@pytest.mark.parametrize(
    "kind", [float, np.float64, np.array, lambda x: np.array([x]), lambda x: np.array([[x]]), lambda x: [x]]
)
def test_any_value_of_one_number_will_do(kind: Any) -> None:
    assert checks.close("loss", kind(2.5), 2.5).shape == ()
    failure(checks.close, "loss", kind(2.6), 2.5)


def test_several_numbers_are_not_one_and_one_beyond_the_range_of_floats_is_wrong() -> None:
    failed = failure(checks.close, "loss", np.ones(3), 1.0)
    assert (failed.expected, failed.found) == ("a number", "an array of shape (3,) and type float64")
    assert failure(checks.close, "loss", (1.0, 2.0), 1.0).found == "a tuple of length 2"
    failure(checks.close, "loss", -1.7e308, 1.7e308)


@pytest.mark.parametrize(("got", "wanted"), [((4, 1), (4,)), ((4,), (1, 4)), ((2, 1, 3), (2, 3)), ((), (1,))], ids=str)
def test_axes_of_length_one_come_and_go(got: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    values = np.arange(int(np.prod(got)), dtype=float).reshape(got)
    assert checks.array("x", values, wanted).shape == wanted
    assert checks.array("x", values, wanted).ravel().tolist() == values.ravel().tolist()


@pytest.mark.parametrize(
    ("got", "wanted"), [((3, 2), (2, 3)), ((1, 4), (4, 1)), ((6,), (2, 3)), ((3, 1, 2), (2, 3))], ids=str
)
def test_nothing_is_transposed_or_flattened(got: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    failed = failure(checks.array, "x", np.ones(got), wanted)
    assert (failed.expected, failed.found) == (f"shape {wanted}", f"shape {got}")


def test_a_transposed_shape_is_named() -> None:
    assert failure(checks.array, "x", np.ones((3, 2)), (2, 3)).hint == "This is the transposed shape."
    assert failure(checks.array, "x", np.ones((2, 2)), (2, 3)).hint == ""


def test_the_shape_of_another_array_is_not_called_transposed() -> None:
    right = np.array([[1.0, 2, 3], [4, 5, 6]])
    assert "transposed" in failure(checks.close, "x", right.T, right).hint
    assert failure(checks.close, "x", right.reshape(3, 2), right).hint == ""


def test_lists_and_tuples_are_arrays() -> None:
    assert checks.array("x", [(1, 2), [3, 4.5]], (2, 2)).tolist() == [[1, 2], [3, 4.5]]
    assert checks.array("x", [np.arange(2), np.arange(2)], (2, 2)).tolist() == [[0, 1], [0, 1]]
    assert checks.array("x", [np.float64(1), np.asarray(2.0)], (2,)).tolist() == [1, 2]


NO_NUMBERS: list[tuple[Any, str]] = [
    (None, "None (is there a return statement?)"),
    ("0.5", "a str of length 3"),
    ({"loss": 1.0}, "a dict of length 1"),
    (remote(), "an object of a class of your own"),
    (remote("generator"), "an object of class generator"),
    (
        [1.0, remote("function")],
        "a list of length 2 that does not hold real numbers: [1] is an object of class function",
    ),
    ([1.0, None], "a list of length 2 that does not hold real numbers: [1] is None"),
    ([[1.0], [2.0, "2.0"]], "a list of length 2 that does not hold real numbers: [1][1] is a str of length 3"),
    (
        ["x" * 10**6, *["y"] * 10**5],
        "a list of length 100001 that does not hold real numbers: [0] is a str of length 1000000",
    ),
    ([[1, 2], [3]], "a list of length 2 whose rows have different lengths"),
    ([np.ones((2, 2)), np.ones((2, 3))], "a list of length 2 whose rows have different lengths"),
    ([10**400, 1.5], "a list of length 2 that holds an integer of more than 64 bits"),
    (10**400, "a value of type int that holds an integer of more than 64 bits"),
    ([[[[[[[None]]]]]]], "a list of length 1 that does not hold real numbers"),
    (np.zeros((0, 73_610_912), complex), "an array of 2 axes and type complex128 that does not hold real numbers"),
    (np.zeros([1, 2] * 4, complex), "an array of 8 axes and type complex128 that does not hold real numbers"),
    (np.array([1j]), "an array of shape (1,) and type complex128 that does not hold real numbers"),
]


@pytest.mark.parametrize(("value", "found"), NO_NUMBERS, ids=lambda value: str(value)[:30])
@pytest.mark.parametrize(
    "check", [lambda value: checks.array("x", value, (2,)), lambda value: checks.scalar("x", value)]
)
def test_what_holds_no_numbers_is_described_without_asking_it(check: Any, value: Any, found: str) -> None:
    assert failure(check, value).found == found


def test_a_flood_of_numbers_in_lists_is_refused_before_it_is_copied() -> None:
    flags = np.zeros(2**20, dtype=bool)
    failed = failure(checks.array, "x", [flags] * 40 + [np.zeros(2**20)], (3,))
    assert failed.found == "a list of length 41 that holds more than 2097152 numbers"
    checks.array("x", [flags, flags], (2, 2**20))  # as many as it may hold


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_must_be_finite(bad: float) -> None:
    values = RIGHT.copy()
    values[1, 0] = bad
    failed = failure(checks.close, "grad", values, RIGHT)
    assert failed.expected == "finite numbers"
    assert failed.found == "1 of 6 entries is NaN or infinite, at index [1, 0]"
    assert failed.hint.startswith("Look for a division by 0")
    assert "NaN or infinite" in failure(checks.array, "x", [1.0, bad], (2,)).found
    failed = failure(checks.scalar, "loss", bad)
    assert (failed.expected, failed.found) == ("a finite number", "NaN or infinity")


class TestParts:
    NAMES = ("loss", "grad")

    @pytest.mark.parametrize("value", [(1.0, 2.0), [1.0, 2.0], np.array([1.0, 2.0])], ids=["tuple", "list", "array"])
    def test_any_sequence_of_that_length_will_do(self, value: Any) -> None:
        assert checks.parts("f", value, self.NAMES) == (1.0, 2.0)

    @pytest.mark.parametrize(
        ("value", "found"),
        [
            (1.0, "a value of type float"),
            ((1.0,), "a tuple of length 1"),
            (np.array(2.0), "an array of shape () and type float64"),
            (np.zeros((3, 2)), "an array of shape (3, 2) and type float64"),
            ("ab", "a str of length 2"),
            ({"loss": 1, "grad": 2}, "a dict of length 2"),
            (remote("zip"), "an object of class zip"),
        ],
        ids=lambda value: str(value)[:20],
    )
    def test_anything_else_is_described(self, value: Any, found: str) -> None:
        failed = failure(checks.parts, "f", value, self.NAMES)
        assert (failed.expected, failed.found) == ("2 values (loss, grad)", found)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (["S", "LA"], ("S", "LA")),
        (np.array([[1, 2]]), [[1, 2]]),
        ({"a": (1,)}, {"a": [1]}),
        ({"W": np.ones(2)}, {"W": np.ones(2)}),
        ([np.nan, 1], (np.nan, 1.0)),
        (None, None),
    ],
    ids=str,
)
def test_sequences_are_interchangeable_and_nan_equals_itself(got: Any, expected: Any) -> None:
    checks.equal("stack", got, expected)
    checks.unchanged("stack", expected, got)


def test_a_difference_is_shown_beside_the_right_value() -> None:
    failed = failure(checks.equal, "stack", "S", ["S", "LA"])
    assert (failed.what, failed.expected) == ("stack", "exactly the right value")
    assert failed.found == "another value (a str of length 1)"
    assert failed.values == ("expected: ['S', 'LA']", "found:    'S'")


@pytest.mark.parametrize(
    ("value", "end"), [(["word"] * 10**5, " ..."), (np.zeros(2**25, dtype=bool), "(33554432,) and type bool>")]
)
def test_large_values_are_shown_in_part(value: Any, end: str) -> None:
    failed = failure(checks.equal, "x", value, ["word"])
    assert len(failed.values[1]) < 500
    assert failed.values[1].endswith(end)


DIFFERENT: list[tuple[Any, Any]] = [
    *[(["S", "LA"], got) for got in (["S"], ["S", "RA"], "S", None, {"S": "LA"})],
    *[(["S", "LA"], got) for got in (remote(), [remote(), "LA"], np.zeros(2), [np.nan, 1])],
    *[(np.zeros(2), got) for got in (np.array([0.0, 1e-300]), np.zeros((1, 2)), ["a", "b"], [[1], [2, 3]])],
    *[(np.zeros(2), got) for got in ([None, 10**400], remote(), "text")],
    (np.arange(2), np.array([0.0, 1.0]) + 0.5),
    ({"W": np.ones(2)}, {"W": np.ones(2), "b": 1}),
    ({"W": np.ones(2)}, {"W": np.zeros(2)}),
    ({"W": 1}, [("W", 1)]),
    ("S", remote()),
    ("an object of a class of your own", remote()),
]


@pytest.mark.parametrize(("right", "other"), DIFFERENT, ids=lambda value: str(value)[:12])
def test_a_difference_of_any_kind_is_seen(right: Any, other: Any) -> None:
    assert failure(checks.equal, "stack", other, right).found.startswith("another value (")
    failed = failure(checks.unchanged, "sentence", right, other)
    assert failed.expected == "an unchanged argument"
    assert failed.hint == "Work on a copy, or write the result to a new array or list."


SECRET = 0.7361549821
SECRET_FAILURES = [
    lambda: checks.close("f", np.full(3, SECRET + 1), np.full(3, SECRET)),
    lambda: checks.close("f", SECRET + 1, SECRET),
    lambda: checks.close("f", [SECRET, SECRET], np.full(3, SECRET)),
    lambda: checks.close("f", np.array([SECRET, np.nan]), np.full(2, SECRET)),
    lambda: checks.close("f", [SECRET, "text"], np.full(2, SECRET)),
    lambda: checks.equal("f", [SECRET], [SECRET + 1]),
    lambda: checks.unchanged("f", [SECRET], [SECRET + 1]),
    lambda: checks.parts("f", [SECRET], ("a", "b")),
    lambda: checks.array("f", np.zeros((0, 7361 * 2)), (2,)),
    lambda: checks.mapping("f", {"SECRET": SECRET}, ("a",)),
    lambda: checks.require(False, "f", "something", str(SECRET)),
]


@pytest.mark.parametrize("check", SECRET_FAILURES, ids=range(len(SECRET_FAILURES)))
def test_what_a_hidden_test_shows_holds_no_number_of_its_values(check: Any) -> None:
    failed = failure(check)
    shown = f"{failed} {failed.what} {failed.expected} {failed.found} {failed.hint}"
    assert not re.search(r"0\.73|1\.73|7361", shown)
