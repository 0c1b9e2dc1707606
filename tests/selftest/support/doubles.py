"""Doubles: combines pairs of known mistakes of one function that are wrong in different parts of its value."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from types import FunctionType
from typing import Any

import numpy as np

from autograder.diagnosis.replay import Replay, copy_function, preserve_global_state
from autograder.diagnosis.replies import is_same_reply
from autograder.mistakes import Mistake
from autograder.results import Verdict
from tests.selftest.support.grading import find_rows, load
from tests.selftest.support.replayed_submission import REFERENCES, hidden_tests, judge, right_function

Code = Callable[..., Any]


@dataclass(frozen=True)
class Judged:
    """Code made of known mistakes, and the names that its failed checks have; `expected`: those of the mistakes.

    `needed`: those of mistakes that are more than a lack of robustness, if there are any: an error or an infinite value
    tells too little beside another mistake.
    """

    name: str
    expected: frozenset[str]
    needed: frozenset[str]
    named: frozenset[str]
    failed: frozenset[str]

    @property
    def verdict(self) -> str:
        """How the names compare with the expected ones."""
        if self.named - self.expected:
            return "named wrongly"
        return "named rightly" if self.named >= self.needed else "named in part" if self.named else "not named"


def judge_code(name: str, code: Code, *made_of: Mistake) -> Judged:
    """Judge code in place of the function of some mistakes."""
    first = made_of[0]
    lost = [each for each in judge(first.stem, first.function, code).checks if each.verdict is Verdict.FAILED]
    named = frozenset(mistake for each in lost for mistake in each.diagnosis)
    failed = frozenset(each.test_id.rpartition("::")[2] for each in lost)
    expected = frozenset(each.id for each in made_of)
    needed = frozenset(each.id for each in made_of if not is_of_robustness(each)) or expected
    return Judged(name, expected, needed, named, failed)


def is_of_robustness(mistake: Mistake) -> bool:
    """Whether a mistake fails checks of robustness alone."""
    rows = {each.test.name: each.test.is_robustness for each in hidden_tests(mistake.stem)}
    return all(rows[name] for name in find_rows(mistake))


def list_mistakes(stem: str) -> list[Mistake]:
    """List the known mistakes of plain functions that end."""
    plain = {name for name, value in vars(REFERENCES[stem]).items() if isinstance(value, FunctionType)}
    return [each for each in load(stem) if each.function in plain]


def judge_doubles(stem: str) -> Iterator[Judged]:
    """Judge the pairs of mistakes that compose: together they fail the tests that either fails, and no other."""
    found = [(each, find_wrong_parts(each)) for each in list_mistakes(stem)]
    for (one, parts), (other, others) in combinations([pair for pair in found if pair[1]], 2):
        if one.function == other.function and parts.isdisjoint(others):
            judged = judge_code(f"{one.id} and {other.id}", combine(one, other, parts), one, other)
            if judged.failed == {*find_rows(one), *find_rows(other)}:
                yield judged


def find_wrong_parts(mistake: Mistake) -> set[int]:
    """Find the parts of a tuple in which a mistake is wrong in its tests; none if it returns no tuple."""
    right, seen = right_function(mistake.stem, mistake.function), []
    code = copy_function(mistake.wrong)

    def shadow(*arguments: Any) -> Any:
        with preserve_global_state():
            seen.append((_call(code, _copy(arguments)), right(*arguments)))
        return seen[-1][1]

    for test, call in hidden_tests(mistake.stem):
        if mistake.function in test.functions and not test.is_robustness:
            Replay(REFERENCES, lambda _: None).replace(mistake.stem, mistake.function, shadow).run(call)
    if not seen or not all(isinstance(value, tuple) for _, value in seen):
        return set()
    return {part for wrong, value in seen for part in range(len(value)) if not _is_part_right(wrong, value, part)}


def _is_part_right(wrong: Any, right: Any, part: int) -> bool:
    has_parts = isinstance(wrong, (tuple, list)) and len(wrong) == len(right)
    return has_parts and is_same_reply(_make_plain(wrong[part]), _make_plain(right[part]))


def _make_plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _copy(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copy arguments, but not the functions and objects of a test."""
    kinds = (np.ndarray, np.random.Generator, list, dict)
    return tuple(copy.deepcopy(each) if isinstance(each, kinds) else each for each in arguments)


def _call(code: Code, arguments: tuple[Any, ...]) -> Any:
    try:
        return code(*arguments)
    except Exception as error:  # noqa: BLE001  (a mistake may raise anything)
        return error


def combine(one: Mistake, other: Mistake, parts: set[int]) -> Code:
    """Return a function that takes these parts from one mistake, and the rest from the other."""
    codes = copy_function(one.wrong), copy_function(other.wrong)

    def double(*arguments: Any) -> Any:
        copied = _copy(arguments)
        first, second = codes[0](*arguments), codes[1](*copied)
        return tuple(first[part] if part in parts else value for part, value in enumerate(second))

    return double
