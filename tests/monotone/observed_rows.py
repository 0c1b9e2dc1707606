"""Observed rows: turn a wrong version of a question into what is right of each function's rows, and its points.

Points are those of the rows alone, before floors and follow-through. A part in a case, the order of the parts and an
argument that stays are facts, true or false; of a row written by hand, or with laws of chance, the share that it gives
is the only fact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np

from autograder.checks import CheckFailed, NotWritten
from autograder.contracts import CheckBody
from autograder.contracts.check import CaseCheck
from autograder.contracts.judgement import judge
from autograder.contracts.request import ask_all
from autograder.diagnosis.replay import Replay
from autograder.diagnosis.time_limit import limit_time
from autograder.grading.hidden_test import RunnableTest
from autograder.sandbox.protocol.outcome import CallFailed
from autograder.student import Student

_WHOLE_ROW = ((-1, "order"), (-1, "arguments"))


class ObservedVersion(NamedTuple):
    """One version of a function: what is right of its rows, 0 or 1 or a share each, and the points that it earns."""

    name: str
    facts: np.ndarray
    points: float


def observe_version(
    name: str, tests: Sequence[RunnableTest], stem: str, make_module: Callable[[], ModuleType]
) -> ObservedVersion:
    """Run the rows of a function on a version of the question, a new module for each."""
    rows = [_observe_row(test, stem, make_module()) for test in tests]
    points = sum(round(share * test.test.points, 2) for test, (_, share) in zip(tests, rows, strict=True))
    return ObservedVersion(name, np.concatenate([np.asarray(facts, float) for facts, _ in rows]), points)


def _observe_row(test: RunnableTest, stem: str, module: ModuleType) -> tuple[list[float], float]:
    """Return the facts of a row, and the share of its points."""
    derived = test.call.derived if isinstance(test.call, CheckBody) else None
    check = derived if isinstance(derived, CaseCheck) and not derived.laws and not derived.owner else None
    keys = _list_keys(check) if check is not None else [()]
    found: tuple[list[float], float] = [0.0] * len(keys), 0.0

    def run(student: Student) -> None:
        nonlocal found
        if check is not None:
            judgement = judge(check, ask_all(getattr(student, stem), check.requests))
            found = [float(key not in judgement.failing) for key in keys], judgement.share
        else:
            share = _run_by_hand(test, student)
            found = [share], share

    limit_time(lambda: Replay({stem: module}, lambda _reply: None).run(run), 3.0, otherwise=False)
    return found


def _list_keys(check: CaseCheck) -> list[tuple[int, str]]:
    return [*_WHOLE_ROW, *((number, part) for number in range(len(check.cases)) for part in check.parts)]


def _run_by_hand(test: RunnableTest, student: Student) -> float:
    try:
        score = test.call(student)
    except CheckFailed as failed:
        return failed.share
    except (NotWritten, CallFailed):
        return 0.0
    return 1.0 if score is None else score / test.test.points


def find_exceptions(versions: Sequence[ObservedVersion]) -> list[tuple[str, str]]:
    """Find the pairs of versions of which the first has fewer points, although all is right that is in the second."""
    points = np.array([each.points for each in versions])
    found = []
    for worse in versions:
        has_all = np.array([bool((each.facts >= worse.facts).all()) for each in versions])
        fewer = has_all & (points < worse.points - 1e-9)
        found += [(versions[place].name, worse.name) for place in np.flatnonzero(fewer)]
    return found
