"""Tiers: decides by its marks in which run of the self-tests a test takes part, and counts what a run leaves out.

A sampled set (mistakes, hostile files, wordings) has a small sample in the second tier, a larger one in CI's, and is
whole in the last. `sample` marks its cases.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")


class Tier(IntEnum):
    """The runs of the self-tests, each with all that the one before has."""

    FAST = 0  # selftest --fast: no sandboxes by the hundred
    SECOND = 1  # selftest: every promise once
    CI = 2  # selftest --ci: larger samples, and what only a clean machine shows
    ALL = 3  # selftest --all


OPTIONS = {Tier.FAST: "--fast", Tier.CI: "--ci", Tier.ALL: "--all"}
_MARKS = {Tier.ALL: {"exhaustive"}, Tier.CI: {"ci"}, Tier.SECOND: {"slow", "content"}}
_REASONS = {
    None: "in containers (selftest -m container)",
    Tier.SECOND: "slow or of the course (selftest)",
    Tier.CI: "of larger samples (selftest --ci)",
    Tier.ALL: "of whole sets (selftest --all)",
}


def find_tier(item: pytest.Item) -> Tier | None:
    """Return the first tier that a test is in, by its marks; tests in containers are in none."""
    marks = {mark.name for mark in item.iter_markers()}
    return None if "container" in marks else next((tier for tier, each in _MARKS.items() if marks & each), Tier.FAST)


def choose_tier(config: pytest.Config) -> Tier:
    """Return the tier that the options of a run name; UsageError where they name two."""
    chosen = [tier for tier, option in OPTIONS.items() if config.getoption(option)]
    if len(chosen) > 1:
        raise pytest.UsageError(f"{' and '.join(OPTIONS[tier] for tier in chosen)} exclude each other: name one")
    return chosen[0] if chosen else Tier.SECOND


def split_by_tier(items: Iterable[pytest.Item], tier: Tier) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Split tests into those of a tier, and those that it leaves out."""
    split: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        first = find_tier(item)
        split[first is not None and first <= tier].append(item)
    return split[True], split[False]


def count_left_out(items: Iterable[pytest.Item]) -> dict[str, int]:
    """Count tests that are left out, by the reason and the run that has them."""
    return dict(sorted(Counter(_REASONS[find_tier(item)] for item in items).items()))


def count_tiers(items: Iterable[pytest.Item]) -> dict[str, int]:
    """Count the tests of each run, by its option: each has those of the runs before."""
    counts = Counter(map(find_tier, items))
    return {OPTIONS.get(tier, ""): sum(counts[each] for each in Tier if each <= tier) for tier in Tier}


def mark_sampled(items: Iterable[pytest.Item]) -> None:
    """Mark the parameters of each test that says `sampled(second, ci)`: so many of them are in these tiers."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled") is not None:
            cases[item.nodeid.partition("[")[0]].append(item)
    for found in cases.values():
        sizes = found[0].get_closest_marker("sampled").kwargs  # type: ignore[union-attr]
        for rank, item in enumerate(sorted(found, key=lambda item: _hash(item.name))):
            if rank >= sizes["second"]:
                item.add_marker("ci" if rank < sizes["ci"] else "exhaustive")


def sample(
    cases: Iterable[Case],
    *,
    by: Callable[[Case], Iterable[Hashable]],
    name: Callable[[Case], str] = str,
    second: int = 1,
    ci: int = 2,
    few: int = 0,
) -> list[Any]:
    """Return the cases as parameters, of which the second tier has `second` with each feature, and CI `ci`.

    `by` lists the features of a case, such as its question and its kind of fault. `few`: so many in all are enough for
    the second tier. Which cases are chosen depends on the hashes of their names, so that a new case seldom moves
    another.
    """
    listed = [(name(case), case) for case in cases]
    features = {each: tuple(by(case)) for each, case in listed}
    small = set(sorted(_cover(features, Counter(), second), key=_hash)[: few or len(listed)])
    counts = Counter(feature for each in small for feature in features[each])
    larger = small | _cover({each: features[each] for each in features.keys() - small}, counts, ci)
    marks = {each: () if each in small else (pytest.mark.ci,) for each in larger}
    return [pytest.param(case, id=each, marks=marks.get(each, (pytest.mark.exhaustive,))) for each, case in listed]


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
