"""Script writing: a script holds what a body asks without any student, so that no reply is in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.checks import checks
from autograder.grading.script import run_on_replies
from autograder.sandbox.host.callbacks import Callback
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.protocol.trusted_form import unpack_script
from autograder.student import Student, TestCall
from tests.selftest.support.toy_scripts import answer_script, make_material, make_test, write_script


def pass_on(make: Any) -> TestCall:
    """Make a test whose second call has an argument made of the first reply."""

    def body(student: Student) -> None:
        student.shapes.area(make(student.shapes.double(3.0)), 2.0)

    return body


COMPUTED = {
    "itself": lambda reply: reply,
    "arithmetic": lambda reply: 2 * reply + 1,
    "a checked number": lambda reply: checks.scalar("a number", reply),
    "numpy's function": np.sum,
    "a text": str,
    "a branch": lambda reply: 1.0 if reply else 2.0,
}


@pytest.mark.parametrize("make", COMPUTED.values(), ids=COMPUTED)
def test_a_body_that_asks_with_what_it_makes_of_a_reply_leaves_the_script(make: Any) -> None:
    test = make_test(pass_on(make))
    script = write_script(test)
    assert script
    assert run_on_replies(test, make_material("")["shapes"], script, answer_script(script)) is None


def test_a_script_is_written_without_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a worker was started")

    monkeypatch.setattr(Zygote, "spawn", refuse)
    replies: list[object] = []
    assert write_script(make_test(lambda student: replies.append(student.shapes.double(3.0))))
    assert replies == [None]


def test_a_value_that_stays_in_the_worker_may_be_an_argument() -> None:
    def body(student: Student) -> None:
        kept = student.shapes.double.keep(3.0)
        checks.close("the area", student.shapes.area(kept, 2.0), 12.0)

    test = make_test(body)
    script = write_script(test)
    assert script
    assert run_on_replies(test, make_material("")["shapes"], script, answer_script(script)) is not None


def test_a_body_may_look_at_its_replies_after_its_last_call() -> None:
    def body(student: Student) -> None:
        first, second = student.shapes.double(3.0), student.shapes.area(2.0, 3.0)
        checks.close("their difference", 1.0 + first - second, 1.0)

    script = write_script(make_test(body))
    assert script
    assert len(unpack_script(script)[0]) == 4


def test_a_body_that_waits_for_a_reply_has_no_script() -> None:
    def body(student: Student) -> None:
        while not student.shapes.double(3.0):
            pass

    assert not write_script(make_test(body))


def test_a_test_that_hands_over_a_function_without_a_source_has_no_script() -> None:
    def body(student: Student) -> None:
        student.shapes.double(Callback(lambda: 1.0))

    assert not write_script(make_test(body))


def test_a_test_with_a_column_of_the_leaderboard_has_no_script() -> None:
    def body(student: Student) -> None:
        student.shapes.double(3.0)

    assert write_script(make_test(body))
    assert not write_script(make_test(body, column="time"))
