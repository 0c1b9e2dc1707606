"""Naive formulas: finds what formulas that are right for moderate numbers lose in the cases that only they decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from autograder.contracts.case import ROBUST
from autograder.contracts.check import CaseCheck
from autograder.contracts.judgement import judge
from autograder.contracts.request import answer_by

Formula = Callable[..., Any]


def find_losses(checks: Iterable[CaseCheck], formulas: Sequence[Formula]) -> dict[str, str]:
    """Find what is wrong with each formula outside of robustness, by the names of those that lose anything."""
    return dict(loss for check in checks for loss in _list_losses(check, formulas))


def _list_losses(check: CaseCheck, formulas: Sequence[Formula]) -> Iterator[tuple[str, str]]:
    pointed = tuple(case for case in check.cases if case.group != ROBUST)
    check = check._replace(cases=pointed, promising=(), promise_share=0.0)
    for formula in formulas:
        functions = {check.function: formula}
        found = judge(check, [answer_by(functions.__getitem__, each) for each in check.requests])
        if found.failure is not None:
            yield formula.__name__, found.failure.what
