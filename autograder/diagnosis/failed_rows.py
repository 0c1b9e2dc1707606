"""Failed rows: finds the hidden tests that a known mistake fails, by running it in them.

They are written down nowhere, so they are never out of date. A mistake that does not end in a test is stopped, and
fails it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import FunctionType, ModuleType
from typing import cast

from autograder.diagnosis.check_answers import find_check, find_failure
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.diagnosis.time_limit import limit_time
from autograder.grading.hidden_test import RunnableTest
from autograder.mistakes import Mistake
from autograder.student import Student

MOST_S = 5.0  # of computing time, for a mistake in one test; right code takes a hundredth of it


def find_rows(mistake: Mistake, tests: Sequence[RunnableTest], references: Mapping[str, ModuleType]) -> tuple[str, ...]:
    """Find the names of the tests that fail with a mistake: those of its function.

    What a constructor does may show in methods alone; then the tests of these.
    """
    ours = [each for each in tests if mistake.function in each.test.functions]
    methods = f"{mistake.function}."
    later = [each for each in tests if any(name.startswith(methods) for name in each.test.functions)]
    for group in (ours, later):
        failed = tuple(each.test.name for each in group if fails_row(mistake, each, references))
        if failed:
            return failed
    return ()


def fails_row(mistake: Mistake, test: RunnableTest, references: Mapping[str, ModuleType]) -> bool:
    """Whether a test fails with a mistake.

    A test with a bug of its own fails with none. Its bug is told where the test is run, and never in the results of
    another test: students may see these before they see anything of a hidden test.
    """
    with preserve_global_state():
        return limit_time(partial(_fails, mistake, test, references), MOST_S, otherwise=True)


def _fails(mistake: Mistake, runnable: RunnableTest, references: Mapping[str, ModuleType]) -> bool:
    test, call = runnable
    replay = Replay(references, tested=test.functions)
    replay.replace(test.stem, mistake.function, cast("FunctionType", mistake.wrong))
    check = find_check(call)

    def score(student: Student) -> float | None:
        points = call(student)
        return points if points is not None and points < test.points else None

    try:
        return not replay.run(score) if check is None else find_failure(check, replay, test.stem) is not None
    except Exception:  # noqa: BLE001  (a bug of the test)
        return False
