"""The replies to a check are compared at a cost that grows with their number, and no faster."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autograder.contracts import Contract, gradient_row
from autograder.diagnosis.check_answers import record_replies
from autograder.programs.program import run_program


def square(x: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the sum of squares and its gradient."""
    return float((x**2).sum()), 2 * x


def test_the_programs_of_a_gradient_check_are_made_once_for_all_its_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    contract = Contract(square, "x: (N, D) -> loss: float, grad: (N, D)", gradient={"grad": "x"})
    check = replace(contract.derive("own_gradient", "1"))  # a copy whose programs nobody has asked for
    written: list[Any] = []
    write = gradient_row.write_call
    monkeypatch.setattr(gradient_row, "write_call", lambda *call: written.append(call) or write(*call))
    replies = [run_program(each, {"square": square}.__getitem__) for each in check.programs]
    assert len(record_replies(check, replies, ())) == len(replies) > 20
    assert len(written) == len(replies) - 1  # the first one is asked again
