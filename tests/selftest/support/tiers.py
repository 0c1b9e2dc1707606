"""Tiers: which tests a run of the self-tests leaves out, and how a large set of cases is sampled."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")


def list_marks_left_out(config: pytest.Config) -> set[str]:
    """List the marks of the tests that a run leaves out."""
    marks = {"container"}
    if config.getoption("--fast"):
        marks |= {"slow", "content"}
    if not config.getoption("--ci"):
        marks.add("ci")
    return marks


def mark_sampled(items: Iterable[pytest.Item]) -> None:
    """Mark the parameters of each test that says `sampled(second)`: all but so many run with `--ci` only."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled") is not None:
            cases[item.nodeid.partition("[")[0]].append(item)
    for of_one_test in cases.values():
        second = of_one_test[0].get_closest_marker("sampled").kwargs["second"]  # type: ignore[union-attr]
        for item in sorted(of_one_test, key=lambda item: _hash(item.name))[second:]:
            item.add_marker("ci")


def sample(
    cases: Iterable[Case],
    *,
    by: Callable[[Case], Iterable[Hashable]],
    name: Callable[[Case], str] = str,
    second: int = 1,
    ci: int | None = 2,
    few: int = 0,
) -> list[Any]:
    """Return cases as parameters: `second` with each feature, and with `--ci` as many as `ci`, or all if it is None.

    `by` lists the features of a case, such as its question and its kind of fault. `few`: so many in all are enough for
    the second command. Which cases are chosen depends on the hashes of their names, so that a new case seldom moves
    another.
    """
    listed = {name(case): case for case in cases}
    features = {each: tuple(by(case)) for each, case in listed.items()}
    small = set(sorted(_cover(features, Counter(), second), key=_hash)[: few or len(listed)])
    larger = set(listed) - small
    if ci is not None:
        counts = Counter(feature for each in small for feature in features[each])
        larger = _cover({each: features[each] for each in larger}, counts, ci)
    parameters = []
    for each, case in listed.items():
        if each in small:
            parameters.append(pytest.param(case, id=each))
        elif each in larger:
            parameters.append(pytest.param(case, id=each, marks=pytest.mark.ci))
    return parameters


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def _cover(features: Mapping[str, Sequence[Hashable]], counts: Counter[Hashable], times: int) -> set[str]:
    """Choose names until each of their features is counted so many `times`, or all names are chosen."""
    chosen = set()
    for each in sorted(features, key=_hash):
        if any(counts[feature] < times for feature in features[each]):
            chosen.add(each)
            counts.update(features[each])
    return chosen
