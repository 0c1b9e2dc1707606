"""Object contract: what a class promises: how its objects start, their state, and what may be done with them.

The rows of its constructor and of its methods follow from it, and the random cases by which other classes are judged.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from autograder.checks.values import is_equal
from autograder.contracts.action import Action, Repeated
from autograder.contracts.body import DerivesChecks
from autograder.contracts.case import ORDINARY, SIZES, STATE, VALUES, Case
from autograder.contracts.check import GIVEN, RETURNED, CaseCheck, changes, divide_parts
from autograder.contracts.drawing import make_generator, pick
from autograder.contracts.object_case_maker import ObjectCaseMaker, list_changeable
from autograder.contracts.object_design import WALKS, Planned, describe_values, list_everywhere, list_ordinary
from autograder.contracts.object_walk import (
    DISTINCT,
    LONG_LISTS,
    STYLES,
    PromisedClass,
    Situation,
    Step,
    read_state,
    write_object,
)
from autograder.contracts.signature import ContractError

_GROUP_SHARES = {ORDINARY: 1.0, SIZES: 0.4, VALUES: 0.35, STATE: 0.25}  # of what one kind of step is worth
_START_SHARES = {**_GROUP_SHARES, STATE: 0.75}  # what objects share shows in all that is done with them
_WALKS_SHARE = 0.15
START_LENGTHS = (*range(1, 9), 12, LONG_LISTS)
_LENGTHS = {ORDINARY: (5, 3), SIZES: START_LENGTHS, VALUES: (2, 3, 5, 9)}
_FEW_STEPS = 3
_WITHOUT_LISTS = 8  # cases of a constructor that takes no list
_TOGETHER = 3  # cases of one check: a case, and others that the same class answers after it
_SAME, _REPLACED = 0.25, 0.5  # how often another case is the first again, or differs from it in one attribute alone
_WALKED, _BESIDE, _USED = 0.3, 0.4, 0.3  # how often its steps are taken, another object is looked at, or used before
_LONG_WALK = 40  # steps, which are not taken again
_CHANGED = 2.0  # times what a part is worth within a group that the right step leaves as it was
_OTHERS = 20  # states of which an attribute is taken
Group = tuple[Case, ...]


class MethodContract(DerivesChecks):
    """What a method of a class promises; without a `method`, what the constructor does."""

    def __init__(self, owner: PromisedClass, method: str = "") -> None:
        self.name = f"{owner.name}.{method}" if method else owner.name
        self.owner, self.method = owner, method

    def list_silent(self) -> list[str]:
        """List the constructor and the methods before it that return nothing, where no state shows what they do."""
        owner = self.owner
        action = owner.actions.get(self.method)
        if owner.state or not isinstance(action, Action):
            return []
        before = ((name, owner.actions[name]) for name in action.after)
        silent = (name for name, each in before if isinstance(each, Action) and "->" not in each.signature)
        return [f"{owner.name}.{name}" for name in ("__init__", *silent)]

    def draw_checks(self, seed: str, count: int) -> Iterator[CaseCheck]:
        """Draw checks of a few random cases each; a constructor is judged by what its objects do, too."""
        rng = make_generator(seed, self.name, "random")
        methods = [self.method] if self.method else list(self.owner.actions)
        for each in methods:
            groups = draw_steps(self.owner, each, rng, count // len(methods))
            yield from map(MethodContract(self.owner, each)._build, groups)
        if not self.method:
            yield from map(self._build, draw_starts(self.owner, rng, count))

    def _derive(self, purpose: str, seed: str) -> CaseCheck:
        owner, rng = self.owner, make_generator(seed, self.name, purpose)
        listed = list_steps(owner, self.method, purpose, rng) if self.method else list_starts(owner, purpose, rng)
        cases = tuple(listed)
        if not all(case.expected for case in cases):
            raise ContractError(f"{self.name}: it returns nothing, and the contract names no state that shows its work")
        share = self.owner.robust_share if any(case.promised for case in cases) else 0.0
        action, check = owner.actions.get(self.method), self._build(cases)
        shares = divide_groups(cases, self.owner.shares, left=1 - share)
        return check._replace(
            shares=shares,
            part_shares={group: weigh_parts(check, group, owner.part_shares) for group in shares},
            promise_share=share,
            steps=tuple(list_repeated_steps(owner, action, rng)) if isinstance(action, Repeated) else (),
        )

    def _build(self, cases: tuple[Case, ...]) -> CaseCheck:
        """Build a check of cases that are worth nothing."""
        unordered = {name: tuple(each) for name, each in self.owner.unordered.items()}
        returns = getattr(self.owner.actions.get(self.method), "returns", "")
        if returns in unordered:
            unordered[RETURNED] = unordered[returns]
        parts = tuple(dict.fromkeys(part for case in cases for part in case.expected))
        return CaseCheck(self.name, (), parts, cases, {}, {}, owner=self.owner.name, unordered=unordered)


class ObjectContract(PromisedClass, MethodContract):
    """What a class promises. `reference`: the right class. `start`: the arguments of its constructor, as a signature.

    `state`: the attributes that are its state; they may be assigned. `actions`: by the name of a method, a function
    that lists the legal values of its argument for an object, an `Action` or a `Repeated`. `kept`: attributes that no
    method changes. `unordered`: attributes whose items have no order, each with the names of the two parts of an item,
    if it is a pair. `shares`: what the values of an action are worth beside each other; by default all the same.
    `robust_share`: of a row, for what has to stay as it was. `part_shares`: what attributes are worth beside others.
    """

    def __post_init__(self) -> None:
        PromisedClass.__post_init__(self)
        MethodContract.__init__(self, self)
        self._methods = {name: MethodContract(self, name) for name in self.actions}

    def get_action(self, name: str) -> MethodContract:
        """The contract of a method, with the rows `ordinary` and `everywhere`."""
        if name not in self.actions:
            raise ContractError(f"{self.name}: no action is named {name}; there are {', '.join(self.actions)}")
        return self._methods[name]


def list_starts(promised: PromisedClass, purpose: str, rng: np.random.Generator) -> Iterator[Case]:
    """List new objects; the last is made beside another one, and must leave its arguments as they were."""
    groups = (ORDINARY,) if purpose == ORDINARY else (SIZES, VALUES)
    made: list[Case] = []
    for group in groups:
        styles = [each for each in STYLES if each != DISTINCT] if group == VALUES else [DISTINCT]
        for style in styles if promised.takes_lists or group != VALUES else ():
            for length in _LENGTHS[group] if promised.takes_lists else range(_WITHOUT_LISTS):
                _, arguments = promised.draw_start(style, length, rng)
                made.append(make_start(promised, arguments, group)._replace(is_first=not made))
    first = made[0]
    yield from made
    beside = make_start(promised, first.arguments, first.group, looks_beside=True)
    yield beside._replace(kinds=(), is_first=True)
    long = [each for each in promised.find_situations(rng, is_ordinary=True) if len(each.before) > _FEW_STEPS]
    if long:
        used = max(long, key=lambda each: _count_changes(promised, each))
        case = make_start(promised, used.arguments, STATE, used=used.before)
        yield case._replace(kinds=("after another object was used",))


def make_start(
    promised: PromisedClass,
    arguments: tuple[object, ...],
    group: str,
    *,
    looks_beside: bool = False,
    used: tuple[Step, ...] = (),
) -> Case:
    """Make the case of a new object; it `looks_beside`: another one must leave the arguments as they were."""
    made = promised.reference(*copy.deepcopy(tuple(arguments)))
    expected = read_state(made, (*promised.state, *promised.kept))
    named = dict(zip((each.name for each in promised.parsed.arguments), arguments, strict=True))
    kinds = () if group in (ORDINARY, STATE) else tuple(describe_values(named))
    program, names = write_object(
        promised.name, arguments, {}, (), tuple(expected), looks_beside=looks_beside, used=used
    )
    kept = {GIVEN: list_changeable(arguments)} if looks_beside else {}
    return Case(program, arguments, expected, group, kinds, names=names, promised=kept)


def _count_changes(promised: PromisedClass, situation: Situation) -> int:
    """Count the attributes that differ from those of a new object."""
    started = read_state(promised.reference(*copy.deepcopy(situation.arguments)), promised.state)
    return sum(not is_equal(value, started[name]) for name, value in situation.state.items())


def list_steps(promised: PromisedClass, method: str, purpose: str, rng: np.random.Generator) -> Iterator[Case]:
    """List the cases of a method."""
    is_repeated = isinstance(promised.actions[method], Repeated)  # it keeps what the other method keeps
    maker = ObjectCaseMaker(promised, method, promises=not is_repeated)
    is_ordinary = purpose == ORDINARY
    found = maker.find_situations(rng, is_ordinary=is_ordinary)
    for label in sorted({promised.describe_step(each.step) for each in found}):
        own = [each for each in found if promised.describe_step(each.step) == label]
        listed = list_ordinary(own, rng) if is_ordinary else list_everywhere(own, rng, promised.unordered)
        for number, planned in enumerate(listed):
            case = maker.make(planned)
            if case is not None:
                yield case._replace(is_first=number == 0)


def list_repeated_steps(promised: PromisedClass, repeated: Repeated, rng: np.random.Generator) -> Iterator[Case]:
    """List a case of each kind of step of the method that another one repeats."""
    maker = ObjectCaseMaker(promised, repeated.action)
    kinds = {promised.describe_step(each.step): each for each in maker.find_situations(rng, is_ordinary=True)}
    yield from (maker.make_step(kinds[label]) for label in sorted(kinds))


def weigh_parts(check: CaseCheck, group: str, given: Mapping[str, float]) -> dict[str, float]:
    """Share a group among the parts that are looked at in it; those that the right step changes are worth more."""
    own = [case for case in check.cases if case.group == group]
    parts = [part for part in check.parts if any(part in case.expected for case in own)]
    weights = {part: given.get(part, 1.0) for part in parts}
    weights |= {part: weights[part] * max(1, len(check.parts) - 1) for part in parts if part == RETURNED}
    weights |= {part: weights[part] * _CHANGED for part in parts if any(changes(case, part) for case in own)}
    return divide_parts(parts, weights)


def divide_groups(cases: Sequence[Case], worth: Mapping[str, float], *, left: float) -> dict[str, float]:
    """Share what is `left` of a row among its groups; `worth`: of the values of a step beside each other."""
    groups = {case.group: case.group.rpartition(" ")[::2] for case in cases}  # with the value of the step, and the kind
    shares = {**(_GROUP_SHARES if any(case.steps for case in cases) else _START_SHARES), WALKS: 0.0}
    total = sum(worth.get(each, 1.0) for each in dict.fromkeys(label for label, _ in groups.values()))
    walked = _WALKS_SHARE * any(kind == WALKS for _, kind in groups.values())

    def weigh(label: str, kind: str) -> float:
        own = worth.get(label, 1.0) / total
        beside = sum(shares[other] for name, other in groups.values() if name == label)
        return walked * own if kind == WALKS else (1 - walked) * own * shares[kind] / beside

    weights = {group: weigh(*each) for group, each in groups.items()}
    return {group: left * weight / sum(weights.values()) for group, weight in weights.items()}


def draw_steps(promised: PromisedClass, method: str, rng: np.random.Generator, count: int) -> Iterator[Group]:
    """Draw about `count` calls of a method, a few together."""
    maker = ObjectCaseMaker(promised, method)
    found = maker.find_situations(rng)
    styles = list(dict.fromkeys(each.style for each in found))
    of_styles = [[each for each in found if each.style == style] for style in styles]
    for _ in range(count // _TOGETHER):
        first = pick(pick(of_styles, rng), rng)
        plans = [_choose_plan(first, rng), *(_choose_after(first, found, rng) for _ in range(_TOGETHER - 1))]
        made = (maker.make(each) for each in plans)
        yield tuple(each for each in made if each is not None)


def draw_starts(promised: PromisedClass, rng: np.random.Generator, count: int) -> Iterator[Group]:
    """Draw about `count` new objects, a few together, some of them after another object was used."""
    used = [each.before for each in promised.find_situations(rng, is_ordinary=True)]
    styles = list(STYLES) if promised.takes_lists else list(STYLES)[:1]
    for _ in range(count // _TOGETHER):
        made = []
        for _ in range(_TOGETHER):
            style, length = pick(styles, rng), int(rng.choice(START_LENGTHS))
            made.append(make_start(promised, promised.draw_start(style, length, rng)[1], VALUES, looks_beside=True))
        if used and rng.random() < _USED:
            made.append(make_start(promised, made[0].arguments, VALUES, looks_beside=True, used=pick(used, rng)))
        yield tuple(made)


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
        name = pick(names, rng)
        others = [pick(found, rng).state[name] for _ in range(_OTHERS)]
        return Planned(first, VALUES, replaced=(name, others))
    return _choose_plan(pick(found, rng), rng)
