"""Name audit: decides by inputs that no check has whether the name given to a mutant is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from types import FunctionType, ModuleType
from typing import Any

from autograder.contracts.random_cases import DrawnContract
from autograder.diagnosis.replay import copy_function, preserve_global_state
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
        """Whether the named mistake gives the mutant's values, or a wrong item of them, in most wrong cases."""

        def install(module: ModuleType) -> None:
            code: FunctionType = copy_function(named.wrong)
            replace_function(module, named.function, lambda _: code)

        agreeing = [
            is_same_reply(theirs, ours) or _shares_wrong_item(right, theirs, ours)
            for case, right, theirs in self._list_wrong()
            for ours in [self.contract.observe(self.reference.make_module(install), case)]
        ]
        return 2 * sum(agreeing) > len(agreeing)

    def _list_wrong(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield each case that is wrong, its right value and the mutant's, which is None if it takes too long."""
        with preserve_global_state():
            for case in _draw_cases(self.contract):
                theirs = limit_time(partial(self._observe, case), 3.0, otherwise=None)
                if theirs is None or not self.contract.agrees(case, theirs):
                    yield case, self.contract.observe(self.reference.make_module(), case), theirs

    def _observe(self, case: Any) -> object:
        return self.contract.observe(self.reference.make_module(self.mutant.install), case)


@cache
def _draw_cases(contract: DrawnContract) -> list[Any]:
    """Draw the cases of a contract once; nothing that observes them changes them."""
    return contract.draw_cases(SEED, CASES)


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
