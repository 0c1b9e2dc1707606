"""Name audit: decides by inputs that no check has whether the name given to a mutant is right."""

from __future__ import annotations

from functools import partial
from types import FunctionType, ModuleType
from typing import Any

from autograder.diagnosis.call_patterns import phrase_property
from autograder.diagnosis.explanation import KnownMistake
from autograder.diagnosis.general_kinds import GeneralKind
from autograder.diagnosis.replay import copy_function, preserve_global_state
from autograder.matrix.adequacy import limit_time
from autograder.mutation.mutant import Mutant, Reference
from autograder.mutation.recorded_calls import replace_function
from tests.contracts import Contract
from tests.contracts.agreement import agree

CASES, SEED = 60, 2


def is_confirmed(named: KnownMistake, mutant: Mutant, reference: Reference, contract: Contract) -> bool:
    """Whether the named mistake gives the mutant's values, or a wrong item of them, in most cases that are wrong.

    A property of the arguments is right if it is the mutant's, or holds in nine of ten calls that are wrong, and a
    third of the calls in which it holds are wrong. A pattern of the calls is right if the mutant remembers calls.
    """
    if isinstance(named, GeneralKind) and named.wrong is None:
        if named.holds is None:
            return "caches" in mutant.name or "second call" in mutant.name
        words = phrase_property(mutant.name.partition(" if ")[2] or "no property").partition(" ")[2]
        is_same = words in named.fact  # arguments of one shape share their properties
        return is_same or _separates(named.holds, mutant, reference, contract)

    def install(module: ModuleType) -> None:
        code: FunctionType = copy_function(named.wrong)
        replace_function(module, named.function, lambda _: code)

    agreeing = wrong = 0
    with preserve_global_state():
        for case in contract.draw_cases(SEED, CASES):
            right = contract.observe(reference.make_module(), case)
            theirs = limit_time(partial(_observe, mutant, reference, contract, case), otherwise=None)
            if contract.agrees(case, right, theirs):
                continue
            ours = contract.observe(reference.make_module(install), case)
            wrong += 1
            agreeing += contract.agrees(case, theirs, ours) or _shares_wrong_item(right, theirs, ours)
    return 2 * agreeing > wrong


def _separates(holds: Any, mutant: Mutant, reference: Reference, contract: Contract) -> bool:
    held: dict[bool, list[bool]] = {True: [], False: []}  # by whether the call is right
    with preserve_global_state():
        for case in contract.draw_cases(SEED, CASES):
            right = contract.observe(reference.make_module(), case)
            theirs = limit_time(partial(_observe, mutant, reference, contract, case), otherwise=None)
            if isinstance(case, list) and isinstance(right, list) and isinstance(theirs, list):
                for arguments, *pair in zip(case, right, theirs, strict=True):
                    held[agree(*pair)].append(holds(tuple(arguments)))
    wrong = held[False]
    return sum(wrong) >= 0.9 * len(wrong) and 2 * sum(wrong) >= sum(held[True])


def _observe(mutant: Mutant, reference: Reference, contract: Contract, case: Any) -> object:
    return contract.observe(reference.make_module(mutant.install), case)


def _shares_wrong_item(right: Any, theirs: Any, ours: Any) -> bool:
    """Whether an item of a returned tuple is the same in both, and wrong."""
    if not all(isinstance(each, (list, tuple)) for each in (right, theirs, ours)):
        return False
    if not len(right) == len(theirs) == len(ours):
        return False
    return any(
        (agree(b, c) and not agree(a, c)) or _shares_wrong_item(a, b, c)
        for a, b, c in zip(right, theirs, ours, strict=True)
    )
