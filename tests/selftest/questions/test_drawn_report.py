"""What was drawn is shown after `new question`: a call with its right answer, and what the cases leave open."""

import sys
from pathlib import Path

import pytest

from autograder.matrix.mutant import Reference
from autograder.questions.contract_draft import draft_contracts
from autograder.questions.drawn_report import describe_drawn

pytestmark = [pytest.mark.slow, pytest.mark.once]

SOLUTION = """
import numpy as np
def double(x):
    return 2 * x
def move(x):
    x += 1
def reach(x):
    if x > 100:
        return 3.5
    return 0 * x
def neighbours(edges):
    return np.sum(edges == 1, axis=1)
def count_labels(y, C):
    return np.array([(y == c).sum() for c in range(C)])
def pick(x, y):
    return x[int(y[0]) % len(x)]
def repeat(x, times):
    return np.tile(x, int(times) % 3 + 1)
def signs(x):
    return np.where(x > 0, 2, -1)
def flag(on, n):
    return n if on else 0
def shift(x, b):
    return ((x + b) ** 2).sum() / 2, (x + b).sum()
def slope(x):
    return 0.5 * (x * x).sum(), 2 * x
class Layer:
    seen: object
    def scale(self, x):
        self.seen = x
        self.total = x.sum()
        return self.seen * 2
"""
WHOLE = "where every entry of y is 1, where entries of y are large, where y holds whole numbers"
UNDECLARED = "not declared in Layer: total; an error in one of its methods may cost points in others, too"
SAID = {
    "double(x: (N,)) -> y": [],
    "move(x: (N,)) -> x": [],
    "reach(x: float) -> y": [
        "only 6 different inputs are drawn",
        "y is 0.0 for 5 of 6 inputs",
        "no case reaches line 9: return 3.5",
    ],
    "neighbours(edges: (N, N)) -> counts": [
        "99 % of the entries of counts are 0",
        "edges is drawn as reals, and your solution asks edges == 1: integers are `(N,) < C`, `int (N,)` or `int`",
    ],
    "count_labels(y: (N,), C: int) -> counts": [
        "93 % of the entries of counts are 0",
        "y is drawn as reals, and your solution asks y == c: integers are `(N,) < C`, `int (N,)` or `int`",
    ],
    "count_labels(y: (N,) < C, C: int) -> counts": [],
    "pick(x: (N,), y: (N,)) -> y": [
        f"left out, since answers jump there: {WHOLE}",
        "y is drawn as reals, and your solution asks int(y[0]): integers are `(N,) < C`, `int (N,)` or `int`",
    ],
    "repeat(x: (N,), times: float [0, 9]) -> y": [
        "times is drawn as reals, and your solution asks int(times): integers are `(N,) < C`, `int (N,)` or `int`"
    ],
    "signs(x: (N,)) -> y": ["left out, since answers jump there: where x is all zeros, where some entries of x are 0"],
    "flag(on: bool, n: int) -> y": ["only 7 different inputs are drawn"],
    "shift(x: (N,), b: float) -> loss: float, db: float": [],
    "slope(x: (N,)) -> loss: float, dx: (N,)": ["no row compares the gradient dx with slopes"],
    "Layer.scale(x: (N,)) -> y": ["total is set and compared nowhere: name it behind `->`", UNDECLARED],
    "Layer.scale(x: (N,)) -> y, total": [UNDECLARED],
}


@pytest.mark.parametrize("signature", SAID)
def test_what_cases_leave_open_is_said(signature: str, tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text(SOLUTION, encoding="utf-8")
    module = Reference("solution", file).make_module()
    (contract,), refused = draft_contracts(module, [signature])
    assert not refused
    before = sys.gettrace()
    told = describe_drawn(module, contract, [contract.contract.derive(each.kind, "a seed") for each in contract.rows])
    assert sys.gettrace() is before
    call, answer, *notes = told.splitlines()
    assert call.startswith(contract.name + "(")
    assert answer.startswith("    -> ")
    assert [each.removeprefix("    look: ") for each in notes] == SAID[signature]


def test_a_call_is_shown_as_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text("def join(words, times=2): return words * times", encoding="utf-8")
    module = Reference("solution", file).make_module()
    (contract,), _ = draft_contracts(module, ["join(words: [str], times: int = 2) -> words"])
    told = describe_drawn(module, contract, [contract.contract.derive("ordinary", "a seed")]).splitlines()[:2]
    words = told[0].removeprefix("join(words=").removesuffix(")")
    assert told[1] == f"    -> words = {eval(words) * 2}"
