"""Visibility pass: judges the visible tests of a submission, or all others, with a memory and workers of its own.

Nothing that a pass over hidden tests learns can reach a visible one: a submission's two passes share no worker, no
memory and no record. Students see the results of the visible pass at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from autograder.grading.evidence import Evidence
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.judge import Judge
from autograder.grading.script_runner import ScriptRunner
from autograder.results import CheckResult, Visibility
from autograder.sandbox.protocol.layers import LayerReport


@dataclass(frozen=True)
class PassResult:
    """The results of one pass, in the order of its tests; `layers`: those of the last worker of each part of it."""

    checks: tuple[CheckResult, ...]
    evidence: tuple[Evidence, ...]
    layers: tuple[LayerReport, ...]


def split_by_visibility(tests: Sequence[RunnableTest]) -> tuple[list[RunnableTest], list[RunnableTest]]:
    """Return the visible tests and all others, each in the order of `tests`."""
    visible = [each for each in tests if each.test.visibility is Visibility.VISIBLE]
    return visible, [each for each in tests if each.test.visibility is not Visibility.VISIBLE]


def run_pass(
    judge: Judge,
    tests: Sequence[RunnableTest],
    *,
    tell: Callable[[CheckResult], None],
    stems: Iterable[str] | None = None,
) -> PassResult:
    """Judge the tests of one pass with a judge that judged no other; `tell` gets each result when it is there.

    The tests of a question come in the order of its functions, since later functions rely on earlier ones. `stems`: the
    questions to judge, in this order, each read when the one before has been judged; all of them by default.
    """
    judge.scripts = ScriptRunner(judge.runner, tests, judge.deadline)
    checks: list[CheckResult] = []
    try:
        for stem in dict.fromkeys(each.test.stem for each in tests) if stems is None else stems:
            for test, call in (each for each in tests if each.test.stem == stem):
                checks.append(judge.judge(test, call))
                tell(checks[-1])
    finally:
        judge.scripts.close()
    return PassResult(tuple(checks), tuple(judge.evidence), tuple(judge.runner.memory.layers))


def join_results(tests: Sequence[RunnableTest], *parts: PassResult) -> PassResult:
    """Return the result of one pass over these tests, whose questions were judged in several parts."""
    order = {each.test.test_id: position for position, each in enumerate(tests)}
    checks = sorted((check for part in parts for check in part.checks), key=lambda check: order[check.test_id])
    evidence = sorted((each for part in parts for each in part.evidence), key=lambda each: order[each.test.test_id])
    return PassResult(tuple(checks), tuple(evidence), tuple(layer for part in parts for layer in part.layers))
