"""Object random: draws cases of a class of which everything is random, a few together, to judge other classes."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence

import numpy as np

from autograder.contracts.case import VALUES
from autograder.contracts.object_case_maker import ObjectCaseMaker, Promised
from autograder.contracts.object_check import ObjectCase
from autograder.contracts.object_design import Planned
from autograder.contracts.object_request import GIVEN
from autograder.contracts.object_row import START_LENGTHS, find_own, make_start
from autograder.contracts.object_walk import STYLES, Situation, Walker

_TOGETHER = 3  # cases of one check: a case, and others that the same class answers after it
_SAME, _REPLACED = 0.25, 0.5  # how often another case is the first again, or differs from it in one attribute alone
_WALKED, _BESIDE, _USED = 0.3, 0.4, 0.3  # how often its steps are taken, another object is looked at, or used before
_LONG_WALK = 40  # steps, which are not taken again
_OTHERS = 20  # states of which an attribute is taken
Group = tuple[ObjectCase, ...]


def draw_steps(
    promised: Promised, walker: Walker, method: str, rng: np.random.Generator, count: int
) -> Iterator[Group]:
    """Draw about `count` calls of a method, a few together."""
    maker, found = ObjectCaseMaker(promised, method), find_own(promised, walker, method, rng)
    styles = list(dict.fromkeys(each.style for each in found))
    of_styles = [[each for each in found if each.style == style] for style in styles]
    for _ in range(count // _TOGETHER):
        first = _pick(of_styles[int(rng.integers(len(of_styles)))], rng)
        plans = [_choose_plan(first, rng), *(_choose_after(first, found, rng) for _ in range(_TOGETHER - 1))]
        made = (maker.make(each) for each in plans)
        yield tuple(each for each in made if each is not None)


def draw_starts(promised: Promised, walker: Walker, rng: np.random.Generator, count: int) -> Iterator[Group]:
    """Draw about `count` new objects, a few together, some of them after another object was used."""
    used = [each.before for each in walker.find_situations(rng, is_ordinary=True)]
    styles = list(STYLES) if walker.takes_lists else list(STYLES)[:1]
    for _ in range(count // _TOGETHER):
        made = []
        for _ in range(_TOGETHER):
            style, length = styles[int(rng.integers(len(styles)))], int(rng.choice(START_LENGTHS))
            case = make_start(promised, walker.draw_start(style, length, rng), VALUES)
            made.append(case._replace(promised={GIVEN: list(copy.deepcopy(case.arguments))}))
        if used and rng.random() < _USED:
            made.append(made[0]._replace(used=used[int(rng.integers(len(used)))]))
        yield tuple(made)


def _pick(found: Sequence[Situation], rng: np.random.Generator) -> Situation:
    return found[int(rng.integers(len(found)))]


def _choose_plan(situation: Situation, rng: np.random.Generator) -> Planned:
    is_walk = len(situation.before) <= _LONG_WALK and rng.random() < _WALKED
    return Planned(situation, VALUES, is_walk=is_walk, looks_beside=rng.random() < _BESIDE)


def _choose_after(first: Situation, found: Sequence[Situation], rng: np.random.Generator) -> Planned:
    """Plan a case behind the first: the same again, with one attribute of another state, or another one."""
    chance = rng.random()
    if chance < _SAME:
        return Planned(first, VALUES)
    names = list(first.state)
    if chance < _SAME + _REPLACED and names:
        name = names[int(rng.integers(len(names)))]
        others = [_pick(found, rng).state[name] for _ in range(_OTHERS)]
        return Planned(first, VALUES, replaced=(name, others))
    return _choose_plan(_pick(found, rng), rng)
