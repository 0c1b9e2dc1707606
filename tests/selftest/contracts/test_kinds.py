"""A kind of argument is one class: what it says of itself is in the signature, in the plans and in the drawn cases."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from autograder.contracts import Contract, ContractError, SignatureError, judge_functions, parse_signature
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
    assert failed is not None and failed.what == "out is wrong in all cases tried except where order is in order"


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


BOUNDS = {  # by what is written: the type of the entries, and the ends of what they may be
    "(N,) < 2": ("i", 0, 1),
    "int (N,) < 2": ("i", 0, 1),
    "int (N, M) [1, 6]": ("i", 1, 6),
    "int (N,) (1, 6)": ("i", 2, 5),
    "int (5,) >= 0": ("i", 0, 20),
    "int (N,) < 0": ("i", -20, -1),
    "(N,) < 0": ("f", -np.inf, 0),
    "int (...)": ("i", -10, 10),
    "(N,) < 2.0": ("f", -np.inf, 2),
    "(N,) [0, 1]": ("f", 0, 1),
    "int < 3": ("i", 0, 2),
    "float < 2": ("f", -np.inf, 2),
    "int (1, 6)": ("i", 2, 5),
}


@pytest.mark.parametrize("kind", BOUNDS)
def test_numbers_below_a_whole_number_or_a_size_and_what_is_called_int_are_integers(kind: str) -> None:
    def double(x: Any) -> Any:
        return 2 * x

    everywhere: Any = Contract(double, f"x: {kind} -> y").derive("everywhere", SEED)
    drawn = [np.asarray(case.arguments[0]) for case in everywhere.cases if not case.is_single]
    letter, low, high = BOUNDS[kind]
    assert {each.dtype.kind for each in drawn} == {letter}
    assert low <= min(each.min() for each in drawn) <= max(each.max() for each in drawn) <= high
    assert len({each.tobytes() for each in drawn}) > 2


@pytest.mark.parametrize("kind", ["(N,) >= 1 < 6", "int >= 1 < 6"])
def test_integers_below_a_number_from_another_are_refused_with_what_to_write(kind: str) -> None:
    with pytest.raises(SignatureError, match=r"for other integers write `int \[1, 6\)`, `int \(N,\) \[1, 6\)`"):
        parse_signature(f"f(x: {kind}) -> y")
