"""The lines at the end of a failed visible test, put into a file beside the student's, show the wrong answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from autograder.checks.cases import Comparison
from autograder.grading.explain import REPRODUCER
from autograder.grading.reproducer import NO_LINES, Spelling, write_reproducer
from autograder.grading.transcript import RecordedRequest
from autograder.programs.plain_values import Handle
from autograder.programs.recipes import Generator
from autograder.results import Visibility
from autograder.sandbox.host.callbacks import Callback
from tests.selftest.support.toy_assignment import checks_of, reference_text

pytestmark = pytest.mark.slow


def asked(*arguments: Any, kind: str = "call", reply: object = None) -> list[RecordedRequest]:
    """One call of the function f of the module work."""
    return [RecordedRequest(kind, (Handle(1, "function", True), arguments), reply)]


def lines(requests: Sequence[RecordedRequest], *remarks: str) -> str:
    """The lines for these requests."""
    return write_reproducer(requests, {1: Spelling("work", "f", ("x", "y"))}, remarks).text


class TestLines:
    def test_short_arguments_are_written_where_they_are_used(self) -> None:
        assert lines(asked(0.5, [1, "a"]), "f(x): expected: 3") == (
            "from work import f\nprint(f(0.5, [1, 'a']))\n# f(x): expected: 3"
        )

    def test_long_ones_get_the_name_of_the_parameter(self) -> None:
        x, y = np.arange(12.0).reshape(3, 4) / 8, {"W": np.ones(2), "b": [None, True, (1,)]}
        text = lines(asked(x, y))
        assert text.startswith("import numpy as np\nfrom work import f\nx = np.array([[0.0, 0.125, ")
        assert "y = {'W': np.array([1.0, 1.0]), 'b': [None, True, (1,)]}" in text
        assert text.endswith("print(f(x, y))")

    def test_an_argument_that_the_call_changed_is_shown_after_it(self) -> None:
        call = asked([1, 2], [3], 4, kind="call_keeping_arguments", reply=(None, ([1], [3], 5)))
        written = write_reproducer(call, {1: Spelling("work", "f", ("x", "y"))})
        assert written.text == "from work import f\nx = [1, 2]\nprint(f(x, [3], 4), x)"
        assert written.shown == (None, [1])

    @pytest.mark.parametrize("kind", ["call_keeping_arguments", "call_recording_warnings"])
    @pytest.mark.parametrize("reply", [(), (1,), (1, 2.5), (1, np.zeros(())), (1, [2], 3), [], "", None], ids=str)
    def test_a_forged_reply_without_the_arguments_shows_the_call_alone(self, kind: str, reply: object) -> None:
        assert lines(asked([1, 2], [3], kind=kind, reply=reply)) == "from work import f\nprint(f([1, 2], [3]))"

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (np.zeros((0, 3)), "np.zeros((0, 3))"),
            (np.array([1, 2]), "np.array([1, 2])"),
            (np.array([True]), "np.array([True])"),
            (np.array([0.5], dtype=np.float32), "np.array([0.5], dtype=np.float32)"),
            (np.array(0.1 + 0.2), "np.array(0.3)"),
            (float("inf"), "float('inf')"),
        ],
        ids=str,
    )
    def test_an_argument_has_its_type(self, value: Any, text: str) -> None:
        said = lines(asked([value, "a text that makes it long"]))
        assert f"[{text}," in said

    def test_only_the_last_call_is_repeated(self) -> None:
        assert lines([*asked(1), *asked(2)]).endswith("print(f(2))")
        assert "f(1)" not in lines([*asked(1), *asked(2)])

    def test_the_call_with_the_refused_value_is_repeated_and_none_with_an_equal_one(self) -> None:
        known, refused = {1: Spelling("work", "f", ("x", "y"))}, [1, 2]
        calls = [*asked(0.25, reply=refused), *asked(0.5, reply=[1, 2])]
        compared = [Comparison("f(x)", each, [3, 4], holds=False) for each in (refused, [1, 2])]
        written = [write_reproducer(calls, known, refused=each).text for each in compared]
        assert ["f(0.25)" in text for text in written] == [True, False]

    def test_a_generator_is_made_again_where_it_was_not_used_before(self) -> None:
        rng = Handle(7, "Generator", False)
        made = [RecordedRequest("make", (Generator(53),), rng)]
        assert lines([*made, *asked(rng)]).endswith("print(f(np.random.default_rng(53)))")
        assert lines([*made, *asked(rng), *asked(rng)]) == ""

    def test_a_value_that_stayed_in_the_worker_is_made_again_by_its_call(self) -> None:
        kept = Handle(7, "tuple", False)
        made = RecordedRequest("call_keeping_value", (Handle(1, "function", True), (2, 3), 1), kept)
        given = np.arange(12.0).reshape(3, 4)
        text = lines([made, *asked(given, kept)])
        # x is assigned after the call that made y, which may use the name too
        assert re.search(r"y = f\(2, 3\)\[1\]\nx = np.array\(.*\nprint\(f\(x, y\)\)$", text, re.DOTALL)
        whole = RecordedRequest("call_keeping_value", (Handle(1, "function", True), (2, 3)), kept)
        assert "y = f(2, 3)\n" in lines([whole, *asked(given, kept)])

    @pytest.mark.parametrize(
        "argument",
        [
            np.zeros(1000),
            Handle(9, "thing", False),
            Callback(print),
            object(),
            "two words " * 30,
            [["x" * 100] for _ in range(40)],
        ],
        ids=["large", "object", "function", "unknown", "broken text", "many lines"],
    )
    def test_there_are_none_for_what_has_no_short_text(self, argument: Any) -> None:
        assert lines(asked(argument)) == ""

    def test_there_are_none_where_nothing_or_something_else_was_asked(self) -> None:
        assert lines([]) == ""
        assert write_reproducer(asked(1), {}) == NO_LINES

    def test_all_that_was_done_to_an_object_is_done_again(self) -> None:
        it, other = Handle(5, "SmallParse", False), Handle(6, "SmallParse", False)
        made = [RecordedRequest("call", (Handle(1, "SmallParse", True), (["a"],)), each) for each in (it, other)]
        steps = [
            RecordedRequest("set", (it, "stack", [])),
            RecordedRequest("set", (other, "stack", ["b"])),
            RecordedRequest("get", (it, "buffer"), []),
            RecordedRequest("call_method", (it, "step", ("S",))),
        ]
        seen = [RecordedRequest("get", (it, "stack"), []), RecordedRequest("get", (it, "buffer"), [])]
        spellings = {1: Spelling("work", "SmallParse", ("sentence",))}
        done = "from work import SmallParse\nparse = SmallParse(['a'])\nparse.stack = []\n"
        assert write_reproducer([*made, *steps], spellings).text == done + "print(parse.step('S'))"
        assert write_reproducer([*made, *steps, *seen], spellings).text == (
            done + "parse.step('S')\nprint(parse.stack, parse.buffer)"
        )
        assert write_reproducer(made[:1], spellings).text == done.rpartition("parse.stack")[0].rstrip()


def test_a_test_that_is_not_visible_has_none() -> None:
    raises = "\ndef squash(*arguments):\n    raise ValueError('not like this')\n"
    checks = checks_of("fitting", reference_text("fitting") + raises)
    shown = {check.visibility for check in checks.values() if REPRODUCER in check.output}
    assert shown == {Visibility.VISIBLE}
