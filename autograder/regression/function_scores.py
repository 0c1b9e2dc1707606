"""Function scores: turns scores of checks that have gone into scores of functions, so that runs can be compared.

Checks are compared by their numbers. Where a function had a number in the earlier run that it has no longer, its checks
were made anew, and numbers say nothing: its points are compared as one sum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from autograder.regression.scores import Scores, TestScore, derive_verdict

_Functions = Mapping[str, Sequence[TestScore]]  # by a name, the tests of one function, or of some together


class ComparableScores(NamedTuple):
    """The scores of two runs with the same tests; `functions`: the names of those that are compared as a whole."""

    before: Scores
    after: Scores
    functions: tuple[str, ...]


def join_gone_checks(before: Scores, after: Scores) -> ComparableScores:
    """Join the tests of each function that has lost one; the others, and tests that name no function, stay."""
    was, now = _group(before.tests.values()), _group(after.tests.values())
    gone = [name for name in was if _has_lost(was[name], now.get(name, ()))]
    return ComparableScores(_join(before, was, gone), _join(after, now, gone), tuple(gone))


def _group(tests: Iterable[TestScore]) -> _Functions:
    found: dict[str, list[TestScore]] = defaultdict(list)
    for test in tests:
        if test.functions:
            found[f"{test.question}: {', '.join(test.functions)}"].append(test)
    return found


def _has_lost(before: Sequence[TestScore], after: Sequence[TestScore]) -> bool:
    return not {test.key for test in before} <= {test.key for test in after}


def _join(scores: Scores, functions: _Functions, names: Collection[str]) -> Scores:
    if not names:
        return scores
    joined = {name: _join_tests(name, functions[name]) for name in names if name in functions}
    gone = {test.key for name in joined for test in functions[name]}
    return replace(scores, tests={key: test for key, test in scores.tests.items() if key not in gone} | joined)


def _join_tests(name: str, tests: Sequence[TestScore]) -> TestScore:
    score, most = (_add([getattr(test, field) for test in tests]) for field in ("score", "max_score"))
    return TestScore(
        key=name,
        title="all checks of the function together",
        question=tests[0].question,
        score=score,
        max_score=most,
        verdict=derive_verdict(score, most),
        diagnosis=tuple(dict.fromkeys(each for test in tests for each in test.diagnosis)),
        functions=tests[0].functions,
    )


def _add(values: Sequence[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return round(sum(known), 2) if len(known) == len(values) else None
