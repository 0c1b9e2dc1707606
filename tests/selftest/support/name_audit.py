"""Name audit: decides by inputs that no check has whether the name given to a mutant is right."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache, partial
from itertools import pairwise
from types import FunctionType, ModuleType
from typing import Any

from autograder.diagnosis.call_patterns import has_other_order, phrase_property
from autograder.diagnosis.general_kinds import GeneralKind
from autograder.diagnosis.replay import copy_function, find_code, preserve_global_state
from autograder.diagnosis.replies import is_same_reply
from autograder.matrix.adequacy import limit_time
from autograder.matrix.drawn_contract import DrawnContract
from autograder.mistakes import Mistake
from autograder.mutation.mutant import Mutant, Reference
from autograder.mutation.recorded_calls import replace_function

CASES, SEED = 60, 2


def is_confirmed(named: Mistake, mutant: Mutant, reference: Reference, contract: DrawnContract) -> bool:
    """Whether the named mistake gives the mutant's values, or a wrong item of them, in most cases that are wrong.

    A property of the arguments is right if it is the mutant's, or holds in nine of ten calls that are wrong, and a
    third of the calls in which it holds are wrong. A pattern of the calls is right if the mutant remembers calls.
    """
    if isinstance(named, GeneralKind) and named.wrong is None:
        if named.id == "general.argument_changed":
            return mutant.name.startswith("changes")
        if named.id == "general.reordered":
            return _reorders(mutant, reference, contract)
        if named.holds is None:
            is_made_so = "caches" in mutant.name or "second call" in mutant.name
            return is_made_so or _remembers(mutant, reference, contract)
        words = phrase_property(mutant.name.partition(" if ")[2] or "no property").partition(" ")[2]
        is_same = words in named.fact  # arguments of one shape share their properties
        return is_same or _separates(named.holds, mutant, reference, contract)

    def install(module: ModuleType) -> None:
        code: FunctionType = copy_function(named.wrong)
        replace_function(module, named.function, lambda _: code)

    agreeing = wrong = 0
    with preserve_global_state():
        for case in _draw_cases(contract):
            right = contract.observe(reference.make_module(), case)
            theirs = limit_time(partial(_observe, mutant, reference, contract, case), otherwise=None)
            if theirs is not None and contract.agrees(case, theirs):
                continue
            ours = contract.observe(reference.make_module(install), case)
            wrong += 1
            agreeing += is_same_reply(theirs, ours) or _shares_wrong_item(right, theirs, ours)
    return 2 * agreeing > wrong


@cache
def _draw_cases(contract: DrawnContract) -> list[Any]:
    """Draw the cases of a contract once; nothing that observes them changes them."""
    return contract.draw_cases(SEED, CASES)


def _remembers(mutant: Mutant, reference: Reference, contract: DrawnContract) -> bool:
    """Whether a case is wrong after another case."""
    cases = _draw_cases(contract)
    with preserve_global_state():
        for before, case in pairwise(cases):
            after = reference.make_module(mutant.install)
            contract.observe(after, before)
            if not contract.agrees(case, contract.observe(after, case)):
                return True
    return False


def _reorders(mutant: Mutant, reference: Reference, contract: DrawnContract) -> bool:
    """Whether some array of most wrong values holds the right numbers in another order."""
    wrong: list[bool] = []
    with preserve_global_state():
        for case in _draw_cases(contract):
            right = contract.observe(reference.make_module(), case)
            theirs = limit_time(partial(_observe, mutant, reference, contract, case), otherwise=None)
            if theirs is None or not contract.agrees(case, theirs):
                wrong.append(any(has_other_order(*pair) for pair in _list_pairs(theirs, right)))
    return 2 * sum(wrong) > len(wrong)


def _list_pairs(theirs: Any, right: Any) -> Iterator[tuple[Any, Any]]:
    """List the items at the same places of two values, at any depth."""
    items = _list_items(theirs), _list_items(right)
    if None not in items and len(items[0]) == len(items[1]):
        for pair in zip(*items, strict=True):
            yield from _list_pairs(*pair)
    else:
        yield theirs, right


def _separates(holds: Any, mutant: Mutant, reference: Reference, contract: DrawnContract) -> bool:
    held: dict[bool, list[bool]] = {True: [], False: []}  # by whether the call is right
    with preserve_global_state():
        for case in _draw_cases(contract):
            limit_time(partial(_watch, holds, held, mutant, reference, contract, case), otherwise=None)
    wrong = held[False]
    return bool(wrong) and sum(wrong) >= 0.9 * len(wrong) and 2 * sum(wrong) >= sum(held[True])


def _watch(
    holds: Any,
    held: dict[bool, list[bool]],
    mutant: Mutant,
    reference: Reference,
    contract: DrawnContract,
    case: Any,
) -> None:
    """Compare each call of the function in a case with the right one's, from the same state of its object."""
    right, _ = find_code(reference.make_module(), contract.function)
    module = reference.make_module(mutant.install)
    owner, _, method = contract.function.partition(".")
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

    replace_function(module, contract.function, wrap)
    contract.observe(module, case)


def _read_states(arguments: tuple[Any, ...]) -> list[Any]:
    return [list(vars(each).values()) if hasattr(each, "__dict__") else each for each in arguments]


def _observe(mutant: Mutant, reference: Reference, contract: DrawnContract, case: Any) -> object:
    return contract.observe(reference.make_module(mutant.install), case)


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
