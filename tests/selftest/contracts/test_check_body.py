"""A test function that returns a check is a hidden test like any other: collected, graded, handed out."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Check, CheckFailed, Contract
from autograder.contracts import CheckBody
from autograder.contracts.check import CaseCheck
from autograder.contracts.judgement import judge
from autograder.grading.hidden_test import HiddenTestError, RunnableTest, make_runnable
from autograder.programs.program import run_program
from autograder.public_checks.expected import OnlyOnGradescope
from autograder.public_checks.expected import encode as encode_for_handout
from autograder.student import CallFailed
from tests.selftest.contracts.toy_contracts import SEED
from tests.selftest.support.home_run import run_at_home
from tests.selftest.support.toy_assignment import ASSIGNMENT, reference_text

pytestmark = pytest.mark.once

REFERENCE = ASSIGNMENT.import_reference("averages")
GLIDE = Contract(
    REFERENCE.glide_step,
    "theta: (...), grad: (...), m: (...), rate: float > 0, beta: float [0, 1) = 0.9 -> theta: (...), m: (...)",
    keeps_arguments=True,
)
ASSIGNMENT = replace(ASSIGNMENT, seed=SEED)
RIGHT = reference_text("averages")


@weight(2)
@number("4.1")
@visibility("after_due_date")
def test_glide_everywhere() -> Check:
    """glide_step: everywhere"""
    return GLIDE.everywhere()


test_glide_everywhere.__test__ = False  # it is collected by the grader alone


def make(function: Any = test_glide_everywhere) -> RunnableTest:
    """The hidden test."""
    vars(function).pop("__test__", None)
    try:
        return make_runnable(function, question_id="averages", assignment=ASSIGNMENT)
    finally:
        function.__test__ = False


def run(text: str, call: Any = None) -> list[str]:
    """Run the body on a file; return the notes of a pass."""
    return run_at_home(call or make().call, text, "averages")


def write(body: str) -> str:
    """A file with a function of its own."""
    return f"{RIGHT}\n\nright = glide_step\n\n\ndef glide_step(theta, grad, m, rate, beta=0.9):\n    {body}\n"


class TestCollection:
    def test_takes_the_function_from_the_contract(self) -> None:
        test = make().test
        assert (test.functions, test.points, test.title) == (("glide_step",), 2.0, "glide_step: everywhere")

    def test_keeps_tags(self) -> None:
        @weight(1)
        @number("4.2")
        @visibility("visible")
        @tags("glide_step", "robustness")
        def tagged() -> Check:
            """glide_step"""
            return GLIDE.ordinary()

        assert make(tagged).test.is_robustness

    def test_needs_a_seed(self) -> None:
        with pytest.raises(HiddenTestError, match='drawn from a private seed; write seed = "any text" at the top of'):
            make_runnable(unmarked, question_id="averages", assignment=replace(ASSIGNMENT, seed=""))

    def test_refuses_what_is_no_check(self) -> None:
        def nothing() -> Check:
            """Nothing."""
            return None  # type: ignore[return-value]

        def broken() -> Check:
            """A gradient check that the contract does not know."""
            return GLIDE.gradient_check()

        for function, problem in (
            (nothing, "it returns a value of type NoneType"),
            (broken, "it raises ContractError"),
        ):
            with pytest.raises(HiddenTestError, match=problem):
                make(function)


@weight(1)
@number("4.3")
@visibility("visible")
def unmarked() -> Check:
    """glide_step: without a mark of this test"""
    return GLIDE.ordinary()


class TestBody:
    def test_passes_right_work(self) -> None:
        assert run(RIGHT) == []

    def test_judges_replies_in_the_order_of_its_programs(self) -> None:
        call = make().call
        assert isinstance(call, CheckBody)
        check = call.derived
        assert isinstance(check, CaseCheck)
        replies = [run_program(each, partial(getattr, REFERENCE)) for each in check.programs]
        assert judge(check, replies).failure is None
        alike = [each for each in replies if len(each) == 1]  # the others have the arguments, too
        turned = [alike.pop() if len(each) == 1 else each for each in replies]
        assert isinstance(judge(check, turned).failure, CheckFailed)

    @pytest.mark.parametrize(
        ("body", "share", "text"),
        [
            ("return right(theta, grad, m, rate, 0.9)", 0.8, "theta and m are wrong where beta is not its default"),
            (
                "len(theta); return right(theta, grad, m, rate, beta)",
                0.6,
                "glide_step raised TypeError for an array without axes",
            ),
            ("m += 1; return right(theta, grad, m - 1, rate, beta)", 0.9, "glide_step changes its argument m"),
            (
                "return theta, m",
                0.0,
                "theta is wrong; m is wrong in all cases tried except where theta, grad and m are equal",
            ),
        ],
    )
    def test_fails_with_the_share_that_is_earned(self, body: str, share: float, text: str) -> None:
        with pytest.raises(CheckFailed) as failed:
            run(write(body))
        assert failed.value.what.startswith(text)
        assert failed.value.share == pytest.approx(share)

    def test_that_never_gives_a_value_ends_as_the_call_did(self) -> None:
        with pytest.raises(CallFailed) as failed:
            run(write("raise ValueError('never')"))
        assert failed.value.outcome.error_type == "ValueError"

    def test_says_no_hidden_value(self) -> None:
        with pytest.raises(CheckFailed) as failed:
            run(write("return right(theta, grad, m, rate, 0.9)"))
        shown = f"{failed.value.what} {failed.value.expected} {failed.value.relation}"
        call = make().call
        assert isinstance(call, CheckBody)
        constants = {str(each) for case in call.derived.cases for each in case.arguments[3:]}  # type: ignore[union-attr]
        assert not constants & set(shown.replace(",", " ").split())


def test_what_is_no_plain_data_has_no_place_in_the_handout() -> None:
    check = GLIDE.derive("ordinary", SEED)
    assert isinstance(check, CaseCheck)
    with pytest.raises(OnlyOnGradescope, match="a function"):
        encode_for_handout(check._replace(arguments=(run,)))
