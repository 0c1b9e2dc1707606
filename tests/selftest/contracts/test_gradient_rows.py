"""Gradients beside the slopes of a loss: of lists and dicts, in any order, of another function, and as a probe."""

from __future__ import annotations

import inspect
import itertools
import re
from typing import Any

import numpy as np
import pytest

from autograder.authoring import CheckFailed
from autograder.contracts import CheckBody, Contract, Given, InAllCases, judge_functions
from autograder.contracts.gradient_row import GradientCheck
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.public_checks.expected import decode, encode
from tests.selftest.contracts import toy_contracts
from tests.selftest.contracts.toy_contracts import PICK, SEED, pick_loss
from tests.selftest.support.home_run import run_at_home

Array = Any
FITS = "so the loss is another function than the one asked for"
PARTED = "they do not belong together"


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


def pick_grad(scores: Array, labels: Array) -> Array:
    """Return the gradient of the sum of the losses."""
    return pick_loss(scores, labels)[1] * len(scores)


def sum_pick_loss(scores: Array, labels: Array) -> tuple[float, Array]:
    """Return the sum in place of the mean."""
    loss, grad = pick_loss(scores, labels)
    return loss * len(scores), grad * len(scores)


def halve(scores: Array, labels: Array) -> tuple[float, Array]:
    """Return the loss of half the scores."""
    return sum_pick_loss(0.5 * scores, labels)


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
    gradient={"grad": (EITHER, "scores")},
)


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
            [np.array([1.0, -2.0]), np.array([[2.0], [3.0]])],
            "where the loss is infinite",
            unjudged=["loss", "grad"],
        )
    ],
    segments={"grad": {"the gradient of w": "D", "the gradient of b": "1"}},
)


def judge(contract: Contract, purpose: str = "own_gradient", **functions: Any) -> tuple[float, CheckFailed | None]:
    """Judge functions, beside the right ones."""
    own = {"fit": fit, "sum_pick_loss": sum_pick_loss, "pick_grad": pick_grad} | functions
    check = contract.derive(purpose, SEED)
    given = judge_functions(check, own.__getitem__)
    again = judge_functions(decode(encode(check)), own.__getitem__)
    assert given[0] == pytest.approx(again[0])
    return given


def fail(contract: Contract, **functions: Any) -> CheckFailed:
    """Return the failure of a row that earns nothing."""
    share, failed = judge(contract, **functions)
    assert share == 0
    assert failed is not None
    return failed


class TestOwnGradient:
    @pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)])
    def test_of_a_dict_and_of_a_list_in_any_order(self, order: tuple[int, ...]) -> None:
        assert judge(FIT, fit=lambda *given: tuple(fit(*given)[place] for place in order)) == (1.0, None)

    @pytest.mark.parametrize("name", ['grads["w"]', 'grads["b"]', "dtargets[1]"])
    def test_names_the_wrong_one(self, name: str) -> None:
        def wrong(*arguments: Any) -> Any:
            loss, grads, dtargets = fit(*arguments)
            grads = {key: each * (1 + ('"' + key + '"' in name)) for key, each in grads.items()}
            return loss, grads, [dtargets[0], dtargets[1] * (1 + ("targets" in name)), *dtargets[2:]]

        assert fail(FIT, fit=wrong).what == name

    def test_a_value_that_lacks_an_array_fails(self) -> None:
        failed = fail(FIT, fit=lambda *given: (fit(*given)[0], {"w": fit(*given)[1]["w"]}, fit(*given)[2]))
        assert failed.what == "grads"

    def test_an_error_near_the_point_fails(self) -> None:
        calls = itertools.count()

        def wrong(scores: Array, labels: Array) -> Any:
            if next(calls) % len(PICK.derive("own_gradient", SEED).programs):
                raise ValueError
            return pick_loss(scores, labels)

        assert fail(PICK, pick_loss=wrong).what == "pick_loss"

    def test_a_loss_that_is_no_number_is_told_without_asking_it(self) -> None:
        failed = fail(PICK, pick_loss=lambda *given: (Untouchable(), pick_loss(*given)[1]))
        assert failed.found == "an object of a class of your own"


class TestGradientOfAnotherFunction:
    @pytest.mark.parametrize(
        "functions",
        [
            {},
            {"sum_pick_loss": pick_loss},
            {"sum_pick_loss": lambda *given: sum_pick_loss(*given)[::-1]},
            {"sum_pick_loss": halve, "pick_grad": lambda *given: 0.5 * halve(*given)[1]},
        ],
        ids=["of the right loss", "of an accepted loss", "of a loss that stands second", "of a wrong loss"],
    )
    def test_passes(self, functions: dict[str, Any]) -> None:
        assert judge(GRAD, **functions) == (1.0, None)

    def test_fails_with_the_name_of_the_loss(self) -> None:
        assert "your own sum_pick_loss" in fail(GRAD, pick_grad=lambda *given: -pick_grad(*given)).expected

    def test_of_the_mean_of_another_loss_fails(self) -> None:
        fail(GRAD, pick_grad=lambda *given: pick_loss(*given)[1])


class TestParts:
    def test_of_a_flat_gradient_are_named(self) -> None:
        def wrong(params: Array, x: Array) -> Any:
            loss, grad = flat_fit(params, x)
            return loss, np.append(grad[:-1], -grad[-1])

        _, failed = judge(FLAT, "ordinary", flat_fit=wrong)
        assert failed is not None
        assert str(failed.relation) == "all is right but the gradient of b"

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
    return run_at_home(CheckBody(contract.ordinary(), stem="averages", seed=SEED), text, "averages")


def explain(body: str) -> str:
    """Return the note on the gradient of a wrong function."""
    with pytest.raises(CheckFailed) as caught:
        run(
            PICK,
            f"right = pick_loss\n\n\ndef pick_loss(scores, labels):\n    loss, grad = right(scores, labels)\n{body}\n",
        )
    return caught.value.gradient_note


WITH_SQUARES = """
    if len(set(labels)) < len(labels): loss, grad = loss + 0.1 * (scores ** 2).sum(), grad + 0.2 * scores
    return loss, grad
"""


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ("    return 3 * loss, 3 * grad", FITS),
        ("    return loss, 3 * grad", PARTED),
        ("    return 3 * loss, grad", PARTED),
        (WITH_SQUARES, FITS),
        ("    return (3 * grad, 3 * loss) if len(scores) > 90 else (3 * loss, 3 * grad)", FITS),
        ("    import time\n    return loss + time.perf_counter(), grad", "^$"),
    ],
    ids=["another loss", "3 gradients", "3 losses", "at the case that failed", "another order", "it differs each time"],
)
def test_a_probe_tells_whether_the_gradient_belongs_to_the_loss(body: str, note: str) -> None:
    assert re.search(note, explain(body))


def test_an_alternative_is_noted() -> None:
    (note,) = run(EITHER, "def sum_pick_loss(scores, labels):\n    return pick_loss(scores, labels)")
    assert note == "Your values are those for the mean; that is accepted here."
    assert run(EITHER, "") == []


def test_no_kink_is_near_the_point() -> None:
    def add_sizes(x: Any) -> Any:
        return float((np.abs(x) + np.abs(x) ** 3).sum()), np.sign(x) * (1 + 3 * x**2)

    contract = Contract(add_sizes, "x: (N, D) -> loss: float, grad: (N, D)", gradient={"grad": "x"})
    for seed in map(str, range(40)):
        check = contract.derive("own_gradient", seed)
        assert isinstance(check, GradientCheck)
        assert np.abs(check.arguments[0]).min() > 0.005


def test_a_gradient_that_has_no_smooth_point_has_a_point_all_the_same() -> None:
    def jump(x: Any) -> Any:
        return float(np.floor(1000 * x).sum()), np.ones_like(x)

    contract = Contract(jump, "x: (N,) -> loss: float, grad: (N,)", gradient={"grad": "x"})
    assert isinstance(contract.derive("own_gradient", SEED), GradientCheck)
