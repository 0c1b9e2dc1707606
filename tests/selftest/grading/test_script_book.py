"""Script book: a script holds what a body asks without any student, and replies to it are looked at each time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autograder.checks import checks
from autograder.grading.attempt import AttemptResult
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.script import ScriptBook, run_on_replies
from autograder.grading.script_runner import are_replies
from autograder.sandbox.host.callbacks import Callback
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.protocol.encoder import encode
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
    assert run_on_replies(test, make_material("")["shapes"], script, answer_script(script)) == AttemptResult()


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


MATERIAL = make_material("")["shapes"]
CALL = (0, "add", b"given", b"answer")
REPLIES: list[Any] = [(None, []), (b"12", [CALL]), (b"3", [])]


class Counted:
    """A test that counts how often its body runs."""

    def __init__(self, name: str = "check_double") -> None:
        self.runs = 0
        made = make_test(self._check, "double")
        self.test = made._replace(test=replace(made.test, test_id=f"test_shapes.py::{name}"))
        script = write_script(self.test)
        assert script
        self.replies = answer_script(script)
        self.runs = 0

    def _check(self, student: Student) -> None:
        self.runs += 1
        checks.close("double(3)", student.shapes.double(3.0), 6.0)

    def is_passed(self, book: ScriptBook, replies: list[Any] | None = None) -> bool:
        result = book.judge(self.test, MATERIAL, self.replies if replies is None else replies)
        return result is not None and result.is_passed


@pytest.fixture
def book() -> ScriptBook:
    """Return an empty book."""
    return ScriptBook()


def test_replies_are_looked_at_each_time(book: ScriptBook) -> None:
    counted = Counted()
    assert counted.is_passed(book)
    assert counted.is_passed(book, list(counted.replies))
    assert counted.runs == 1 + 2  # the first writes the script


@pytest.mark.parametrize("payload", [encode(7.0), encode(6.0 + 1e-3), encode("6.0"), b"", None])
def test_other_replies_do_not_pass_after_right_ones(book: ScriptBook, payload: bytes | None) -> None:
    counted = Counted()
    assert counted.is_passed(book)
    assert not counted.is_passed(book, [counted.replies[0], (payload, [])])
    assert not counted.is_passed(book, counted.replies[:1])
    assert not counted.is_passed(book, [])


def test_replies_that_differ_by_rounding_pass(book: ScriptBook) -> None:
    counted = Counted()
    assert counted.is_passed(book, [counted.replies[0], (encode(6.0 + 1e-14), [])])


def test_notes_are_those_of_the_pass(book: ScriptBook) -> None:
    def check(student: Student) -> None:
        checks.close("double(3)", student.shapes.double(3.0), 6.0)
        student.note("a note")

    test: RunnableTest = make_test(check, "double")
    script = write_script(test)
    assert script
    found = [book.judge(test, MATERIAL, answer_script(script)) for _ in range(2)]
    assert found == [AttemptResult(notes=("a note",))] * 2


@pytest.mark.parametrize(
    "replies",
    [
        None,
        (*REPLIES,),
        [b"12"],
        [(b"12",)],
        [(b"12", [], [])],
        [(b"12", ())],
        [[b"12", []]],
        [("12", [])],
        [(bytearray(b"12"), [])],
        [(b"12", [list(CALL)])],
        [(b"12", [CALL[:3]])],
        [(b"12", [(True, *CALL[1:])])],
        [(b"12", [("0", *CALL[1:])])],
        [(b"12", [(*CALL[:3], None)])],
    ],
)
def test_replies_of_another_form_are_refused(replies: object) -> None:
    assert are_replies(REPLIES)
    assert not are_replies(replies)
