"""Circular credit: takes back full credit that two functions have only because the grader's stands in for the other.

A test that fails is repeated with the grader's functions in place of the student's others. Where `a` calls `b` and `b`
calls `a`, each passes with the help of the grader's other, and neither was written.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from autograder.results import CheckResult, Verdict


def without_circular_credit(checks: Sequence[CheckResult]) -> list[CheckResult]:
    """The results, failed where the function under test is needed by one of the functions that spoiled it."""
    spoiled = [check for check in checks if check.spoilers and len(check.functions) == 1]
    needs = {check.functions[0]: set[str]() for check in spoiled}
    for check in spoiled:
        needs[check.functions[0]].update(check.spoilers)
    return [_failed(check) if _is_circular(check, needs) else check for check in checks]


def _is_circular(check: CheckResult, needs: dict[str, set[str]]) -> bool:
    reached: set[str] = set()
    waiting = list(check.spoilers)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(needs.get(name, ()))
    return not reached.isdisjoint(check.functions)


def _failed(check: CheckResult) -> CheckResult:
    names = ", ".join(_in_order((*check.functions, *check.spoilers)))
    output = f"FAIL {names}: each is written with the help of the other, so that none gives a value of its own"
    output += "\n  next:     write one of them by itself"
    return replace(check, verdict=Verdict.FAILED, score=0.0, output=output)


def _in_order(names: Collection[str]) -> list[str]:
    return list(dict.fromkeys(names))
