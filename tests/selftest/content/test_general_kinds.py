"""An error of a general kind is named in every function of the course where no known mistake is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from autograder.results import Verdict
from tests.mistakes import load
from tests.selftest.content.test_wrong_answers import FUNCTIONS
from tests.selftest.support.replayed_submission import judge, right_function

Code = Callable[..., Any]


def changed(change: Callable[[Any], Any]) -> Callable[[Code], Code]:
    """Return what changes each number and array of floats that a function returns."""

    def change_all(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(change_all, value))
        is_array = isinstance(value, np.ndarray) and value.dtype.kind == "f"
        return change(value) if is_array or isinstance(value, (float, np.floating)) else value

    return lambda right: lambda *arguments: change_all(right(*arguments))


def exchanged(right: Code) -> Code:
    """Return the outputs in reverse order."""

    def reverse(*arguments: Any) -> Any:
        value = right(*arguments)
        return value[::-1] if isinstance(value, tuple) else value

    return reverse


PLANTED: dict[str, Callable[[Code], Code]] = {
    "general.sign": changed(lambda value: -value),
    "general.transposed": changed(lambda value: value.T if np.ndim(value) == 2 else value),
    "general.log_base": changed(lambda value: value / np.log(2)),
    "general.factor_two": changed(lambda value: value * 2),
    "general.outputs_exchanged": exchanged,
}
# The least number of functions in which the kind has its own name; elsewhere a known mistake is the same, or the value
# has no such form.
LEAST = {
    "general.sign": 15,
    "general.transposed": 5,
    "general.log_base": 25,
    "general.factor_two": 25,
    "general.outputs_exchanged": 4,
}


def list_names(kind: str) -> Iterator[set[str]]:
    """List the names that a planted error has in each function, without tests of robustness."""
    for stem, function in FUNCTIONS:
        right = right_function(stem, function)
        if isinstance(right, FunctionType) and "." not in function and not function[0].isupper():
            known = {each.id for each in load(stem) if each.graded_function == function}
            checks = [each for each in judge(stem, function, PLANTED[kind](right)) if not each.is_robustness]
            names = {name for each in checks for name in each.diagnosis}
            assert names <= {kind} | known, (function, names)
            if kind in names:
                assert all(each.diagnosis == (kind,) for each in checks if each.verdict is Verdict.FAILED), function
            yield names


def test_the_hint_of_a_kind_does_not_speak_of_a_known_mistake() -> None:
    code = PLANTED["general.sign"](right_function("normalization", "normalizeRows"))
    output = "\n".join(each.output for each in judge("normalization", "normalizeRows", code) if each.diagnosis)
    assert "hint:     The right numbers with the other sign give the same results. Look for a minus" in output
    assert "known mistake" not in output


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_error_has_the_name_of_its_kind(kind: str) -> None:
    named = sum(names == {kind} for names in list_names(kind))
    assert named >= LEAST[kind], named
