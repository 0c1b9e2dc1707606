"""The inputs of checks that share a worker hold no right value of a check, before it is asked for or at any time.

A worker receives all programs of a check at once, and the checks of one visibility after another. What it replies to
one program must not stand in another check, nor in a later program of the same check.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest

from autograder.contracts import CheckBody
from autograder.contracts.body import DerivedCheck
from autograder.contracts.check import CaseCheck
from autograder.contracts.reply import CaseReply
from autograder.grading.collection import collect_hidden_tests
from autograder.programs.program import Make, run_program
from autograder.programs.recipes import Copy
from autograder.results import Visibility
from autograder.sandbox.protocol.wire import encode
from tests.selftest.support.grading import ASSIGNMENT

pytestmark = [pytest.mark.content, pytest.mark.once]

_DIGITS = 12
# Numbers that are whole when multiplied by these are also chosen by authors.
_FRACTIONS = (8, 10, 12, 100)
_LEAVES = 3
_WORDS = 4  # of a list of texts: three words of a sentence are the stack in many states of a parser


# Cases of one class begin with states that others reach: what a function remembers by the stack alone shows only so.
OF_STATES = tuple(f"test_parser_transitions.py::test_{method}_everywhere, " for method in ("parse", "parse_step"))
MOST_STATES = 20  # of a thousand programs


class Exchange(NamedTuple):
    """One program of a check: what it gives and what a right submission replies."""

    given: object
    replied: object


Exchanges = Mapping[str, Sequence[Exchange]]  # by the name of the test, in their order


def list_exchanges(check: DerivedCheck, module: Any) -> list[Exchange]:
    """List what the programs of a check give, and what is judged of the replies of the right solution."""
    found = []
    for number, program in enumerate(check.programs):
        recipes = [step.recipe for step in program.steps if isinstance(step, Make)]
        given = [each.value for each in recipes if isinstance(each, Copy)]
        reply = run_program(program, partial(getattr, module))
        if isinstance(check, CaseCheck) and number < len(check.cases):
            reply = list(CaseReply(check, check.cases[number], reply).find_parts(check.places).parts.values())
        found.append(Exchange(given, reply))
    return found


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


@pytest.mark.ci
@pytest.mark.parametrize("visibility", [Visibility.VISIBLE, Visibility.AFTER_DUE_DATE])
def test_no_input_holds_a_right_value_of_another_program(visibility: Visibility) -> None:
    tests = {
        test.test_id: list_exchanges(body.derived, ASSIGNMENT.import_reference(test.question_id))
        for test, body in collect_hidden_tests(ASSIGNMENT, question_ids=tuple(ASSIGNMENT.question_ids))
        if test.visibility is visibility and isinstance(body, CheckBody)
    }
    assert len(tests) > 30
    found = list(find_right_values(tests))
    by_design = [line for line in found if line.startswith(OF_STATES) and line.endswith("in a later step")]
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
