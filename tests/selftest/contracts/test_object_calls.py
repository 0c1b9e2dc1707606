"""Calls that are drawn for a class: lists of a length or a kind, methods without arguments, legal values."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.authoring import Action, ObjectContract
from autograder.contracts import ContractError, judge_functions
from autograder.programs.program import Call, Program, Result
from tests.selftest.contracts.toy_classes import SEED


class Merges:
    """Words as lists of letters, whose neighbours are joined."""

    def __init__(self, words: list[str], ranks: list[int]) -> None:
        self.pieces = [[*word] for word in words]
        self.total = sum(ranks)
        self.seen: list[tuple[str, str]] = []

    def add(self, pair: list[str], places: list[int]) -> None:
        """Add a pair; its words stand for the places below 3."""
        left, right = pair
        self.seen.append((left, right) if all(place < 3 for place in places) else (right, left))

    def trim(self, count: int) -> None:
        """Keep the first pieces of each word."""
        self.pieces = [word[:count] for word in self.pieces]

    def count(self) -> int:
        """Count the pairs."""
        return len(self.seen)


def list_counts(merges: Merges) -> list[int]:
    """The numbers of pieces to keep."""
    return [2, 1] if max(map(len, merges.pieces), default=0) > 2 else [1]


START = "words: [str], ranks: [int]"
PAIRS = Action("pair: str (2,), places: [int < 3]")


def read_last_call(program: Program) -> list[Any]:
    """Read the arguments of the last call."""
    *_, call = (each for each in program.steps if isinstance(each, Call))
    return [program.steps[each.number].recipe.value if isinstance(each, Result) else each for each in call.arguments]


def derive_calls(method: str, **options: Any) -> Any:
    """Derive the cases of a method that are hidden."""
    contract = ObjectContract(Merges, **{"start": START, **options})
    return contract.get_action(method).everywhere().derive(SEED)


def test_a_method_without_arguments_of_a_class_whose_state_is_its_own() -> None:
    check = derive_calls("count", state=(), actions={"count": Action("-> count")})
    assert judge_functions(check, {"Merges": Merges}.get) == (1.0, None)


def test_lists_have_the_length_and_the_kind_of_items_that_the_signature_says() -> None:
    check = derive_calls("add", state=("seen",), actions={"add": PAIRS, "count": Action("-> count")})
    calls = [read_last_call(case.program) for case in check.cases]
    assert {len(pair) for pair, _ in calls} == {2}
    assert max(place for _, places in calls for place in places) == 2
    assert {type(rank) for case in check.cases for rank in case.arguments[1]} == {int}


def test_a_method_with_legal_values_after_one_without_arguments() -> None:
    actions = {"trim": list_counts, "count": Action("-> count")}
    check = derive_calls("trim", state=("pieces",), actions=actions)
    assert any("after count" in case.kinds for case in check.cases)
    assert judge_functions(check, {"Merges": Merges}.get) == (1.0, None)


def test_a_method_with_more_than_a_few_legal_values_is_refused() -> None:
    actions = {"trim": lambda merges: [*range(40)]}
    with pytest.raises(ContractError, match="Merges: its methods have 40 legal values"):
        derive_calls("trim", state=("pieces",), actions=actions)
