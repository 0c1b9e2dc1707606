"""A program that ends its worker costs what it alone can earn: the replies before it count, and others are asked on."""

from typing import Any

import pytest

from autograder.contracts import CheckBody, Contract
from autograder.contracts.body import Check
from autograder.contracts.check import CaseCheck
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox import limits
from autograder.sandbox.host.client import Zygote
from tests.selftest.support import toy_shapes
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.shared_judging import count_requests
from tests.selftest.support.toy_question import hidden_test, submission

pytestmark = [pytest.mark.slow, pytest.mark.once]

SEED = "a seed"
DOUBLE = Contract(toy_shapes.double, "x: (N,) -> doubled: (N,)", keeps_arguments=True)
EVERYWHERE, ORDINARY = DOUBLE.everywhere(), DOUBLE.ordinary()
NEED = limits.Need(0, cpu_s=0.4)  # seconds that endless code takes
ENDS = {
    "exits": ("__import__('os')._exit(0)", "died"),
    "crashes": ("__import__('os').abort()", "died"),
    "kills itself": ("__import__('os').kill(__import__('os').getpid(), 9)", "died"),
    "loops": ("[None for _ in iter(int, 1)]", "timed_out"),
    "prints": ("[print('x' * 10000) for _ in range(2000)]", "output_limit"),
}
RAISES = "1 / 0"
PLACES = {
    "one size": "x.shape == (1,)",
    "the first case": "x.tolist() == {first}",
    "one value": "x.size and not x.any()",
}


def judge(zygote: Zygote, where: str, what: str, check: Check = EVERYWHERE, **of_test: Any) -> CheckResult:
    """Return the result of a function that is right but does something in some cases."""
    derived = check.derive(SEED)
    assert isinstance(derived, CaseCheck)
    condition = where.format(first=derived.cases[0].arguments[0].tolist())
    text = f"COUNT = []\ndef double(x):\n    if {condition}: {what}\n    return 2 * x\n"
    body = CheckBody(check, seed=SEED)
    return make_judge(submission(text), zygote=zygote).judge(hidden_test("double", need=NEED, **of_test), body)


@pytest.mark.sampled(second=4)
@pytest.mark.parametrize("where", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize(("what", "outcome"), ENDS.values(), ids=ENDS)
def test_an_end_costs_what_an_error_there_costs(zygote: Zygote, where: str, what: str, outcome: str) -> None:
    raising, ending = judge(zygote, where, RAISES), judge(zygote, where, what)
    assert raising.score is not None
    if outcome == "timed_out" and where == PLACES["the first case"]:
        assert ending.score == 0  # such code is taken to end nowhere, since it takes its whole time in each worker
        return
    assert 0 < raising.score < raising.points
    assert (ending.score, ending.verdict, ending.outcome) == (raising.score, Verdict.PARTIAL, outcome)


def test_one_that_never_ends_is_waited_for_once(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = count_requests(monkeypatch)
    judge(zygote, "True", ENDS["loops"][0], visibility=Visibility.AFTER_DUE_DATE)
    assert kinds.count("preload") == 1


@pytest.mark.parametrize(("what", "outcome"), ENDS.values(), ids=ENDS)
def test_one_that_always_ends_its_worker_earns_nothing(zygote: Zygote, what: str, outcome: str) -> None:
    ending = judge(zygote, "True", what)
    assert (ending.score, ending.verdict, ending.outcome) == (0.0, Verdict.FAILED, outcome)


def test_what_was_not_observed_earns_nothing(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where as many programs have ended their workers as a check may have, nothing more is asked."""
    monkeypatch.setattr(limits, "ENDING_PROGRAMS", 1)
    kinds = count_requests(monkeypatch)
    ending = judge(zygote, "x.shape == (1,)", ENDS["exits"][0], visibility=Visibility.AFTER_DUE_DATE)
    assert kinds.count("preload") == 1
    raising = judge(zygote, "x.shape == (1,)", RAISES)
    assert (ending.score, raising.score) == (0.0, 1.03)  # 0.2 is for the promise, which nobody saw kept


def test_a_right_value_after_an_end_is_not_taken_for_that_of_the_ended_one(zygote: Zygote) -> None:
    """A function that ends its worker in each second call is wrong in the groups where it does."""
    ending = judge(zygote, "COUNT.append(1) or len(COUNT) == 2", ENDS["exits"][0], ORDINARY)
    assert ending.verdict is not Verdict.PASSED
    assert ending.score == judge(zygote, "COUNT.append(1) or len(COUNT) == 2", RAISES, ORDINARY).score


def test_the_message_says_which_call_ended_it_and_what_was_not_tried(zygote: Zygote) -> None:
    output = judge(zygote, "x.shape == (1,)", ENDS["loops"][0]).output
    first, *_ = output.splitlines()
    assert first.startswith(
        "FAIL double was stopped because it took too long where N = 1; right in the other cases tried; "
    )
    assert first.endswith(" not tried after that")
    assert "found:    the call was stopped because it took too long\n" in output
    assert "next:     look for a loop that does not end" in output
    assert "print(double(" in output


def test_a_hidden_check_does_not_show_how_the_process_ended(zygote: Zygote) -> None:
    what = "__import__('os')._exit(int(7 + x.size))"
    assert "exit status 8" in judge(zygote, "x.shape == (1,)", what).output
    assert "exit status" not in judge(zygote, "x.shape == (1,)", what, visibility=Visibility.AFTER_DUE_DATE).output


def test_a_check_in_which_one_program_was_late_is_late(zygote: Zygote) -> None:
    text = "def double(x):\n    while x.shape == (1,): pass\n    return 2 * x\n"
    judge = make_judge(submission(text), zygote=zygote)
    test, body = hidden_test("double", need=NEED), CheckBody(EVERYWHERE, seed=SEED)
    results = [judge.judge(test, body) for _ in range(3)]
    assert [each.was_run for each in results] == [True, True, False]
    assert results[0].score == results[1].score
    assert results[2].score == 0


FAULT = """
import gc
def break_worker(_):
    raise KeyError("broken")
def double(x):
    for each in gc.get_objects():
        if type(each).__name__ == "Worker":
            each.{name} = break_worker
    return 2 * x
"""


@pytest.mark.parametrize("name", ["_run_program", "_stop_clock", "_start_call", "reply"])
def test_a_worker_whose_own_code_fails_is_not_waited_for(zygote: Zygote, name: str) -> None:
    judge = make_judge(submission(FAULT.format(name=name)), zygote=zygote)
    result = judge.judge(hidden_test("double", need=NEED), CheckBody(ORDINARY, seed=SEED))
    assert result.verdict in (Verdict.FAILED, Verdict.PARTIAL)
    assert result.outcome != "timed_out"


def test_a_reply_that_is_too_large_is_refused_at_once_and_costs_its_case_alone(zygote: Zygote) -> None:
    huge = "return [__import__('numpy').zeros(10**6), __import__('numpy').zeros(1500000)]"
    large = judge(zygote, "x.shape == (1,)", huge)
    assert large.outcome != "timed_out"
    promise = 0.2  # which an argument shows that can be read
    assert large.score == pytest.approx(judge(zygote, "x.shape == (1,)", RAISES).score + promise)
