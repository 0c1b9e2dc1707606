"""A function that talks to an object: what it asks is a part of the row, judged by a rule; objects are fresh."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograder.checks import NotWritten
from autograder.contracts import Contract, ContractError, judge_functions, make_toy
from autograder.programs.recipes import Toy
from tests.selftest.contracts.toy_contracts import SEED, judge

USE = "the use of model"
Lists = list[list[int]]


class Model:
    """Answers with the sum of a state and a number; asked about nothing, it refuses."""

    def __init__(self, number: int) -> None:
        self.number, self.asked = number, 0

    def predict(self, states: list) -> list:
        """Return an answer for each state."""
        self.asked += 1
        if not states:
            raise RuntimeError("predict got no states")
        return [self.number + sum(state.items) for state in states]

    def describe(self) -> str:
        """Say what it is."""
        return "a model"


class State:
    """A state with an attribute that the model reads, and another one."""

    def __init__(self, items: list[int]) -> None:
        self.items, self.secret = items, "unread"


def answer_all(lists: Lists, model: Any, size: int) -> list[int]:
    """Ask a model about lists, `size` of them at a time."""
    states = [State(each) for each in lists]
    answers: list[int] = []
    for start in range(0, len(states), size):
        answers += model.predict(states[start : start + size])
    return answers


def refuse_sizes(asked: list, case: Any) -> str:
    """Say what is wrong where more than `size` states are asked about."""
    largest = max((len(arguments[0]) for _, arguments in asked), default=0)
    return "predict got more than size states" if largest > case.arguments["size"] else ""


def draw_lists(known: Any, rng: np.random.Generator, style: str) -> Lists:
    """Draw five lists."""
    return rng.integers(0, 9, size=(5, 2)).tolist()


DRAW: dict[str, Any] = {
    "lists": {"": draw_lists, "where a list is empty": lambda known, rng, style: [[], [1, 2]]},
    "model": lambda known, rng, style: make_toy(Model, int(rng.integers(99)), reads=("items",)),
}
TEXT = "lists: any, model: any, size: 2 | 1 | 3 -> answers"
ASK = Contract(
    answer_all,
    TEXT,
    draw=DRAW,
    right={USE: refuse_sizes},
    shares={"answers": 0.8, USE: 0.2},
    keeps_arguments=True,
    untouched="it returns nothing and asks nothing",
)


def count_questions(asked: list[Any], case: Any) -> str:
    """Say what is wrong where an object is asked another number of times than by the right function; a predicate."""
    found, right = len(asked), len(case.right)
    return "" if found == right else f"calls it {found} times where a right solution calls it {right} times"


COUNTED = Contract(answer_all, TEXT, draw=DRAW, right={USE: count_questions})


def ask_at_once(lists: Lists, model: Any, size: int) -> list[int]:
    """Ignore `size`."""
    return answer_all(lists, model, len(lists))


def answer_zeros(lists: Lists, model: Any, size: int) -> list[int]:
    """Ask rightly, and return nonsense."""
    return [0 * each for each in answer_all(lists, model, size)]


def ask_by_keyword(lists: Lists, model: Any, size: int) -> list[int]:
    """Give the states by the name of the parameter."""
    return answer_all(lists, SimpleNamespace(predict=lambda states: model.predict(states=states)), size)


def forge_questions(lists: Lists, model: Any, size: int) -> list[int]:
    """Ask about all lists at once, and write down other questions, with answers that the model never gave."""
    answers = answer_all(lists, model, len(lists))
    model.heard_[:] = [("predict", ([{"items": each}],), [0]) for each in lists]
    return answers


def ask_unheard(lists: Lists, model: Any, size: int) -> list[int]:
    """Ask about all lists at once, by a method that writes nothing down."""
    return type(model).predict(model, [State(each) for each in lists]) if lists else []


CHANGED: dict[str, tuple[str, Any, float, str]] = {
    "all at once": ("ordinary", ask_at_once, 0.8, "the use of model is wrong; answers is right"),
    "right questions alone": ("ordinary", answer_zeros, 0.0, "answers is wrong; the use of model is right"),
    "right questions everywhere": ("everywhere", answer_zeros, 0.0, "answers is wrong; the use of model is right"),
    "keywords": ("ordinary", ask_by_keyword, 1.0, ""),
    "nothing that is heard": ("ordinary", ask_unheard, 0.8, "the use of model is wrong; answers is right"),
    "a changed argument": (
        "everywhere",
        lambda lists, model, size: (answer_all(lists, model, size), lists.clear())[0],
        0.9,
        "answer_all changes its argument lists",
    ),
    "no empty lists": (
        "everywhere",
        lambda lists, model, size: answer_all([each for each in lists if each], model, size),
        0.76,
        "answers is wrong where a list is empty; the use of model is right",
    ),
}


class TestDialogue:
    @pytest.mark.parametrize("purpose", ["ordinary", "everywhere"])
    def test_of_the_right_function_earns_everything(self, purpose: str) -> None:
        assert judge(ASK, purpose) == judge(COUNTED, purpose) == (1.0, "")

    @pytest.mark.parametrize(("purpose", "function", "share", "text"), CHANGED.values(), ids=CHANGED)
    def test_is_a_part_with_a_share_of_its_own(self, purpose: str, function: Any, share: float, text: str) -> None:
        found, told = judge(ASK, purpose, answer_all=function)
        assert found == pytest.approx(share)
        assert told == text

    def test_that_is_forged_earns_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert judge(ASK, "ordinary", answer_all=forge_questions)[0] == pytest.approx(0.8)
        monkeypatch.setattr(Toy, "confirm", lambda _, dialogue: [each[:2] for each in dialogue])
        assert judge(ASK, "ordinary", answer_all=forge_questions)[0] == 1.0

    def test_is_counted_where_the_text_demands_it(self) -> None:
        failed = self.fail(COUNTED, ask_at_once)
        assert failed.found == "calls it 1 times where a right solution calls it 3 times"

    def test_holds_what_was_asked_and_what_the_object_reads(self) -> None:
        check = COUNTED.derive("ordinary", SEED)
        (method, (states,)), *_ = check.cases[0].expected[USE]  # type: ignore[union-attr]
        assert method == "predict"
        assert len(states) == 2 and all(list(each) == ["items"] for each in states)

    def test_of_another_form_is_wrong(self) -> None:
        def ask_about_nothing(lists: Lists, model: Any, size: int) -> list[int]:
            model.describe()
            return answer_all(lists, model, size)

        assert self.fail(ASK, ask_about_nothing).found == "it was called with arguments of another form"

    def test_is_empty_in_a_stub(self) -> None:
        with pytest.raises(NotWritten, match="it returns nothing and asks nothing"):
            judge(ASK, "ordinary", answer_all=lambda lists, model, size: [])
        asks = lambda lists, model, size: answer_all(lists, model, size)[:0]  # noqa: E731
        assert judge(ASK, "ordinary", answer_all=asks)[0] == 0

    @staticmethod
    def fail(contract: Contract, function: Any) -> Any:
        """Return the failure of an ordinary row."""
        return judge_functions(contract.derive("ordinary", SEED), {"answer_all": function}.__getitem__)[1]


class TestRule:
    def test_for_no_part_is_refused(self) -> None:
        with pytest.raises(ContractError, match="no part is named size; there are answers, the use of"):
            Contract(answer_all, TEXT, draw=DRAW, right={"size": refuse_sizes})

    def test_finds_the_nearest_right_value(self) -> None:
        def sort_pairs(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
            return pairs

        def find_order(value: Any, case: Any) -> Any:
            return value if sorted(value) == sorted(case.right) else case.right

        contract = Contract(
            sort_pairs,
            "pairs: any -> pairs",
            draw={"pairs": lambda known, rng, style: [tuple(each) for each in rng.integers(0, 99, (4, 2)).tolist()]},
            right={"pairs": find_order},
        )
        assert judge(contract, "ordinary", sort_pairs=lambda pairs: pairs[::-1]) == (1.0, "")
        assert judge(contract, "ordinary", sort_pairs=lambda pairs: pairs[:2]) == (0.0, "pairs is wrong")
        assert judge(contract, "ordinary", sort_pairs=lambda pairs: None) == (0.0, "pairs is wrong")
