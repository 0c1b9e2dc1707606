"""Gradient checks of the course: a row for each derivative that finds 0.1 % in an entry and refuses no right work."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from autograder.checks import CheckFailed
from autograder.checks.tolerances import SLOPES
from autograder.contracts import CheckBody, Contract
from autograder.contracts.call_values import map_leaves, name_leaves, replace_leaves
from autograder.contracts.gradient_row import GradientCheck
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.judge import split_into_passes
from autograder.programs.program import run_program
from autograder.programs.recipes import Toy
from autograder.results import Visibility
from reference import q1c_neural
from tests.hidden.test_q1c_neural import average
from tests.selftest.content.test_styles import compute_in_single
from tests.selftest.support.grading import ASSIGNMENT

pytestmark = [pytest.mark.content, pytest.mark.once]

COLLECTED = collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids)
ROWS: dict[str, tuple[HiddenTest, Contract]] = {
    each.call.check.function: (each.test, each.call.check.contract)  # type: ignore[misc]
    for each in COLLECTED
    if isinstance(each.call, CheckBody) and each.call.check.purpose == "gradient_check"
}
# Every function of the course that returns a derivative.
DERIVATIVES = {
    *("naiveSoftmaxLossAndGradient", "negSamplingLossAndGradient", "skipgram", "dropout_backward", "hidden_jacobian"),
    *("hidden_backward", "cross_entropy_grad", "loss_and_gradients", "grad_probabilities", "softmax_jacobian"),
    *("grad_preactivation", "backprop", "sigmoid_grad", "forward_backward_prop", "grad_input"),
}
NAMES = sorted(DERIVATIVES)
OWN = [name for name in NAMES if ROWS[name][1].slopes.of is None and ROWS[name][1].slopes.right is None]
DRAWS = [0, *(pytest.param(each, marks=pytest.mark.ci) for each in range(1, 20))]  # each of five points
PLANTED = 1e-3
PROMISED = 1.4 / PLANTED  # in shares of what is allowed: so large an entry is, for which an error is promised to show

Wrap = Callable[[str, Callable[..., Any]], Callable[..., Any]]


@cache
def derive(name: str, seed: int) -> GradientCheck:
    """Derive a row."""
    check: Any = ROWS[name][1].derive("gradient_check", f"seed {seed}")
    return check  # type: ignore[no-any-return]


def answer(name: str, seed: int, wrap: Wrap = lambda _, function: function) -> list[list[Any]]:
    """Reply to the programs of a row by the right functions, each changed."""
    find = ROWS[name][1].find_right
    with np.errstate(all="ignore"):
        return [run_program(each, lambda called: wrap(called, find(called))) for each in derive(name, seed).programs]


def find_failure(name: str, seed: int, wrap: Wrap) -> CheckFailed | None:
    """Return the failure of the right functions, each changed."""
    return derive(name, seed).judge(answer(name, seed, wrap)).failure


def plant(name: str, check: GradientCheck, replies: list[list[Any]]) -> Iterator[list[list[Any]]]:
    """Plant an error in turn in each entry for which it is promised to show, whenever the gradients are asked."""
    returned = replies[0][0]
    for part, right in check.right.items():
        place = check.parts.index(part)
        value = returned[place] if len(check.parts) > 1 else returned
        for leaf_name, leaf in name_leaves(part, value).items():
            slopes = np.abs(np.asarray(name_leaves(part, right)[leaf_name]))
            for index in zip(*np.nonzero(slopes > PROMISED * check.allowed * slopes.max()), strict=True):
                changed = np.array(leaf, dtype=np.float64)
                changed[index] *= 1 + PLANTED
                wrong = replace_leaves(part, value, {leaf_name: changed})
                if len(check.parts) > 1:
                    wrong = (*returned[:place], wrong, *returned[place + 1 :])
                planted = list(replies)
                planted[0] = planted[-check.at_point] = [wrong]
                yield planted


def test_each_derivative_has_a_visible_row_with_a_fifth_of_its_points() -> None:
    assert set(ROWS) == DERIVATIVES
    for name, (test, _) in ROWS.items():
        whole = sum(each.test.points for each in COLLECTED if each.test.functions == (name,))
        assert 0.15 <= test.points / whole <= 0.25, name
        assert test.visibility is Visibility.VISIBLE
        assert test.title.startswith(f"{name}: gradient check, ")


def test_they_are_the_last_of_their_question_in_a_pass() -> None:
    questions = {each.question_id: each for each in ASSIGNMENT.questions}
    visible, _ = split_into_passes(COLLECTED, questions)
    found = []
    for question_id in questions:
        are_checks = ["_gradient_check" in each.test.name for each in visible if each.test.question_id == question_id]
        assert are_checks == sorted(are_checks), question_id
        found += are_checks
    assert sum(found) == len(ROWS)


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("name", NAMES)
def test_right_work_passes_and_an_error_of_a_thousandth_fails_in_both_precisions(name: str, draw: int) -> None:
    for seed in range(5 * draw, 5 * draw + 5):
        check = derive(name, seed)
        assert len(check.programs) < 100
        assert check.allowed <= SLOPES
        for wrap in (lambda _, function: function, lambda _, function: compute_in_single(function)):
            replies = answer(name, seed, wrap)
            assert check.judge(replies).failure is None
            planted = list(plant(name, check, replies))
            assert planted
            assert all(check.judge(each).failure is not None for each in planted)


def give_in_another_order(_: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the last value first."""

    def turned(*given: Any) -> Any:
        value = function(*given)
        return value[::-1] if isinstance(value, tuple) and isinstance(value[0], float) else value

    return turned


def add_noise(_: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Add 1e-7 to what a loss takes the logarithm of."""
    return lambda *given: map_leaves(
        lambda leaf: -np.log(np.exp(-leaf) + 1e-7) if isinstance(leaf, float) else leaf, function(*given)
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_values_is_judged_by_other_rows(name: str) -> None:
    failure = find_failure(name, 0, give_in_another_order)
    assert failure is None, str(failure)


@pytest.mark.parametrize("name", ["naiveSoftmaxLossAndGradient", "cross_entropy_grad", "backprop"])
def test_a_small_number_inside_a_logarithm_passes(name: str) -> None:
    assert find_failure(name, 0, add_noise) is None


class TestCost:
    """The cost of a batch may be a mean, and each row's gradient by the data may be of the sum or of that mean."""

    @staticmethod
    def replace(**functions: Callable[..., Any]) -> Wrap:
        """Put other functions in the place of right ones."""
        return functions.get  # type: ignore[return-value]

    def test_as_a_mean_passes_with_its_gradient(self) -> None:
        assert find_failure("forward_backward_prop", 0, self.replace(forward_backward_prop=average)) is None

    def test_as_a_sum_fails_with_the_gradient_of_the_mean(self) -> None:
        def parted(*batch: Any) -> Any:
            return q1c_neural.forward_backward_prop(*batch)[0], average(*batch)[1]

        assert find_failure("forward_backward_prop", 0, self.replace(forward_backward_prop=parted)) is not None

    @pytest.mark.parametrize(
        ("is_mean", "is_over_n", "passes"),
        [(False, False, True), (False, True, False), (True, False, True), (True, True, True)],
    )
    def test_by_the_data(self, is_mean: bool, is_over_n: bool, passes: bool) -> None:
        functions: dict[str, Callable[..., Any]] = {"forward_backward_prop": average} if is_mean else {}
        if is_over_n:
            functions["grad_input"] = lambda *batch: q1c_neural.grad_input(*batch) / len(batch[0])
        failure = find_failure("grad_input", 0, self.replace(**functions))
        assert (failure is None) is passes


def list_made(check: GradientCheck) -> list[Any]:
    """List the recipes of the arguments of the first program."""
    return [step.recipe for step in check.programs[0].steps if hasattr(step, "recipe")]


def test_samples_and_words_are_repeated_and_each_call_has_a_dataset_of_its_own() -> None:
    made = list_made(derive("negSamplingLossAndGradient", 0))
    (dataset,) = [each for each in made if isinstance(each, Toy)]
    draws = dataset.build().draws
    assert len(set(draws)) < len(draws)
    assert 2 in draws  # the outside word, which is drawn again
    words = [each.value for each in list_made(derive("skipgram", 0)) if isinstance(getattr(each, "value", 0), list)]
    assert len(set(words[0])) < len(words[0])


def test_units_are_on_and_off() -> None:
    for seed in range(5):
        jacobian: Any = derive("hidden_jacobian", seed).right["jacobian"]
        is_on = jacobian.any(axis=1)
        assert is_on.any()
        assert not is_on.all()


def test_shapes_tell_rows_from_columns() -> None:
    jacobian: Any = derive("hidden_jacobian", 0).right["jacobian"]
    rows, columns = jacobian.shape
    assert rows != columns
