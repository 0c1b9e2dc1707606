"""Name audit: decides by inputs that no check has whether the name given to a mutant is right."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from types import FunctionType, ModuleType
from typing import Any

from autograder.contracts.random_cases import DrawnContract
from autograder.diagnosis.call_patterns import has_other_order, phrase_property
from autograder.diagnosis.general_kinds import GeneralKind
from autograder.diagnosis.replay import copy_function, find_code, preserve_global_state
from autograder.diagnosis.replies import is_same_reply
from autograder.diagnosis.time_limit import limit_time
from autograder.mistakes import Mistake
from autograder.mistakes.mistake import find_holder
from autograder.mutation.mutant import Mutant, Reference

CASES, SEED = 60, 2
Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]


def replace_function(module: ModuleType, function: str, wrap: Wrap) -> None:
    """Replace a function, a method or a constructor in a module by what `wrap` makes of it."""
    owner, name = find_holder(module, function)
    setattr(owner, name, wrap(getattr(owner, name)))


@dataclass(frozen=True)
class Audited:
    """A wrong function, the right solution that it changes, and what judges both."""

    mutant: Mutant
    reference: Reference
    contract: DrawnContract

    def is_confirmed(self, named: Mistake) -> bool:
        """Whether the named mistake gives the mutant's values, or a wrong item of them, in most cases that are wrong.

        A property of the arguments is right if it is the mutant's, or holds in nine of ten calls that are wrong, and a
        third of the calls in which it holds are wrong. A pattern of the calls is right if the mutant remembers calls.
        """
        if isinstance(named, GeneralKind) and named.wrong is None:
            return self._is_true(named)

        def install(module: ModuleType) -> None:
            code: FunctionType = copy_function(named.wrong)
            replace_function(module, named.function, lambda _: code)

        agreeing = [
            is_same_reply(theirs, ours) or _shares_wrong_item(right, theirs, ours)
            for case, right, theirs in self._list_wrong()
            for ours in [self.contract.observe(self.reference.make_module(install), case)]
        ]
        return 2 * sum(agreeing) > len(agreeing)

    def _is_true(self, kind: GeneralKind) -> bool:
        """Whether what the kind says of the calls holds."""
        name = self.mutant.name
        if kind.id == "general.argument_changed":
            return name.startswith("changes")
        if kind.id == "general.reordered":
            pairs = [list(_list_pairs(theirs, right)) for _, right, theirs in self._list_wrong()]
            return 2 * sum(any(has_other_order(*pair) for pair in each) for each in pairs) > len(pairs)
        if kind.holds is None:
            return "caches" in name or "second call" in name or self._remembers()
        words = phrase_property(name.partition(" if ")[2] or "no property").partition(" ")[2]
        return words in kind.fact or self._separates(kind.holds)  # arguments of one shape share their properties

    def _list_wrong(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield each case that is wrong, its right value and the mutant's, which is None if it takes too long."""
        with preserve_global_state():
            for case in _draw_cases(self.contract):
                theirs = limit_time(partial(self._observe, case), 3.0, otherwise=None)
                if theirs is None or not self.contract.agrees(case, theirs):
                    yield case, self.contract.observe(self.reference.make_module(), case), theirs

    def _observe(self, case: Any) -> object:
        return self.contract.observe(self.reference.make_module(self.mutant.install), case)

    def _remembers(self) -> bool:
        """Whether a case is wrong after another case."""
        with preserve_global_state():
            for before, case in pairwise(_draw_cases(self.contract)):
                after = self.reference.make_module(self.mutant.install)
                self.contract.observe(after, before)
                if not self.contract.agrees(case, self.contract.observe(after, case)):
                    return True
        return False

    def _separates(self, holds: Any) -> bool:
        held: dict[bool, list[bool]] = {True: [], False: []}  # by whether the call is right
        with preserve_global_state():
            for case in _draw_cases(self.contract):
                limit_time(partial(self._watch, holds, held, case), 3.0, otherwise=None)
        wrong = held[False]
        return bool(wrong) and sum(wrong) >= 0.9 * len(wrong) and 2 * sum(wrong) >= sum(held[True])

    def _watch(self, holds: Any, held: dict[bool, list[bool]], case: Any) -> None:
        """Compare each call of the function in a case with the right one's, from the same state of its object."""
        right, _ = find_code(self.reference.make_module(), self.contract.function)
        module = self.reference.make_module(self.mutant.install)
        owner, _, method = self.contract.function.partition(".")
        is_of_class = isinstance(getattr(module, owner), type)

        def wrap(wrong: Any) -> Any:
            def call(*arguments: Any) -> Any:
                before, others = copy.deepcopy(arguments), copy.deepcopy(arguments)
                is_right = False  # where it raises an error
                try:
                    wanted, got = right(*others), wrong(*arguments)
                    is_right = is_same_reply(wanted, got)
                    if is_of_class:
                        is_right &= is_same_reply(_read_states(others), _read_states(arguments))
                finally:
                    held[is_right].append(holds(before[1:] if is_of_class and not method else before))
                return got

            return call

        replace_function(module, self.contract.function, wrap)
        self.contract.observe(module, case)


@cache
def _draw_cases(contract: DrawnContract) -> list[Any]:
    """Draw the cases of a contract once; nothing that observes them changes them."""
    return contract.draw_cases(SEED, CASES)


def _list_pairs(theirs: Any, right: Any) -> Iterator[tuple[Any, Any]]:
    """List the items at the same places of two values, at any depth."""
    items = _list_items(theirs), _list_items(right)
    if None not in items and len(items[0]) == len(items[1]):
        for pair in zip(*items, strict=True):
            yield from _list_pairs(*pair)
    else:
        yield theirs, right


def _read_states(arguments: tuple[Any, ...]) -> list[Any]:
    return [list(vars(each).values()) if hasattr(each, "__dict__") else each for each in arguments]


def _shares_wrong_item(right: Any, theirs: Any, ours: Any) -> bool:
    """Whether an item of a returned tuple, or of what was observed, is the same in both, and wrong."""
    items = list(map(_list_items, (right, theirs, ours)))
    if None in items or len(set(map(len, items))) > 1:
        return False
    return any(
        (is_same_reply(b, c) and not is_same_reply(a, c)) or _shares_wrong_item(a, b, c)
        for a, b, c in zip(*items, strict=True)
    )


def _list_items(value: Any) -> list[Any] | None:
    """List the items of a sequence or the values of a dict; None for another value."""
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple)) else None
