"""A class is drafted with a driver for each method that returns something, or whose attributes its signature names."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from autograder.contracts import ContractError, SignatureError
from autograder.questions.class_draft import draft_class
from autograder.questions.contract_draft import draft_contracts
from tests.selftest.contracts import toy_classes

MEANS = "Means(D: int, C: int, rate: float (0, 1))"
TRAIN = "Means.train(x: (N, D), y: (N,) < C)"
PREDICT = "Means.predict(points: (M, D)) -> labels: (M,)"


def draft(*signatures: str) -> list[tuple[str, str, str]]:
    """Draft the class of the toys: of each method the name, the signature, and the lines behind the docstring."""
    texts = {each.partition("(")[0]: each for each in signatures}
    drafted = draft_class(toy_classes, "Means", texts)
    return [(each.name, each.text, each.source.partition('"""\n')[2]) for each in drafted]


def test_a_method_is_called_behind_those_that_return_nothing() -> None:
    ((name, text, lines),) = draft(MEANS, TRAIN, PREDICT)
    assert name == "Means.predict"
    assert text == "D: int, C: int, rate: float (0, 1), x: (N, D), y: (N,) < C, points: (M, D) -> labels: (M,)"
    assert lines.splitlines() == [
        "    made = student.Means(D, C, rate)",
        "    made.train(x, y)",
        "    return made.predict(points)",
    ]


def test_names_behind_what_is_returned_are_attributes() -> None:
    (_, _, trained), (_, text, asked) = draft(MEANS, f"{TRAIN} -> means: (C, D), seen", f"{PREDICT}, rate where N > M")
    assert trained.endswith("    made.train(x, y)\n    return made.means, made.seen")
    assert asked.endswith("    labels = made.predict(points)\n    return labels, made.rate")
    assert text.endswith("points: (M, D) -> labels: (M,), rate where (N > M)")


@pytest.mark.parametrize(
    ("signatures", "error", "text"),
    [
        ([MEANS, TRAIN], ContractError, "Means: no method returns anything; write `-> value` behind one that does, or"),
        ([MEANS, "Means.ask(x: (N,)) -> y"], SignatureError, r"the solution defines no method Means\.ask"),
        ([MEANS, "Means.predict(rate: (N, D)) -> y"], ContractError, "two of the calls before it take rate; name them"),
        (
            ["Means(D: int, C: int, rate: float = 0.5)", PREDICT],
            ContractError,
            "an argument of the constructor has a default",
        ),
    ],
)
def test_what_cannot_be_drafted_is_told(signatures: list[str], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        draft(*signatures)


def test_a_name_that_is_no_attribute() -> None:
    _, refused = draft_contracts(toy_classes, [MEANS, f"{PREDICT}, loss"])
    assert re.match(r"Means\.predict: .* 'Means' object has no attribute 'loss'", refused["Means"])


def test_a_class_that_is_not_there() -> None:
    with pytest.raises(SignatureError, match="the solution defines no class Means"):
        draft_class(ModuleType("empty"), "Means", {"Means.predict": PREDICT})
