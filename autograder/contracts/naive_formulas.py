"""Naive formulas: finds what formulas that are right for moderate numbers lose in the cases that only they decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from autograder.contracts.case import ROBUST
from autograder.contracts.check import CaseCheck
from autograder.contracts.open_check import OpenCheck
from autograder.contracts.request import answer_by


def list_losses(
    formulas: Sequence[Callable[..., Any]], rows: Iterable[CaseCheck | OpenCheck]
) -> Iterator[tuple[str, str]]:
    """List what formulas lose in rows, outside of robustness, by the name of each that loses anything."""
    for each in rows:
        row, rules = (each.row, each.rules) if isinstance(each, OpenCheck) else (each, {})
        pointed = tuple(case for case in row.cases if case.group != ROBUST)
        check = OpenCheck(row._replace(cases=pointed, promising=(), promise_share=0.0), rules)
        for formula in formulas:
            found = check.judge([answer_by({row.function: formula}.__getitem__, one) for one in check.requests])
            if found.failure is not None:
                yield formula.__name__, found.failure.what
