"""Contracts with a driver: what objects are asked, what is worth points, and what is refused."""

import re
from collections import deque
from typing import Any

import pytest

from autograder.checks.check_failed import NotWritten
from autograder.contracts import Contract, ContractError, Given
from autograder.contracts.driver import sort_items
from autograder.contracts.packed_check import pack_check, unpack_check
from autograder.programs.outcome import CallFailed
from tests.selftest.contracts.toy_classes import (
    CLASSES,
    MOVE,
    PREDICT,
    RUN,
    SEED,
    YARD,
    Means,
    Yard,
    change,
    judge,
    list_starts,
    move,
    start,
)

BOTH = ("ordinary", "everywhere")


def start_with_deques(self: Any, wagons: list[str]) -> None:
    """Hold the track in another form."""
    Yard.__init__(self, wagons)
    self.track = deque(self.track)


def move_in_deques(self: Any, order: str) -> None:
    """Take wagons from the left."""
    if order == "in":
        self.siding.append(self.track.popleft())
    else:
        Yard.move(self, order)


@pytest.mark.parametrize("purpose", BOTH)
@pytest.mark.parametrize("contract", CLASSES, ids=lambda each: each.name)
def test_the_right_class_passes_and_its_check_crosses(contract: Contract, purpose: str) -> None:
    made = Means if contract is PREDICT else Yard
    assert judge(contract, made, purpose) == (1.0, "")
    check = contract.derive(purpose, SEED)
    packed = pack_check(check)
    assert packed is not None
    assert len(unpack_check(packed).cases) == len(check.programs)


def test_what_the_constructor_makes_of_an_argument_has_the_students_own_form() -> None:
    made = change(Yard, __init__=start_with_deques, move=move_in_deques)
    assert [judge(each, made) for each in (YARD, MOVE, RUN)] == [(1.0, "")] * 3


def start_on_the_callers_list(self: Any, wagons: list[str]) -> None:
    """Keep the caller's list, which the moves change."""
    Yard.__init__(self, [])
    self.track = wagons


def start_empty(self: Any, wagons: list[str]) -> None:
    """Empty the caller's list."""
    Yard.__init__(self, wagons)
    wagons.clear()


class OneSiding(Yard):
    """All yards share a siding."""

    siding: list[str] = []  # noqa: RUF012  (that is the mistake)

    def __init__(self, wagons: list[str]) -> None:
        self.track, self.pairs = list(wagons), []


OneSiding.__name__ = "Yard"


def take_in(self: Any, order: str) -> None:
    """Take one of the two orders."""
    if order == "in":
        Yard.move(self, order)


def join_the_other_way(self: Any, order: str) -> None:
    """Exchange the two wagons of a pair."""
    Yard.move(self, order)
    if order == "join":
        self.pairs[-1] = self.pairs[-1][::-1]


def fail_at_two(self: Any, order: str) -> None:
    """Fail in some states."""
    assert len(self.track) != 2
    Yard.move(self, order)


def train_wrongly(self: Any, x: Any, y: Any) -> None:
    """Take all rows for those of one class."""
    Means.train(self, x, 0 * y)


IN, JOIN = 0.9 * 2 / 6, 0.9 * 3 / 6  # of a row; a tenth is for what has to stay
ON_CALLERS_LIST = change(Yard, __init__=start_on_the_callers_list)
SILENT = change(Yard, run=lambda self, orders: (Yard.run(self, orders), None)[1])


@pytest.mark.parametrize(
    ("contract", "made", "share", "text"),
    [
        (MOVE, change(Yard, move=take_in), IN + 0.1, "^siding and pairs are wrong after join and after several"),
        (MOVE, change(Yard, move=join_the_other_way), IN + 0.1, "^pairs is wrong after join and after several orders;"),
        (MOVE, ON_CALLERS_LIST, 0.9, r"^track is wrong with another yard in use; .*Yard\.move changes wagons$"),
        (MOVE, OneSiding, IN + JOIN + 0.05, "^siding is wrong after several orders and with another yard in use; "),
        (MOVE, change(Yard, move=fail_at_two), 0.1, "after in of 1 more"),
        (YARD, change(Yard, __init__=start_empty), 0.9, "^Yard changes its argument wagons$"),
        (YARD, ON_CALLERS_LIST, 1.0, ""),
        (RUN, SILENT, 0.5, "^returned is wrong; track, siding and pairs are right$"),
        (
            PREDICT,
            change(Means, train=train_wrongly),
            0.0,
            "^labels is wrong in .* cases; means is wrong in all cases tried except",
        ),
    ],
    ids=lambda each: each.name if isinstance(each, Contract) else None,
)
def test_what_is_wrong_has_its_price_and_its_words(contract: Contract, made: type, share: float, text: str) -> None:
    found, what = judge(contract, made)
    assert re.search(text, what), what
    assert bool(text) == bool(what)
    assert found == pytest.approx(share, abs=1e-3)


@pytest.mark.parametrize("purpose", BOTH)
def test_a_method_that_does_nothing_is_not_written(purpose: str) -> None:
    with pytest.raises(NotWritten, match=r"Yard\.move does nothing"):
        judge(MOVE, change(Yard, move=lambda self, order: None), purpose)
    with pytest.raises(NotWritten, match=r"Yard\.run does nothing"):
        judge(RUN, change(Yard, run=lambda self, orders: None), purpose)


@pytest.mark.parametrize("purpose", BOTH)
def test_a_stub_earns_nothing_with_what_it_leaves(purpose: str) -> None:
    def stub(*_: Any) -> None:
        raise NotImplementedError

    with pytest.raises(CallFailed):
        judge(MOVE, change(Yard, move=stub), purpose)
    with pytest.raises(CallFailed):
        judge(YARD, change(Yard, __init__=stub), purpose)


def list_wrongly(rng: Any) -> Any:
    """Fail."""
    yield Given([["a"]])
    raise ValueError(rng is None)


def look(student: Any, wagons: Any) -> Any:
    """Look at a result."""
    yard = student.Yard(wagons)
    return (yard.track, yard.siding, yard.pairs) if yard.track else ()


def fail(student: Any, wagons: Any) -> Any:
    """Fail before a call."""
    return student.Yard(wagons["all"])


LINE = look.__code__.co_firstlineno + 3
CASES = {"ordinary": list_starts, "everywhere": list_starts}
SIGNATURE = "wagons: any -> track, siding, pairs"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"shares": {"trains": 1}}, "Yard: no part or group is named trains; there are pairs, robustness, si"),
        ({"cases": {"ordinary": list_starts}}, "Yard: `cases` by row has a function for ordinary and one"),
        ({"cases": {**CASES, "ordinary": lambda rng: [Given([["a"]], unjudged=["x"])]}}, "Yard: no part is named x;"),
        ({"cases": dict.fromkeys(CASES, list_wrongly)}, r"Yard: `cases` fail in test_drivers\.py:\d+: Val"),
        ({"driver": look}, rf"Yard: test_drivers\.py:{LINE}: a condition on a result: a driver does not know results"),
        ({"driver": fail}, r"Yard: the driver fails in test_drivers\.py:\d+: TypeError"),
        ({"driver": move}, r"Yard: the driver fails in toy_classes\.py:\d+: TypeError"),
        ({"driver": lambda student: student.Yard([])}, "Yard: the signature has more arguments than the driver"),
    ],
)
def test_what_cannot_be_kept_is_told_with_its_place(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ContractError, match=text):
        Contract(Yard, SIGNATURE, **{"driver": start, "cases": CASES, **options}).derive("ordinary", SEED)


def test_items_of_several_types_are_sorted() -> None:
    assert sort_items({2, None}) == [2, None]
