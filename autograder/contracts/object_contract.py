"""Object contract: what a class promises: how its objects start, their state, and what may be done with them."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.contracts.body import DerivesChecks
from autograder.contracts.drawing import make_generator
from autograder.contracts.object_check import ObjectCase, ObjectCheck
from autograder.contracts.object_row import (
    divide_groups,
    draw_starts,
    draw_steps,
    list_repeated_steps,
    list_starts,
    list_steps,
)
from autograder.contracts.object_walk import Action, PromisedClass, Repeated
from autograder.contracts.request import RETURNED
from autograder.contracts.signature import ContractError


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
        return ["__init__", *(name for name, each in before if isinstance(each, Action) and "->" not in each.signature)]

    def draw_checks(self, seed: str, count: int) -> Iterator[ObjectCheck]:
        """Draw checks of a few random cases each; a constructor is judged by what its objects do, too."""
        rng = make_generator(seed, self.name, "random")
        methods = [self.method] if self.method else list(self.owner.actions)
        for each in methods:
            groups = draw_steps(self.owner, each, rng, count // len(methods))
            yield from map(MethodContract(self.owner, each)._build, groups)
        if not self.method:
            yield from map(self._build, draw_starts(self.owner, rng, count))

    def _derive(self, purpose: str, seed: str) -> ObjectCheck:
        owner, rng = self.owner, make_generator(seed, self.name, purpose)
        listed = list_steps(owner, self.method, purpose, rng) if self.method else list_starts(owner, purpose, rng)
        cases = tuple(listed)
        if not all(case.expected for case in cases):
            raise ContractError(f"{self.name}: it returns nothing, and the contract names no state that shows its work")
        share = self.owner.robust_share if any(case.promised for case in cases) else 0.0
        action = owner.actions.get(self.method)
        return self._build(cases)._replace(
            shares=divide_groups(cases, self.owner.shares, left=1 - share),
            promise_share=share,
            steps=tuple(list_repeated_steps(owner, action, rng)) if isinstance(action, Repeated) else (),
        )

    def _build(self, cases: tuple[ObjectCase, ...]) -> ObjectCheck:
        """Build a check of cases that are worth nothing."""
        unordered = {name: tuple(each) for name, each in self.owner.unordered.items()}
        returns = getattr(self.owner.actions.get(self.method), "returns", "")
        if returns in unordered:
            unordered[RETURNED] = unordered[returns]
        return ObjectCheck(
            function=self.name,
            owner=self.owner.name,
            parts=tuple(dict.fromkeys(part for case in cases for part in case.expected)),
            cases=cases,
            shares={},
            promise_share=0.0,
            unordered=unordered,
            worth=self.owner.part_shares,
        )


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
