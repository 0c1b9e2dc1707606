"""A kind of argument is one class: what it says of itself is in the signature, in the plans and in the drawn cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from autograder.contracts import Contract, ContractError, judge_functions, parse_signature
from autograder.contracts.drawing import Drawing
from autograder.contracts.kinds import WORDS, Kind
from tests.selftest.contracts.toy_contracts import SEED


class PermutationKind(Kind):
    """The numbers from 0 to 4 in some order."""

    is_redrawn = True

    @property
    def styles(self) -> Mapping[str, str]:
        """In order."""
        return {"sorted": "where {} is in order"}

    def draw(self, drawing: Drawing) -> Any:
        """Draw an order."""
        return np.arange(5) if drawing.style == "sorted" else drawing.rng.permutation(5)


def invert(order: Any) -> Any:
    """Return the inverse of a permutation."""
    return np.argsort(order)


def test_a_new_kind_is_one_class_and_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WORDS, "permutation", PermutationKind())  # type: ignore[arg-type]
    contract = Contract(invert, "order: permutation -> out")
    everywhere: Any = contract.derive("everywhere", SEED)
    assert [case.kinds for case in everywhere.cases] == [
        (),
        ("in a second call with the same arguments",),
        ("where order is in order",),
        ("in a second call with another order",),
        ("in a second call with the same objects, whose contents have changed",),
    ]
    assert all(sorted(case.arguments[0]) == list(range(5)) for case in everywhere.cases)
    _, failed = judge_functions(everywhere, {"invert": lambda order: order}.__getitem__)
    assert failed is not None and failed.what == "out is wrong but where order is in order"


def test_what_a_kind_does_not_say_is_as_for_all_kinds() -> None:
    kind = Kind()
    assert not kind.styles and not kind.list_values(None, {}) and not list(kind.list_expressions())
    assert not (kind.is_size or kind.is_real or kind.has_reals or kind.is_pool or kind.labels or kind.likeness)


@pytest.mark.parametrize(
    ("kind", "what"),
    [("any", "x is any"), ("[any]", "x is any"), ("[{a: (N,)}]", "x is of a kind that is not drawn here")],
)
def test_what_only_the_author_can_draw_is_told(kind: str, what: str) -> None:
    with pytest.raises(ContractError, match=f"invert: {what}; say how to draw it: draw={{'x': function}}"):
        Contract(invert, f"x: {kind} -> out").derive("ordinary", SEED)


def test_a_key_that_is_absent_is_so_in_a_dict_in_a_dict() -> None:
    contract = Contract(count_keys, "options: {inner: {a: int, b: int = absent}} -> out")
    everywhere: Any = contract.derive("everywhere", SEED)
    absent = [case.arguments for case in everywhere.cases if "where b is absent" in case.kinds]
    assert [list(options["inner"]) for (options,) in absent] == [["a"]]


def count_keys(options: Any) -> int:
    """Return how many keys there are."""
    return len(options["inner"])


def test_the_number_of_an_item_is_no_size() -> None:
    (layers,) = parse_signature("f(w: [(D[k+1], D[k])]) -> out").arguments
    assert list(layers.kind.list_sizes()) == ["D", "D"]
