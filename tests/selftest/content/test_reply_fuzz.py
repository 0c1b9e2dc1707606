"""Whatever a reply holds, each rule, law and comparison of the course ends soon in little memory, and gives nothing."""

import resource
import time
from typing import Any

import numpy as np
import pytest

from autograder.checks import NotWritten
from autograder.contracts import CheckBody, body
from autograder.contracts.judgement import judge_uses
from autograder.grading.attempt import bound_judging
from autograder.grading.collection import collect_hidden_tests
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.sandbox import limits as limit
from tests.selftest.support.grading import ASSIGNMENT

pytestmark = [pytest.mark.content, pytest.mark.ci, pytest.mark.once]

TEXT = limit.FEWEST_REPLIES_BYTES - 10_000  # as large as a reply may be, or as many parts as it may have
NODES = limit.FEWEST_REPLIES_BYTES // limit.NODE_BYTES
MOST_S = 10.0  # of computing for all checks of a submission
EACH = 20
REFUSED = Outcome(OutcomeKind.RAISED)
MOST_MIB = 200  # more than at the start


def nest(depth: int, kind: type) -> Any:
    value: Any = 1.0
    for _ in range(depth):
        value = {"a": value, "b": 2.0} if kind is dict else [value, "a"]
    return value


REPLIES: dict[str, Any] = {
    "a huge text in a list": ["x" * TEXT, *["a"] * 60],
    "numbers and a huge text": [*[1.0] * 1000, "x" * TEXT],
    "ragged lists": [[1.0] * (k % 7) for k in range(NODES // 4)],
    "deep lists": [nest(28, list)] * (NODES // 60),
    "deep dicts": [nest(28, dict)] * (NODES // 90),
    "many keys": {str(k): [k] for k in range(NODES // 3)},
    "arrays without axes": [np.array(1.0)] * 10_000,
    "many Nones": [None] * NODES,
    "empty lists": [[]] * NODES,
    "pairs of texts": [("a", "b")] * (NODES // 3),
    "lists of pairs": [[("a", "b")] * 100] * (NODES // 300),
    "a large array": np.ones(TEXT // 8),
    "an array of many axes": np.ones((1,) * 30),
    "an array that broadcasts": np.ones((300, 1, 1)),
    "an array without entries": np.ones((0, 2**31)),
    "large integers": [1 << 8000] * 900,
    "bytes": b"x" * TEXT,
    "many floats": [float(k) for k in range(NODES)],
    "complex numbers": np.full(TEXT // 16, complex("nan")),
    "objects": [Handle(k, "object", False) for k in range(NODES // 6)],
    "texts in arrays": REFUSED,  # they are refused where they are read
}
CHECKS = [each.call for each in collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids)]
DERIVED = [each.derived for each in CHECKS if isinstance(each, CheckBody)]


def judge_bounded(check: Any, replies: list[Any]) -> float:
    """Judge replies as grading does, and find what is judged of dialogues; return the share that is earned."""
    try:
        with bound_judging():
            share = body.judge_check(check, replies).share
            for number, reply in enumerate(replies):
                judge_uses(check, number, reply)
            return share
    except (CallFailed, NotWritten):
        return 0.0


@pytest.mark.parametrize("kind", REPLIES)
def test_every_check_of_a_contract_ends_on_it(kind: str) -> None:
    value = REPLIES[kind]
    took = 0.0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for check in DERIVED:
        replies: list[list[Any]] = [[REFUSED] * len(program.returned) for program in check.programs]
        for number in range(0, len(replies), EACH):  # a check may have no more than one of the largest
            replies[number] = [value] * len(replies[number])
        started = time.process_time()
        assert judge_bounded(check, replies) == 0
        took += time.process_time() - started
    assert took < MOST_S
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MIB << 10
