"""The inputs of checks that share a worker hold no right value of a check, before it is asked for or at any time.

A worker receives the inputs of all checks of a question and visibility at once, and of one question after another. What
it replies to one of them must not stand in the input of another, nor in a later one of the same check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from autograder.grader import Grader
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.material import Material
from autograder.grading.script import ScriptBook
from autograder.results import Verdict
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.messages import StepReply
from autograder.sandbox.protocol.trusted_form import unpack_script, unpack_trusted
from autograder.submission import read_submission
from tests.selftest.golden.regenerate import ANSWERED
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.toy_scripts import count_requests

pytestmark = pytest.mark.content

_DIGITS = 12
_FRACTIONS = (8, 10, 12, 100)  # numbers that are whole when multiplied by these are also chosen by authors
_LEAVES = 3
_WORDS = 4  # of a list of texts: three words of a sentence are the stack in many states of a parser


# Cases of one class begin with states that others reach: what a function remembers by the stack alone shows only so.
OF_STATES = "test_parser_transitions.py::test_parse_step_everywhere"
MOST_STATES = 20  # of a thousand requests


class Exchange(NamedTuple):
    """One request of a script: what it gives and what a right submission replies."""

    given: object
    replied: object


Exchanges = Mapping[str, Sequence[Exchange]]  # by the name of the test, in their order


@cache
def read_exchanges() -> dict[str, Exchanges]:
    """Grade a right submission, and return what each of its scripts exchanged, by visibility."""
    found: dict[str, dict[str, Sequence[Exchange]]] = {}
    with pytest.MonkeyPatch.context() as patch, Grader(ASSIGNMENT) as grader:
        judge = ScriptBook.judge

        def keep(self: ScriptBook, test: RunnableTest, material: Material, replies: Sequence[StepReply]) -> Any:
            steps = zip(unpack_script(self.find(test, material))[0], replies, strict=True)
            exchanged = [_read_exchange(step, reply[0]) for step, reply in steps]
            found.setdefault(test.test.visibility.value, {})[test.test.test_id] = exchanged
            return judge(self, test, material, replies)

        right = read_submission(PROJECT / "examples" / "right", ASSIGNMENT)
        grader.grade(right)  # checks without a recorded script are asked one by one
        patch.setattr(ScriptBook, "judge", keep)
        grader.grade(right)
    return dict(found)


def _read_exchange(step: Any, payload: Any) -> Exchange:
    objects = {"find_object": lambda number: f"object {number}", "make_served": lambda toy: toy.export.name}
    return Exchange(
        unpack_trusted(step, **objects) if type(step) is bytes else None,
        decode(payload, allow_handles=True, allow_exports=True) if type(payload) is bytes else None,
    )


def find_right_values(tests: Exchanges) -> Iterator[str]:
    """Yield a line for each reply of which a part stands in another input that the worker has at that time."""
    given = {name: [set(list_signs(each.given)) for each in steps] for name, steps in tests.items()}
    all_given = {name: set().union(*sets) for name, sets in given.items()}
    for name, steps in tests.items():
        known: set[bytes | float] = set()
        for place, each in enumerate(steps):
            known |= given[name][place]
            replied = set(list_signs(each.replied)) - known
            others = {"a later step": set().union(*given[name][place + 1 :])}
            others |= {other: all_given[other] for other in tests if other != name}
            yield from (f"{name}, step {place + 1}, in {other}" for other, held in others.items() if replied & held)


def list_signs(value: object) -> Iterator[bytes | float]:
    """List what tells a value from all others: numbers that no author writes, and whole lists and arrays."""
    if isinstance(value, (float, np.floating)):
        if np.isfinite(value) and all(abs(value * by - round(value * by)) > 1e-6 for by in _FRACTIONS):
            yield float(f"{float(value):.{_DIGITS}g}")  # a tiny number has other digits than the next one
    elif isinstance(value, (list, tuple, dict)):
        parts = list(value.values()) if isinstance(value, dict) else value
        leaves = [each for each in parts if isinstance(each, (str, int, tuple, list))]
        least = _WORDS if all(isinstance(each, str) for each in leaves) else _LEAVES
        if len(leaves) >= least and len({repr(each) for each in leaves}) > 1:
            yield repr(leaves).encode()
        for part in parts:
            yield from list_signs(part)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        rounded = np.round(value.astype(np.float64), _DIGITS) + 0.0
        if value.size >= _LEAVES and len(np.unique(rounded)) > 2:  # rounding noise is like any other
            yield encode(rounded)
        yield from list_signs(value.astype(np.float64).ravel().tolist())


@pytest.mark.parametrize(
    "visibility",
    [pytest.param("visible", marks=pytest.mark.ci), pytest.param("after_due_date", marks=pytest.mark.ci)],
)
def test_no_input_holds_a_right_value_of_another_check(visibility: str) -> None:
    tests = read_exchanges()[visibility]
    asked = [test for test, _ in collect_hidden_tests(ASSIGNMENT, stems=ANSWERED)]
    assert tests.keys() == {test.test_id for test in asked if test.visibility.value == visibility}
    found = list(find_right_values(tests))
    by_design = [line for line in found if line.startswith(f"{OF_STATES}, ") and line.endswith("in a later step")]
    assert [line for line in found if line not in by_design] == []
    assert len(by_design) <= MOST_STATES


RIGHT = np.array([[0.1234567891, 2.0], [3.0, 4.0]])
ASKED = Exchange(np.ones((2, 2)), RIGHT)


@pytest.mark.parametrize(
    "other",
    [RIGHT, [RIGHT], {"a": (1, RIGHT)}, 0.1234567891, [5.0, 0.1234567891]],
    ids=["itself", "in a list", "in a dict", "a number of it", "a number of it in a list"],
)
def test_a_right_value_in_an_input_would_be_found(other: object) -> None:
    told = Exchange(other, None)
    assert list(find_right_values({"a": [ASKED], "b": [told]})) == ["a, step 1, in b"]
    assert list(find_right_values({"a": [ASKED, told]})) == ["a, step 1, in a later step"]
    assert list(find_right_values({"a": [told, ASKED]})) == []


@pytest.mark.parametrize("right", [["S", "LA", "S", "RA"], [(0, 1), (1, 2), (3, 1)], np.array([[1, 2], [3, 4]])])
def test_a_right_list_in_an_input_would_be_found(right: object) -> None:
    asked, told = Exchange("x", right), Exchange(("x", right), None)
    assert list(find_right_values({"a": [asked], "b": [told]})) == ["a, step 1, in b"]


def test_right_work_needs_one_worker_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = count_requests(monkeypatch)
    with Grader(ASSIGNMENT) as grader:
        report = grader.grade(read_submission(PROJECT / "examples" / "right", ASSIGNMENT))
    assert {check.verdict for check in report.checks} == {Verdict.PASSED}
    assert kinds.count("scripts") == 2
    assert kinds.count("preload") == 3  # one more reads the answers for a person
    assert 2 * (len(kinds) - kinds.count("preload")) <= 60  # messages, both ways
