"""Gradient rows: gradients of lists and dicts, in any order, of another function, behind a cache, and Jacobians."""

import inspect
import itertools
from typing import Any

import numpy as np
import pytest

from autograder.authoring import CheckFailed, Slopes
from autograder.contracts import CheckBody, Contract, ContractError, Given, InAllCases, judge_functions
from autograder.contracts.gradient_row import GradientCheck
from autograder.contracts.judgement import KEPT as LOOK_FOR_WHAT_IS_KEPT
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.public_checks.expected import decode, encode
from tests.selftest.contracts import toy_contracts
from tests.selftest.contracts.toy_contracts import PICK, SEED, multiply, multiply_and_back, multiply_backward, pick_loss
from tests.selftest.support.home_run import run_at_home

pytestmark = pytest.mark.once

Array = Any


def fit(params: dict[str, Array], x: Array, targets: list[Array]) -> tuple[float, dict[str, Array], list[Array]]:
    """Return the sum of exp(x w + b) times each target, and its gradients by params and by targets."""
    out = np.exp(x @ params["w"] + params["b"])
    total = sum(targets)
    slope = out * total
    grads = {"w": x.T @ slope, "b": slope.sum()}
    return float(slope.sum() + sum((each**3).sum() for each in targets)), grads, [out + 3 * each**2 for each in targets]


class Untouchable:
    """An object that stayed in a worker: asking for its shape is a request."""

    @property
    def shape(self) -> tuple[int, ...]:
        raise CallFailed(Outcome(OutcomeKind.RAISED))


def sum_pick_loss(scores: Array, labels: Array) -> tuple[float, Array]:
    """Return the sum in place of the mean."""
    loss, grad = pick_loss(scores, labels)
    return loss * len(scores), grad * len(scores)


def pick_grad(scores: Array, labels: Array) -> Array:
    """Return the gradient of the sum of the losses."""
    return sum_pick_loss(scores, labels)[1]


def measure_pick(student: Any, scores: Array, labels: Array) -> Any:
    """Return the student's own loss, among other values."""
    return student.sum_pick_loss(scores, labels)


def tilt(x: Array, w: Array) -> Array:
    """Return the values of a layer of one example."""
    return np.tanh(x @ w)


def tilt_jacobian(x: Array, w: Array) -> Array:
    """Return the Jacobian by the example, row by output."""
    return (1 - tilt(x, w) ** 2)[:, np.newaxis] * w.T


def give_product(student: Any, x: Array, w: Array, dout: Array) -> Any:
    """Return the product, without its cache."""
    out, _cache = student.multiply(x, w)
    return out


FIT = Contract(
    fit,
    "params: {w: (D,), b: ()}, x: (N, D), targets: [(N,)] -> loss: float, grads, dtargets",
    gradient={"grads": "params", "dtargets": "targets"},
)
EITHER = Contract(
    sum_pick_loss,
    "scores: (N, C), labels: (N,) < C -> loss: float, grad: (N, C) where C >= 2",
    gradient={"grad": "scores"},
    right={"the mean": InAllCases(pick_loss)},
)
GRAD = Contract(
    pick_grad,
    "scores: (N, C), labels: (N,) < C -> grad: (N, C) where C >= 2",
    gradient=Slopes({"grad": "scores"}, of=measure_pick, alone=["scores", "labels"], mean={"sum_pick_loss": pick_loss}),
)
KEPT = Contract(tilt_jacobian, "x: (D,), w: (D, H) -> jacobian: (H, D)", gradient=Slopes({"jacobian": "x"}, right=tilt))
BACKWARD = Contract(
    multiply_backward,
    "x: (N, D), w: (D, M), dout: (N, M) -> dx: (N, D), dw: (D, M)",
    driver=multiply_and_back,
    gradient=Slopes({"dx": "x", "dw": "w"}, of=give_product, times=["dout"]),
)
OWN = {
    each.__name__: each for each in (fit, sum_pick_loss, pick_grad, tilt, tilt_jacobian, multiply, multiply_backward)
}


def flat_fit(params: Array, x: Array) -> tuple[float, Array]:
    """Return the sum of log(x w + b), and its gradient by w and b in one flat array."""
    with np.errstate(invalid="ignore", divide="ignore"):
        out = x @ params[:-1] + params[-1]
        return float(np.log(out).sum()), np.append(x.T @ (1 / out), (1 / out).sum())


FLAT = Contract(
    flat_fit,
    "params: (D+1,) > 0, x: (N, D) > 0 -> loss: float, grad: (D+1,)",
    gradient={"grad": "params"},
    cases=[
        Given(
            [np.array([1.0, -2.0]), np.array([[2.0], [3.0]])], "where the loss is infinite", unjudged=["loss", "grad"]
        )
    ],
    segments={"grad": {"the gradient of w": "D", "the gradient of b": "1"}},
)


def judge(contract: Contract, purpose: str = "gradient_check", **functions: Any) -> tuple[float, CheckFailed | None]:
    """Judge functions, beside the right ones."""
    check = contract.derive(purpose, SEED)
    given = judge_functions(check, (OWN | functions).__getitem__)
    again = judge_functions(decode(encode(check)), (OWN | functions).__getitem__)
    assert given[0] == pytest.approx(again[0])
    return given


def fail(contract: Contract, **functions: Any) -> CheckFailed:
    """Return the failure of a row that earns nothing."""
    share, failed = judge(contract, **functions)
    assert share == 0
    assert failed is not None
    return failed


class TestOwnLoss:
    @pytest.mark.parametrize("name", ['grads["w"]', 'grads["b"]', "dtargets[1]"])
    def test_names_the_wrong_one_and_what_to_look_at(self, name: str) -> None:
        def wrong(*arguments: Any) -> Any:
            loss, grads, dtargets = fit(*arguments)
            grads = {key: each * (1 + ('"' + key + '"' in name)) for key, each in grads.items()}
            return loss, grads, [dtargets[0], dtargets[1] * (1 + ("targets" in name)), *dtargets[2:]]

        failed = fail(FIT, fit=wrong)
        assert (failed.what, failed.hint) == (name, "Your loss is right here: look at the gradient.")

    @pytest.mark.parametrize(
        ("loss_by", "gradient_by", "hint"),
        [
            (3, 3, "Your gradient is right for your loss, which is not the function asked for: look at your"),
            (3, 1, "Your gradient is the right one: look at your loss first."),
            (3, -1, "Your gradient is not right for your loss either: look at your loss first."),
        ],
    )
    def test_of_another_loss_earns_nothing(self, loss_by: int, gradient_by: int, hint: str) -> None:
        def other(scores: Array, labels: Array) -> Any:
            loss, grad = pick_loss(scores, labels)
            return loss_by * loss, gradient_by * grad

        failed = fail(PICK, pick_loss=other)
        assert failed.what == "your loss"
        assert failed.hint.startswith(hint)

    def test_of_an_accepted_loss_passes(self) -> None:
        assert judge(EITHER, sum_pick_loss=pick_loss) == (1.0, None)

    @pytest.mark.parametrize(
        ("factor", "what", "hint"),
        [
            (1, "your loss", "Your gradient is the right one: look at your loss first."),
            (-1, "grad", "Your loss is right here: look at the gradient."),
        ],
    )
    def test_of_an_accepted_loss_with_another_gradient_fails(self, factor: int, what: str, hint: str) -> None:
        def mixed(scores: Array, labels: Array) -> Any:
            return pick_loss(scores, labels)[0], factor * sum_pick_loss(scores, labels)[1]

        failed = fail(EITHER, sum_pick_loss=mixed)
        assert (failed.what, failed.hint) == (what, hint)

    def test_of_a_loss_that_is_right_at_the_point_alone_is_not_blamed(self) -> None:
        def rounded(scores: Array, labels: Array) -> Any:
            loss, grad = pick_loss(scores, labels)
            return round(loss / 4e-5) * 4e-5, grad

        failed = fail(PICK, pick_loss=rounded)
        assert failed.hint == "Your gradient is the right one: look at how your loss changes near this point."

    def test_a_value_that_lacks_an_array_fails(self) -> None:
        failed = fail(FIT, fit=lambda *given: (fit(*given)[0], {"w": fit(*given)[1]["w"]}, fit(*given)[2]))
        assert failed.what == "grads"

    def test_an_error_near_the_point_fails(self) -> None:
        calls = itertools.count()

        def wrong(scores: Array, labels: Array) -> Any:
            if next(calls) % len(PICK.derive("gradient_check", SEED).programs):
                raise ValueError
            return pick_loss(scores, labels)

        failed = fail(PICK, pick_loss=wrong)
        assert (failed.what, failed.found) == ("pick_loss", "a call near it raised ValueError")

    def test_a_loss_that_is_no_number_is_told_without_asking_it(self) -> None:
        failed = fail(PICK, pick_loss=lambda *given: (Untouchable(), pick_loss(*given)[1]))
        assert failed.found == "an object of a class of your own"

    def test_a_stub_is_not_written(self) -> None:
        def stub(*_: Any) -> Any:
            raise NotImplementedError

        with pytest.raises(CallFailed):
            judge(PICK, pick_loss=stub)


RANDOM = np.random.default_rng(1)


@pytest.mark.parametrize(
    ("contract", "functions"),
    [
        (PICK, {"pick_loss": lambda *given: (RANDOM.random(), pick_loss(*given)[1])}),
        (GRAD, {"sum_pick_loss": lambda *given: (RANDOM.random(), sum_pick_loss(*given)[1])}),
        (GRAD, {"pick_grad": lambda *given: RANDOM.random() * pick_grad(*given)}),
        (KEPT, {"tilt_jacobian": lambda *given: RANDOM.random() * tilt_jacobian(*given)}),
    ],
    ids=["its own loss", "another function", "a gradient", "kept slopes"],
)
def test_no_slopes_are_told_where_two_equal_calls_differ(contract: Contract, functions: dict[str, Any]) -> None:
    failed = fail(contract, **functions)
    assert (failed.expected, failed.hint) == (
        "the same values in two calls with the same arguments",
        LOOK_FOR_WHAT_IS_KEPT,
    )


class TestAnotherFunction:
    @pytest.mark.parametrize(
        "functions",
        [
            {},
            {"sum_pick_loss": pick_loss},
            {"sum_pick_loss": lambda *given: sum_pick_loss(*given)[::-1]},
            {"sum_pick_loss": pick_loss, "pick_grad": lambda *given: pick_loss(*given)[1]},
        ],
        ids=["the right one", "a mean", "a loss that stands second", "a mean and its gradient"],
    )
    def test_has_the_slopes_row_by_row(self, functions: dict[str, Any]) -> None:
        assert judge(GRAD, **functions) == (1.0, None)

    def test_over_n_is_wrong_where_the_loss_is_a_sum(self) -> None:
        failed = fail(GRAD, pick_grad=lambda *given: pick_loss(*given)[1])
        assert failed.expected == "the slopes of sum_pick_loss"

    def test_that_is_wrong_is_shown_by_its_own_call(self) -> None:
        wrong = {"sum_pick_loss": lambda *given: (1.0, 0 * sum_pick_loss(*given)[1])}
        assert fail(GRAD, **wrong).what == "sum_pick_loss"


def test_arrays_are_multiplied_by_what_comes_from_above_behind_a_cache() -> None:
    assert judge(BACKWARD) == (1.0, None)
    failed = fail(BACKWARD, multiply_backward=lambda *given: [1.001 * each for each in multiply_backward(*given)])
    assert (failed.what, failed.expected) == ("dx", "the slopes of multiply")
    both = {"multiply": lambda x, w: (0 * multiply(x, w)[0], (x, w)), "multiply_backward": lambda d, c: (0 * c[0],) * 2}
    assert fail(BACKWARD, **both).what == "multiply"


class TestParts:
    def test_of_a_flat_gradient_are_named(self) -> None:
        def wrong(params: Array, x: Array) -> Any:
            loss, grad = flat_fit(params, x)
            return loss, np.append(grad[:-1], -grad[-1])

        _, failed = judge(FLAT, "ordinary", flat_fit=wrong)
        assert failed is not None
        assert str(failed.relation) == "everything is right except the gradient of b"

    def test_that_are_unjudged_lose_nothing(self) -> None:
        def finite(params: Array, x: Array) -> Any:
            loss, grad = flat_fit(params, x)
            return (loss, grad) if np.isfinite(loss) else (0.0, grad)

        assert judge(FLAT, "everywhere", flat_fit=finite) == (1.0, None)
        kinds = {kind for case in FLAT.derive("everywhere", SEED).cases for kind in case.kinds}  # type: ignore[union-attr]
        assert "where the loss is infinite" in kinds


def run(contract: Contract, text: str) -> list[str]:
    """Run the ordinary row on a file; return the notes."""
    text = f"{inspect.getsource(toy_contracts)}\n\n{inspect.getsource(sum_pick_loss)}\n\n{text}"
    return run_at_home(CheckBody(contract.ordinary(), seed=SEED), text, "averages")


def test_an_alternative_and_axes_of_length_1_are_noted() -> None:
    text = "def sum_pick_loss(scores, labels):\n    loss, grad = pick_loss(scores, labels)\n    return loss, grad[None]"
    alternative, axes = run(EITHER, text)
    assert alternative == "Your values are right for the mean; that is accepted here."
    assert axes == "The number of axes of grad is 3, not 2; that is accepted here."
    assert run(EITHER, "") == []
    with pytest.raises(CheckFailed, match="loss is right; grad is right only for the mean"):
        run(EITHER, text.replace("return loss, grad[None]", "return loss * len(scores), grad"))


class TestThePoint:
    def test_has_no_kink_near_it(self) -> None:
        def add_sizes(x: Any) -> Any:
            return float((np.abs(x) + np.abs(x) ** 3).sum()), np.sign(x) * (1 + 3 * x**2)

        contract = Contract(add_sizes, "x: (N, D) -> loss: float, grad: (N, D)", gradient={"grad": "x"})
        for seed in map(str, range(10)):
            check: Any = contract.derive("gradient_check", seed)
            assert isinstance(check, GradientCheck)
            assert np.abs(check.programs[0].steps[1].recipe.value).min() > 0.12

    def test_is_missing_where_gradients_are_no_slopes(self) -> None:
        def jump(x: Any) -> Any:
            return float(np.floor(1000 * x).sum()), np.ones_like(x)

        contract = Contract(jump, "x: (N,) -> loss: float, grad: (N,)", gradient={"grad": "x"})
        with pytest.raises(ContractError, match=r"jump: no gradient check at any of 200 points"):
            contract.derive("gradient_check", SEED)

    def test_is_one_where_the_right_function_has_slopes(self) -> None:
        def invert(x: Any) -> Any:
            return 1 / x

        def draw(rng: np.random.Generator) -> Any:
            return [np.array([0.7, rng.choice([0.001, 0.5])])]

        slopes = Slopes({"grad": "x"}, right=lambda x: float(np.log(x).sum()), draw=draw)
        contract = Contract(invert, "x: (N,) -> grad: (N,)", gradient=slopes)
        for seed in map(str, range(10)):
            check: Any = contract.derive("gradient_check", seed)
            np.testing.assert_allclose(check.right["grad"], [1 / 0.7, 2], rtol=1e-6)

    def test_of_the_author_that_fails_is_told_with_its_line(self) -> None:
        slopes = Slopes({"grad": "x"}, draw=lambda rng: [rng.nothing()])
        contract = Contract(
            lambda x: (float((x**2).sum()), 2 * x), "x: (N,) -> loss: float, grad: (N,)", gradient=slopes
        )
        with pytest.raises(ContractError, match=r"the point of the gradient check fails in test_gradient_rows.py:\d+"):
            contract.derive("gradient_check", SEED)
