"""Recording: what a dry run learns of a test holds no reply, and a test whose requests need a reply has no script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograder.checks import checks
from autograder.checks.dry_run import Unknown, is_dry_run, start_dry_run
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.recording import Step, record_steps
from autograder.sandbox.host.callbacks import Callback, CallbackSource, ServedObject
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Handle
from autograder.student import Remote, Student, TestCall
from tests.selftest.support import toy_shapes
from tests.selftest.support.project_sources import assert_none
from tests.selftest.support.scripts import list_hidden_tests
from tests.selftest.support.toy_assignment import ASSIGNMENT
from tests.selftest.support.toy_scripts import make_test, record_alone, write_script

TESTS = list_hidden_tests(ASSIGNMENT)


def find_unknown(value: Any) -> Iterator[str]:
    """Yield a line for each part of a recorded argument that is no input: anything but plain values and handles."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "biufcUS":
            yield f"an array of {value.dtype}"
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from find_unknown(item)
    elif isinstance(value, dict):
        for pair in value.items():
            yield from find_unknown(pair)
    elif isinstance(value, Handle):
        yield from find_unknown(value.attributes)
    elif isinstance(value, (Callback, ServedObject)):
        if not isinstance(value.source, CallbackSource):
            yield "a function without a source"
    elif not isinstance(value, (bool, int, float, str, bytes, type(None), np.generic, Remote)):
        yield f"a {type(value).__name__}"


def find_replies(test: RunnableTest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield a line for each part of a test's recorded steps that is no input, or if it has no steps."""
    steps = record_alone(test, monkeypatch)
    for line in ["no steps"] * (not steps) + [line for step in steps for line in find_unknown(step.arguments)]:
        yield f"{test.test.test_id}: {line}"


def test_recorded_steps_hold_no_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    for test in TESTS:
        assert_none(find_replies(test, monkeypatch))
        assert not is_dry_run()


def test_an_unknown_part_would_be_found() -> None:
    hidden = np.empty(1, dtype=object)
    for value in (Unknown(), [Unknown()], {"a": (1, Unknown())}, hidden, Handle(1, "", True, {"a": Unknown()})):
        assert list(find_unknown(Step(messages.CALL, (value,)).arguments))


def pass_on(make: Any) -> TestCall:
    """Make a test whose second call has an argument made of the first reply."""

    def body(student: Student) -> None:
        student.shapes.area(make(student.shapes.double(3.0)), 2.0)

    return body


def hash_reply(reply: Any) -> float:
    return {reply: 1.0}[reply]


def fill_array(reply: Any) -> Any:
    filled = np.zeros(2)
    filled[0] = reply
    return filled


def fill_objects(reply: Any) -> Any:
    filled = np.empty(2, dtype=object)
    filled[:] = [reply, 1.0]
    return filled


def compute_in_place(reply: Any) -> Any:
    made = np.ones(2)
    made += reply
    return made


def keep_in_default(reply: Any, kept: list[Any] = []) -> Any:  # noqa: B006  (it is the point)
    kept.append(reply)
    return kept[-1]


COMPUTED = {
    "itself": lambda reply: reply,
    "arithmetic": lambda reply: 2 * reply + 1,
    "its negative": lambda reply: -reply,
    "a part": lambda reply: reply[0],
    "a part by parts": lambda reply: checks.parts("a pair", reply, ("a", "b"))[0],
    "a value by mapping": lambda reply: checks.mapping("a dict", reply, ("a", "b"))["a"],
    "a checked array": lambda reply: checks.array("an array", reply, (2,)),
    "a checked number": lambda reply: checks.scalar("a number", reply),
    "a method of it": lambda reply: reply.sum(),
    "numpy's function": np.sum,
    "numpy's ufunc": lambda reply: np.add(reply, 1.0),
    "an array of it": lambda reply: np.array([reply]),
    "an array of objects": fill_objects,
    "an array that is filled": fill_array,
    "an array that is changed in place": compute_in_place,
    "a list": lambda reply: [1.0, [reply]],
    "a dict": lambda reply: {"a": {"b": reply}},
    "a set": lambda reply: {reply},
    "a key of a dict": hash_reply,
    "a formatted text": lambda reply: f"{reply}",
    "a text": str,
    "its representation": repr,
    "its length": len,
    "a whole number": int,
    "a number": float,
    "an index": lambda reply: [1.0, 2.0][reply],
    "a range": lambda reply: list(range(reply)),
    "a comparison": lambda reply: reply == 6.0,
    "a branch": lambda reply: 1.0 if reply else 2.0,
    "a compared branch": lambda reply: 1.0 if reply > 5.0 else 2.0,
    "a loop": lambda reply: [item for item in reply],  # noqa: C416  (list() asks for the length first)
    "a membership": lambda reply: 6.0 in reply,
    "a maximum": lambda reply: max(reply, 1.0),
    "a sorted list": lambda reply: sorted([reply, 1.0]),
    "a mutable default": keep_in_default,
}


@pytest.mark.parametrize("make", COMPUTED.values(), ids=COMPUTED)
def test_an_argument_that_is_made_of_a_reply_has_no_script(make: Any) -> None:
    assert write_script(make_test(pass_on(make))) is None


def test_a_value_that_stays_in_the_worker_may_be_an_argument() -> None:
    def body(student: Student) -> None:
        kept = student.shapes.double.keep(3.0)
        checks.close("the area", student.shapes.area(kept, 2.0), 12.0)

    assert write_script(make_test(body)) is not None


def test_what_a_body_makes_of_replies_afterwards_does_no_harm() -> None:
    def body(student: Student) -> None:
        total = 1.0 - student.shapes.double(3.0) / 2.0
        student.shapes.area(2.0, 3.0)
        checks.close("total", total, -2.0)

    script = write_script(make_test(body))
    assert script is not None
    assert len(script.steps) == 4


def test_a_test_that_hands_over_a_function_without_a_source_has_no_script() -> None:
    def body(student: Student) -> None:
        student.shapes.double(Callback(lambda: 1.0))

    assert write_script(make_test(body)) is None


def test_a_test_of_two_questions_has_no_script() -> None:
    def body(student: Student) -> None:
        student.shapes.double(3.0)
        student.other.double(3.0)

    test = make_test(body)
    assert record_steps(test, {"shapes": toy_shapes, "other": toy_shapes}) == ()


def test_a_test_with_a_column_of_the_leaderboard_has_no_script() -> None:
    def body(student: Student) -> None:
        student.shapes.double(3.0)

    assert write_script(make_test(body)) is not None
    assert write_script(make_test(body, column="time")) is None


def test_a_dry_run_ends_with_its_block() -> None:
    with start_dry_run():
        assert is_dry_run()
    assert not is_dry_run()
    with pytest.raises(KeyError), start_dry_run():
        raise KeyError
    assert not is_dry_run()
