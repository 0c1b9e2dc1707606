"""An error of a general kind is named in every function of the course where no known mistake is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from autograder.results import Verdict
from tests.selftest.content.test_wrong_answers import FUNCTIONS
from tests.selftest.support.grading import load
from tests.selftest.support.replayed_submission import judge, right_function
from tests.selftest.support.wrong_answers import Code, replaced

pytestmark = [pytest.mark.content, pytest.mark.once]


def changed(change: Callable[[Any], Any]) -> Callable[[Code], Code]:
    """Return what changes each number and array of floats that a function returns."""

    def change_all(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(change_all, value))
        is_array = isinstance(value, np.ndarray) and value.dtype.kind in "fi"
        return change(value) if is_array or isinstance(value, (float, np.floating)) else value

    return replaced(lambda value, _: change_all(value))


def of_arguments(change: Callable[[Any, tuple[Any, ...]], Any]) -> Callable[[Code], Code]:
    """Return what changes each number and array of floats by the arguments; it raises LookupError where it cannot."""

    def change_where_it_can(value: Any, arguments: tuple[Any, ...]) -> Any:
        with suppress(LookupError):
            return changed(lambda each: change(each, arguments))(lambda: value)()
        return value

    return replaced(change_where_it_can)


def with_argument(kind: type, change: Callable[[Any], Any]) -> Callable[[Code], Code]:
    """Return what calls the right function with the last argument of a type changed."""

    def plant(right: Code) -> Code:
        def wrong(*arguments: Any) -> Any:
            found = [k for k, each in enumerate(arguments) if type(each) is kind]
            return right(*(change(each) if k in found[-1:] else each for k, each in enumerate(arguments)))

        return wrong

    return plant


def drawn_again(right: Code) -> Code:
    """Return the second output of another call, or another value where there is one output."""

    def wrong(*arguments: Any) -> Any:
        first, second = right(*arguments), right(*arguments)
        return (first[0], second[1], *first[2:]) if isinstance(first, tuple) else second

    return wrong


def in_other_order(value: Any) -> Any:
    """Return a flat array with its second half first."""
    return np.roll(value, len(value) // 2) if np.ndim(value) == 1 and len(value) > 3 else value


def take(arguments: tuple[Any, ...], is_wanted: Callable[[Any], bool]) -> Any:
    """Return the first argument that is wanted; IndexError if there is none."""
    return [each for each in arguments if is_wanted(each)][0]  # noqa: RUF015  (IndexError, not StopIteration)


# What plants an error of each kind, and the least number of functions in which the kind has its own name; elsewhere a
# known mistake is the same, or the value has no such form.
PLANTED: dict[str, tuple[Callable[[Code], Code], int]] = {
    "general.sum_for_mean": (of_arguments(lambda value, given: value * len(take(given, np.ndim))), 20),
    "general.named_factor": (of_arguments(lambda value, given: value / take(given, lambda x: isinstance(x, float))), 4),
    "general.term": (
        of_arguments(lambda value, given: value + take(given, lambda x: np.ndim(x) and np.shape(x) == np.shape(value))),
        10,
    ),
    "general.reversed": (changed(lambda value: np.flip(value, 0) if np.ndim(value) == 2 else value), 10),
    "general.argument_ignored": (with_argument(np.ndarray, lambda array: 0 * array), 12),
    "general.index_off": (with_argument(int, lambda number: number - 1), 4),
    "general.sign": (changed(lambda value: -value), 15),
    "general.transposed": (changed(lambda value: value.T if np.ndim(value) == 2 else value), 5),
    "general.log_base": (changed(lambda value: value / np.log(2)), 25),
    "general.factor_two": (changed(lambda value: value * 2), 25),
    "general.outputs_exchanged": (replaced(lambda value, _: value[::-1] if isinstance(value, tuple) else value), 4),
    "general.reordered": (changed(in_other_order), 1),
    "general.second_draw": (drawn_again, 1),
}
# Where an argument is subtracted, adding it once more is the same as leaving it out; an argument can be added only
# where it has the shape of the value; a smaller size of a batch shows only where it is 1.
SAME = {
    "general.term": ["general.argument_ignored", "general.wrong_where"],
    "general.index_off": ["general.wrong_where"],
    "general.reordered": ["general.wrong_where"],  # flat arrays of three numbers are left as they are
    "general.reversed": ["general.reordered"],
}


def list_names(kind: str, plant: Callable[[Code], Code]) -> Iterator[set[str]]:
    """List the names that a planted error has in each function, without tests of robustness."""
    for stem, function in FUNCTIONS:
        right = right_function(stem, function)
        if isinstance(right, FunctionType) and "." not in function and not function[0].isupper():
            known = {each.id for each in load(stem) if each.function == function}
            checks = [each for each in judge(stem, function, plant(right)).checks if not each.is_robustness]
            names = {name for each in checks for name in each.diagnosis}
            assert names <= {kind, *SAME.get(kind, ())} | known, (function, names)
            if kind in names:
                assert all(each.diagnosis == (kind,) for each in checks if each.verdict is Verdict.FAILED), function
            yield names


def test_the_hint_of_a_kind_does_not_speak_of_a_known_mistake() -> None:
    code = PLANTED["general.sign"][0](right_function("normalization", "normalizeRows"))
    output = "\n".join(each.output for each in judge("normalization", "normalizeRows", code).checks if each.diagnosis)
    assert "hint:     The right numbers with the other sign give the same results. Look for a minus" in output
    assert "known mistake" not in output


@pytest.mark.ci
@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_error_has_the_name_of_its_kind(kind: str) -> None:
    plant, least = PLANTED[kind]
    assert sum(names == {kind} for names in list_names(kind, plant)) >= least
