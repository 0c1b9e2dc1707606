"""Objects of a class are made, put in states and acted on: what is wrong is told by part and kind of state."""

from __future__ import annotations

import inspect
import itertools
import json
import re
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from autograder.checks import CheckFailed, NotWritten
from autograder.contracts import Action, ContractError, ObjectContract, Repeated
from autograder.contracts.body import run_check
from autograder.contracts.case import Case
from autograder.contracts.check import BESIDE, GIVEN, RETURNED, CaseCheck, compute_earned
from autograder.contracts.object_contract import weigh_parts
from autograder.programs.calls import write_call
from autograder.programs.program import Program, Result, Set
from autograder.public_checks.expected import decode, encode
from tests.selftest.contracts.toy_classes import MEANS, SEED, YARD, Means, Yard, judge, list_orders
from tests.selftest.contracts.toy_contracts import list_shares
from tests.selftest.support.home_run import run_at_home

pytestmark = pytest.mark.slow

MOVE, RUN = YARD.get_action("move"), YARD.get_action("run")
ROWS = [YARD, MOVE, RUN, MEANS, MEANS.get_action("train"), MEANS.get_action("predict")]
YARD_ROWS = ROWS[:3]


def name(row: Any) -> str:
    """The name of a row's function."""
    return str(row.name)


def derive(row: Any, purpose: str = "everywhere", seed: str = SEED) -> CaseCheck:
    """Derive a check."""
    derived = getattr(row, purpose)().derive(seed)
    assert isinstance(derived, CaseCheck)
    return derived


def read_assigned(case: Case) -> Mapping[str, Any]:
    """Read what is assigned in a case."""
    steps = case.program.steps
    return {each.name: read_given(case.program, each.value) for each in steps if isinstance(each, Set)}


def read_given(program: Program, value: Any) -> Any:
    """Read an argument of a step."""
    return program.steps[value.number].recipe.value if isinstance(value, Result) else value


class Deque(Yard):
    """The same with deques, and the newest pair first."""

    def __init__(self, wagons: list[str]) -> None:
        super().__init__(wagons)
        self.track = deque(wagons)  # type: ignore[assignment]

    def move(self, order: str) -> None:
        if order == "in":
            self.siding = [*self.siding, self.track.popleft()]  # type: ignore[attr-defined]
        else:
            *rest, first, last = self.siding
            self.siding, self.pairs = [*rest, first], [(first, last), *self.pairs]


class Slices(Yard):
    """The same with the caller's list as the track, which is never changed; it holds no list of the wagons."""

    def __init__(self, wagons: list[str]) -> None:
        self.wagons = tuple(wagons)  # type: ignore[assignment]
        self.track, self.siding, self.pairs = wagons, [], []

    def move(self, order: str) -> None:
        if order == "in":
            self.siding, self.track = [*self.siding, self.track[0]], self.track[1:]
        else:
            self.pairs = [*self.pairs, (self.siding[-2], self.siding[-1])]
            self.siding = self.siding[:-1]


@pytest.mark.parametrize("purpose", ["ordinary", "everywhere"])
@pytest.mark.parametrize(
    ("row", "made"),
    [*itertools.product(YARD_ROWS, (Yard, Deque, Slices)), *((row, Means) for row in ROWS[3:])],
    ids=lambda each: getattr(each, "name", None) or each.__name__,
)
def test_right_work_in_any_style_earns_everything(row: Any, made: type, purpose: str) -> None:
    assert judge(row, made, purpose) == (1.0, "")


class TestCases:
    def test_a_state_has_each_length_of_each_attribute(self) -> None:
        kinds = {kind for case in derive(MOVE).cases for kind in case.kinds}
        for order in ("in", "join"):
            lengths = ["is empty", "has one item", *(f"has {count} items" for count in range(2, 9))]
            lengths.append("has more than 128 items")
            wanted = {f"after {order} where pairs {words}" for words in lengths}
            wanted |= {f"after {order} where siding {words}" for words in lengths[2 * (order == "join") :]}
            wanted |= {f"after {order} where track {words}" for words in lengths[order == "in" :]}
            assert sorted(wanted - kinds) == []
            assert f"after {order} where only pairs differs from an earlier state" in kinds
            assert f"after {order} where neighbours in siding are equal" in kinds
            assert f"after {order} after several steps" in kinds

    def test_what_the_constructor_makes_of_an_argument_is_not_assigned(self) -> None:
        for case in derive(MOVE).cases:
            assert read_assigned(case).get("track", []) == []

    def test_are_the_same_for_a_seed_and_share_no_text_with_another(self) -> None:
        def words(purpose: str, seed: str) -> set[str]:
            cases = derive(MOVE, purpose, seed).cases
            return {word for case in cases for word in (*case.arguments[0], *case.expected["siding"])}

        again = ObjectContract(Yard, start="wagons: [str]", state=YARD.state, actions={"move": list_orders})
        assert derive(again.get_action("move")).cases[0].arguments == derive(MOVE).cases[0].arguments
        assert len(words("everywhere", SEED) & words("everywhere", "another seed")) < 3
        assert len(words("everywhere", SEED) & words("ordinary", SEED)) < 3

    def test_a_method_with_a_guard_is_called_behind_what_it_needs(self) -> None:
        assert all(read_assigned(case).get("seen", 1) > 0 for case in derive(MEANS.get_action("predict")).cases)


def change(base: type, **methods: Any) -> type:
    """A class with other methods."""
    return type("Made", (base,), methods)


def spoil(is_wrong: Any) -> type:
    """A yard with another siding after the moves that are wrong."""

    def move(self: Any, order: str) -> None:
        siding = ["another"] * len(self.siding) if is_wrong(self, order) else None
        Yard.move(self, order)
        self.siding = self.siding if siding is None else siding

    return change(Yard, move=move)


def start_empty(self: Any, wagons: list[str]) -> None:
    """Empty the caller's list."""
    Yard.__init__(self, list(wagons))
    wagons.clear()


def start_shared(self: Any, wagons: list[str], pairs: list[Any] = []) -> None:  # noqa: B006  (which is the mistake)
    """Share the pairs with all other objects."""
    Yard.__init__(self, wagons)
    self.pairs = pairs


def start_on_the_callers_list(self: Any, wagons: list[str]) -> None:
    """Keep the caller's list, which the moves change."""
    Yard.__init__(self, list(wagons))
    self.track = wagons


def fail(self: Any, order: str) -> None:
    """Fail."""
    raise ValueError(order)


def fail_at_three(self: Any, order: str) -> None:
    """Fail in some states."""
    assert order != "in" or len(self.track) != 3
    Yard.move(self, order)


def take_in(self: Any, order: str) -> None:
    """Take one of the two orders."""
    if order == "in":
        Yard.move(self, order)


def move_wrongly(self: Any, order: str) -> None:
    """Leave alone what the order leaves alone, and nothing else is right."""
    self.siding = ["another"]
    self.pairs = [*self.pairs, ("another", "pair")] if order == "join" else self.pairs
    self.track = self.track[2:] if order == "in" else self.track


def forget_wagons(self: Any, order: str) -> None:
    """Change an attribute that stays."""
    Yard.move(self, order)
    self.wagons = []


def train_roughly(self: Any, x: Any, y: Any) -> None:
    """Round."""
    Means.train(self, x, y)
    self.means = self.means * (1 + 1e-9)


def train_anew(self: Any, x: Any, y: Any) -> None:
    """Forget the training before."""
    self.means = np.zeros_like(self.means)
    Means.train(self, x, y)


ON_CALLERS_LIST = change(Yard, __init__=start_on_the_callers_list)
ONE_POINT = change(Means, predict=lambda self, points: Means.predict(self, points) + (len(points) == 1))
TRAIN, PREDICT = ROWS[4:]
AT_THE_END = spoil(lambda yard, order: order == "join" and not yard.track)
AT_SEVEN = spoil(lambda yard, order: order == "in" and len(yard.siding) == 7)
SILENT = change(Yard, run=lambda self, orders: (Yard.run(self, orders), None)[1])


@pytest.mark.parametrize(
    ("row", "made", "purposes", "share", "text"),
    [
        (MOVE, AT_THE_END, "e", 0.7705, "^siding is wrong.*after join where track is empty"),
        (MOVE, AT_SEVEN, "e", 0.9426, "^siding is wrong.*after in where siding has 7 items"),
        (MOVE, spoil(lambda yard, order: len(yard.pairs) > 128), "e", 0.8776, "^siding.*pairs has more than 128 items"),
        (RUN, SILENT, "e", 0.4903, f"^{RETURNED} is wrong; track, siding and pairs are right$"),
        (MOVE, change(Yard, move=fail_at_three), "e", 0.7075, "after in where track has 3 items"),
        (MOVE, change(Yard, move=take_in), "o", 0.3048, "after join"),
        (MOVE, change(Yard, move=move_wrongly), "o", 0.0, "wrong"),
        (YARD, change(Yard, __init__=start_empty), "oe", 0.9, f"^Yard changes {GIVEN}$"),
        (YARD, change(Yard, __init__=start_shared), "o", 0.9036, "^pairs is wrong after another object was used"),
        (YARD, change(Yard, move=fail), "e", 1.0, ""),
        (MOVE, ON_CALLERS_LIST, "oe", 0.9, f"^Yard.move changes {BESIDE} and {GIVEN}$"),
        (RUN, ON_CALLERS_LIST, "oe", 1.0, ""),  # once is enough
        (MOVE, change(Yard, move=forget_wagons), "e", 0.9, "^Yard.move changes wagons$"),
        (TRAIN, change(Means, train=train_roughly), "e", 1.0, ""),
        (TRAIN, change(Means, train=train_anew), "e", 0.45, "^means is wrong"),
        (PREDICT, ONE_POINT, "e", 0.135, f"^{RETURNED} is wrong where points has one item; means and seen are right"),
    ],
)
def test_what_is_wrong_has_its_price_and_its_words(
    row: Any, made: type, purposes: str, share: float, text: str
) -> None:
    for purpose in purposes:
        found, what = judge(row, made, {"o": "ordinary", "e": "everywhere"}[purpose])
        assert found == pytest.approx(share, abs=0.001)
        assert re.search(text, what) and bool(text) == bool(what)


def test_pairs_are_compared_without_an_order() -> None:
    def move(self: Any, order: str) -> None:
        Yard.move(self, order)
        if order == "join":
            self.pairs[-1] = self.pairs[-1][::-1]

    _, what = judge(MOVE, change(Yard, move=move), "ordinary")
    assert what == "pairs is wrong after join; track and siding are right"


@pytest.mark.parametrize("row", [MOVE, RUN], ids=name)
def test_a_step_that_does_nothing_is_not_written(row: Any) -> None:
    with pytest.raises(NotWritten, match="leaves the state as it was"):
        judge(row, change(Yard, move=lambda self, order: None))


def test_more_right_cases_never_earn_less() -> None:
    def make(k: int, group: str, before: dict[str, Any], *, is_first: bool = False) -> Case:
        program = write_call("f", (k,))
        return Case(
            program, (), {"a": k, "b": k}, group, names=("a", "b"), steps=("f",), before=before, is_first=is_first
        )

    cases = (
        make(0, "ordinary", {"a": 1}, is_first=True),
        make(1, "ordinary", {"a": 1}),
        make(2, "walks", {"a": 1, "b": 1}),
    )
    check = CaseCheck("Toy.f", (), ("a", "b"), cases, {"ordinary": 0.6, "walks": 0.3}, {}, promise_share=0.1)
    check = check._replace(part_shares={group: weigh_parts(check, group, {}) for group in check.shares})
    shares = list_shares(lambda right: compute_earned(check, right), 3)
    assert (shares[0], shares[-1]) == (0, pytest.approx(1))


class TestBody:
    TEXT = inspect.getsource(Yard)

    def run(self, check: CaseCheck, start: str = "super().__init__(wagons)") -> None:
        """Run a check on a file with another constructor."""
        text = f"{self.TEXT}\n\nclass Yard(Yard):\n    def __init__(self, wagons):\n        {start}\n"
        run_at_home(lambda student: run_check(check, student, "yards"), text, "yards")

    @pytest.mark.parametrize("row", YARD_ROWS, ids=name)
    def test_passes_right_work_and_the_data_of_the_handout_gives_the_same_check(self, row: Any) -> None:
        for purpose in ("ordinary", "everywhere"):
            data = json.loads(json.dumps(encode(derive(row, purpose))))
            assert "kinds" not in json.dumps(data) and SEED not in json.dumps(data)
            again = decode(data)
            assert isinstance(again, CaseCheck)
            assert json.dumps(encode(again)) == json.dumps(data)
            self.run(again)

    @pytest.mark.parametrize(
        ("row", "start", "told"),
        [
            (YARD, "pass", "track, siding, pairs and wagons are wrong"),
            (MOVE, "super().__init__(list(wagons)); self.track = wagons", f"Yard.move changes {BESIDE} and {GIVEN}"),
            (YARD, "super().__init__(wagons); del self.wagons", "wagons is wrong; track, siding and pairs are right"),
        ],
        ids=["no attribute is set", "the caller's list is seen after the steps", "an attribute that cannot be read"],
    )
    def test_tells_what_a_constructor_does_wrong(self, row: Any, start: str, told: str) -> None:
        with pytest.raises(CheckFailed, match=told):
            self.run(derive(row, "ordinary"), start)


class TestContractsThatCannotBeKept:
    def make(self, **options: Any) -> ObjectContract:
        """A contract of the yard with other options."""
        known: dict[str, Any] = {"state": YARD.state, "actions": {"move": list_orders}}
        return ObjectContract(Yard, start="wagons: [str]", **{**known, **options})

    @pytest.mark.parametrize(
        ("options", "text"),
        [
            ({"actions": {"shunt": list_orders}}, "the right class has no method shunt"),
            ({"actions": {"move": Action("x: str", after=["load"])}}, "move comes after load, which is no action"),
            ({"actions": {"run": Repeated("move")}}, "run repeats move, which is no action with legal values"),
            ({"unordered": {"rows": ()}}, "rows is none of the attributes track, siding, pairs"),
        ],
    )
    def test_are_refused(self, options: dict[str, Any], text: str) -> None:
        with pytest.raises(ContractError, match=text):
            self.make(**options)

    def test_an_action_that_is_not_named_or_never_legal(self) -> None:
        with pytest.raises(ContractError, match="no action is named shunt; there are move"):
            self.make().get_action("shunt")
        contract = self.make(actions={"move": lambda yard: []})
        with pytest.raises(ContractError, match=r"Yard\.move: no walk comes to a state in which it may be called"):
            derive(contract.get_action("move"))

    def test_a_class_of_which_nothing_is_seen(self) -> None:
        with pytest.raises(ContractError, match="it returns nothing, and the contract names no state"):
            derive(self.make(state=(), actions={}))
