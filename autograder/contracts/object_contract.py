"""Object contract: what a class promises: how its objects start, their state, and what may be done with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

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
from autograder.contracts.object_walk import Action, AnyAction, Choices, PromisedClass, Repeated
from autograder.contracts.request import RETURNED
from autograder.contracts.row import Check, DerivesChecks
from autograder.contracts.signature import ContractError
from autograder.contracts.signature_parser import parse_signature


class ObjectContract:
    """What a class promises. `reference`: the right class. `start`: the arguments of its constructor, as a signature.

    `state`: the attributes that are its state; they may be assigned. `actions`: by the name of a method, a function
    that lists the legal values of its argument for an object, an `Action` or a `Repeated`. `kept`: attributes that no
    method changes. `unordered`: attributes whose items have no order, each with the names of the two parts of an item,
    if it is a pair. `shares`: what the values of an action are worth beside each other; by default all the same.
    `robust_share`: of a row, for what has to stay as it was. `part_shares`: what attributes are worth beside others.
    """

    def __init__(
        self,
        reference: type,
        *,
        start: str,
        state: Sequence[str],
        actions: Mapping[str, AnyAction | Callable[[Any], Any]],
        kept: Sequence[str] = (),
        unordered: Mapping[str, Sequence[str]] | None = None,
        shares: Mapping[str, float] | None = None,
        robust_share: float = 0.1,
        part_shares: Mapping[str, float] | None = None,
    ) -> None:
        self.name = reference.__name__
        self.promised = PromisedClass(
            reference,
            parse_signature(f"{start} -> made", name=self.name),
            tuple(state),
            tuple(kept),
            {key: Choices(each) if callable(each) else each for key, each in actions.items()},
            {name: tuple(each) for name, each in (unordered or {}).items()},
        )
        self.shares, self.robust_share, self.part_shares = dict(shares or {}), robust_share, dict(part_shares or {})
        self._methods = {name: MethodContract(self, name) for name in ("", *actions)}
        self._require_consistent()

    def ordinary(self) -> Check:
        """New objects of a few ordinary arguments: the row of the constructor that students see."""
        return self._methods[""].ordinary()

    def everywhere(self) -> Check:
        """New objects of all kinds of arguments."""
        return self._methods[""].everywhere()

    def get_action(self, name: str) -> MethodContract:
        """The contract of a method, with the rows `ordinary` and `everywhere`."""
        if name not in self.promised.actions:
            raise ContractError(f"{self.name}: no action is named {name}; there are {', '.join(self.promised.actions)}")
        return self._methods[name]

    def _require_consistent(self) -> None:
        actions = self.promised.actions
        for key, each in actions.items():
            if not callable(getattr(self.promised.reference, key, None)):
                raise ContractError(f"{self.name}: the right class has no method {key}")
            for name in each.after if isinstance(each, Action) else ():
                if name not in actions:
                    raise ContractError(f"{self.name}: {key} comes after {name}, which is no action")
            if isinstance(each, Repeated) and not isinstance(actions.get(each.action), Choices):
                raise ContractError(f"{self.name}: {key} repeats {each.action}, which is no action with legal values")
        for name in (*self.promised.unordered, *self.part_shares):
            if name not in (*self.promised.state, *self.promised.kept, RETURNED):
                raise ContractError(f"{self.name}: {name} is none of the attributes {', '.join(self.promised.state)}")


class MethodContract(DerivesChecks):
    """What a method of a class promises; without a `method`, what the constructor does."""

    def __init__(self, owner: ObjectContract, method: str) -> None:
        super().__init__(f"{owner.name}.{method}" if method else owner.name)
        self.owner, self.method = owner, method

    def list_silent(self) -> list[str]:
        """List the constructor and the methods before it that return nothing, where no state shows what they do."""
        promised = self.owner.promised
        action = promised.actions.get(self.method)
        if promised.state or not isinstance(action, Action):
            return []
        before = ((name, promised.actions[name]) for name in action.after)
        return ["__init__", *(name for name, each in before if isinstance(each, Action) and "->" not in each.signature)]

    def draw_checks(self, seed: str, count: int) -> Iterator[ObjectCheck]:
        """Draw checks of a few random cases each; a constructor is judged by what its objects do, too."""
        rng = make_generator(seed, self.name, "random")
        methods = [self.method] if self.method else list(self.owner.promised.actions)
        for each in methods:
            groups = draw_steps(self.owner.promised, each, rng, count // len(methods))
            yield from map(self.owner.get_action(each)._build, groups)
        if not self.method:
            yield from map(self._build, draw_starts(self.owner.promised, rng, count))

    def _derive(self, purpose: str, seed: str) -> ObjectCheck:
        promised, rng = self.owner.promised, make_generator(seed, self.name, purpose)
        listed = list_steps(promised, self.method, purpose, rng) if self.method else list_starts(promised, purpose, rng)
        cases = tuple(listed)
        if not all(case.expected for case in cases):
            raise ContractError(f"{self.name}: it returns nothing, and the contract names no state that shows its work")
        share = self.owner.robust_share if any(case.promised for case in cases) else 0.0
        action = promised.actions.get(self.method)
        return self._build(cases)._replace(
            shares=divide_groups(cases, self.owner.shares, left=1 - share),
            promise_share=share,
            steps=tuple(list_repeated_steps(promised, action, rng)) if isinstance(action, Repeated) else (),
        )

    def _build(self, cases: tuple[ObjectCase, ...]) -> ObjectCheck:
        """Build a check of cases that are worth nothing."""
        unordered = dict(self.owner.promised.unordered)
        returns = getattr(self.owner.promised.actions.get(self.method), "returns", "")
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
