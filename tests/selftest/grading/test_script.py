"""Scripts: all tests of a question and visibility are first tried in one worker, and only passes count."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from autograder.checks import checks
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.script import run_on_replies
from autograder.grading.script_runner import are_replies
from autograder.sandbox import limits
from autograder.sandbox.host.callbacks import Callback, CallbackSource, Refuse, ServedObject
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.outcome import CallFailed, OutcomeKind
from autograder.sandbox.protocol.wire import Export, Handle
from autograder.student import Student
from tests.selftest.support.toy_scripts import (
    answer_script,
    make_material,
    make_test,
    write_script,
)

Change = Callable[[list[Any]], object]


def check_numbers(student: Student) -> None:
    """Call two functions, and one of them twice."""
    first, area, second = student.shapes.double(3.0), student.shapes.area(2.0, 3.0), student.shapes.double(4.0)
    for got, right in ((first, 6.0), (area, 6.0), (second, 8.0)):
        checks.close("a number", got, right)


def check_pile(student: Student) -> None:
    """Make an object and use it."""
    pile = student.shapes.Pile(["a"])
    pile.push("b")
    checks.equal("items", pile.items, ["a", "b"])


def write(test: RunnableTest) -> bytes:
    script = write_script(test)
    assert script
    return script


def passes(body: Callable[[Student], Any], script: bytes, replies: list[Any]) -> bool:
    material = make_material("")["shapes"]
    result = run_on_replies(make_test(body), material, script, replies) if are_replies(replies) else None
    return result is not None and result.is_passed


@pytest.mark.parametrize("body", [check_numbers, check_pile])
def test_right_replies_pass(body: Callable[[Student], None]) -> None:
    script = write(make_test(body))
    assert passes(body, script, answer_script(script))


def call_each(*calls: tuple[Any, ...]) -> Callable[[Student], None]:
    """Make a test that calls functions, each given by its name and its arguments."""

    def body(student: Student) -> None:
        for name, *arguments in calls:
            getattr(student.shapes, name)(*arguments)

    return body


DOUBLE, AREA, AGAIN = ("double", 3.0), ("area", 2.0, 3.0), ("double", 4.0)
# Tests that make other requests than those recorded of `check_numbers`, whose right replies they get.
OTHERS: dict[str, Callable[[Student], Any]] = {
    "in another order": call_each(AREA, DOUBLE, AGAIN),
    "another argument": call_each(DOUBLE, ("area", 2.0, 3.000001), AGAIN),
    "another type": call_each(("double", 3), AREA, AGAIN),
    "a request more": call_each(DOUBLE, AREA, AGAIN, AGAIN),
    "a request fewer": call_each(DOUBLE, AREA),
    "none": call_each(),
    "of another question": lambda student: student.other.double(3.0),
    "of another kind": lambda student: (student.shapes.double.with_arguments(3.0), call_each(AREA, AGAIN)(student)),
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_a_body_that_makes_other_requests_leaves_the_script(body: Callable[[Student], None]) -> None:
    script = write(make_test(check_numbers))
    assert passes(call_each(DOUBLE, AREA, AGAIN), script, answer_script(script))
    assert not passes(body, script, answer_script(script))


@pytest.mark.parametrize(("count", "outcome"), [(0, None), (1, OutcomeKind.RAISED), (2, None)])
def test_a_call_without_a_value_is_a_failure_whatever_the_body_would_ask_then(
    count: int, outcome: OutcomeKind | None
) -> None:
    def go_on(student: Student) -> None:  # as a contract's check does
        with suppress(CallFailed):
            student.shapes.double(3.0)
        student.shapes.area(2.0, 3.0)

    test = make_test(go_on)
    script = write(test)
    result = run_on_replies(test, make_material("")["shapes"], script, answer_script(script)[:count])
    assert (result and result.outcome.kind) == outcome


def replace(number: int, payload: object, calls: object = None) -> Change:
    return lambda replies: replies.__setitem__(number, (payload, [] if calls is None else calls))


_CHANGES: dict[str, Change] = {
    "a wrong value": replace(1, encode(7.0)),
    "a value of another type": replace(1, encode("6.0")),
    "no value": replace(1, None),
    "no bytes": replace(1, b""),
    "bytes that are no value": replace(1, b"\xff\x00\x01"),
    "bytes after a value": replace(1, encode(6.0) + b"\x00"),
    "half a value": replace(1, encode(6.0)[:-1]),
    "an object": replace(1, encode(Handle(1, "", True, {}))),
    "an object in a list": replace(1, encode([Handle(1, "", True, {})])),
    "a function of the grader's": replace(1, encode(Export(0, "", True, (), ()))),
    "a function as a value": replace(0, encode(6.0)),
    "a call of a function that was not given": replace(1, encode(6.0), [(0, "", encode(((), {})), encode(1))]),
    "a reply missing at the end": lambda replies: replies.pop(),
    "a reply missing before": lambda replies: replies.pop(1),
    "no reply": lambda replies: replies.clear(),
    "replies exchanged": lambda replies: replies.insert(1, replies.pop(3)),
}


@pytest.mark.parametrize("change", _CHANGES.values(), ids=_CHANGES)
def test_a_forged_reply_does_not_pass(change: Change) -> None:
    script = write(make_test(check_numbers))
    replies = answer_script(script)
    change(replies)
    assert not passes(check_numbers, script, replies)


def test_an_object_stands_for_its_own_step_only() -> None:
    script = write(make_test(check_pile))
    for forged in (encode(Handle(7, "", True, {})), encode(Handle(1, "Pile", False, {})), encode(["a"])):
        replies = answer_script(script)
        replies[1] = (forged, [])
        assert not passes(check_pile, script, replies)


@pytest.mark.parametrize("score", [1.999, 0.0, float("nan"), float("inf")])
def test_less_than_all_points_is_no_pass(score: float) -> None:
    def body(student: Student) -> float:
        student.shapes.double(3.0)
        return score

    script = write(make_test(body))
    assert not passes(body, script, answer_script(script))


def test_a_fault_of_the_test_is_no_pass() -> None:
    faults = [KeyError("a bug"), checks.CheckFailed("x", expected="1", found="2"), checks.NotWritten("a stub")]
    script = write(make_test(check_numbers))
    for fault in faults:

        def body(student: Student, fault: Exception = fault) -> None:
            check_numbers(student)
            raise fault

        assert not passes(body, script, answer_script(script))


COUNT = CallbackSource(
    "class Count:\n    total = 0\n    def add(self, x):\n        self.total += x\n        return self.total", "Count()"
)


def check_calls(student: Student) -> None:
    """Give an object that counts, and require that it was called."""
    added: list[float] = []

    def add(x: float) -> float:
        if x < 0:
            raise Refuse("negative")
        if x == 100.0:
            time.sleep(10**6)
        added.append(float(x))
        return sum(added)

    count = ServedObject("count", source=COUNT, add=Callback(add, keywords=[("x",)]))
    student.shapes.double(count)
    checks.require(len(added) == 2, "calls", "two", f"{len(added)}")


def make_call(
    x: object, answer: object, *, number: int = 0, method: str = "add", **keywords: object
) -> tuple[Any, ...]:
    return (number, method, encode(((x,) if x is not None else (), keywords)), encode(answer))


RIGHT_CALLS = [make_call(1.0, 1.0), make_call(2.0, 3.0)]
CALLS = {
    "a wrong answer": [make_call(1.0, 1.0), make_call(2.0, 2.0)],
    "an answer of another type": [make_call(1.0, 1), make_call(2.0, 3.0)],
    "a missing call": [make_call(1.0, 1.0)],
    "another order": RIGHT_CALLS[::-1],
    "a call more": [*RIGHT_CALLS, make_call(1.0, 4.0)],
    "an object that was not given": [*RIGHT_CALLS, make_call(1.0, 4.0, number=1)],
    "an object of a negative number": [*RIGHT_CALLS, make_call(1.0, 4.0, number=-1)],
    "a method that it has not": [*RIGHT_CALLS, make_call(1.0, 4.0, method="total")],
    "the object itself": [*RIGHT_CALLS, make_call(1.0, 4.0, method="")],
    "an argument that is refused": [*RIGHT_CALLS, make_call(-1.0, 4.0)],
    "an argument that raises an error": [*RIGHT_CALLS, make_call("a text", 4.0)],
    "no argument": [*RIGHT_CALLS, make_call(None, 4.0)],
    "an unknown keyword": [*RIGHT_CALLS, make_call(1.0, 4.0, y=2)],
    "arguments that are no tuple": [*RIGHT_CALLS, (0, "add", encode([1.0]), encode(4.0))],
    "arguments that are no value": [*RIGHT_CALLS, (0, "add", b"\xff", encode(4.0))],
    "large arguments": [*RIGHT_CALLS, make_call(np.ones(2**18), 4.0)],
    "arguments that take for ever": [*RIGHT_CALLS, make_call(100.0, 103.0)],
}


def run_with_calls(calls: list[Any]) -> bool:
    script = write(make_test(check_calls))
    return passes(check_calls, script, [(None, []), (encode(1.0), calls)])


def test_calls_that_give_the_answers_written_down_pass() -> None:
    assert run_with_calls(RIGHT_CALLS)


@pytest.mark.parametrize("calls", CALLS.values(), ids=CALLS)
def test_a_forged_list_of_calls_does_not_pass(calls: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CALLBACK_S", 0.2)
    assert not run_with_calls(calls)


def test_more_calls_than_allowed_do_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_with_calls(RIGHT_CALLS)
    monkeypatch.setattr(limits, "CALLBACKS", 1)
    assert not run_with_calls(RIGHT_CALLS)


def test_calls_that_are_slow_in_each_step_take_little_of_the_graders_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CALLBACK_S", 0.2)
    answered = []

    def answer(x: float) -> None:
        answered.append(x)
        time.sleep(0.15)

    def body(student: Student) -> None:
        slow = Callback(answer, source=CallbackSource("def slow(x): pass", "slow"))
        for _ in range(10):
            student.shapes.double(slow)

    script = write(make_test(body))
    call = (0, "", encode(((1.0,), {})), encode(None))
    assert not passes(body, script, [(None, []), *[(encode(1.0), [call])] * 10])
    assert len(answered) <= 2
