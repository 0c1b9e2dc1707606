"""Caught rows: turns a known mistake into the hidden tests that fail with it, and the parts that are wrong in them.

A mistake says by hand which parts of its function it `breaks`. It is run in the tests of the function, in this process,
as in a replay, so what a changed test catches is never written down, and cannot be out of date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NamedTuple, cast

from autograder.assignment import CAUGHT_ROWS
from autograder.checks import CheckFailed
from autograder.contracts.case import ROBUST
from autograder.contracts.wording import list_broken
from autograder.diagnosis.check_answers import find_check, find_failure
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.diagnosis.time_limit import limit_time
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.kept_data import KeptData
from autograder.mistakes import Mistake, MistakeBank
from autograder.student import Student, TestCall

_MOST_S = 20.0  # of computing time, for a mistake
_Broken = list[tuple[str, ...] | None]  # what is wrong in each test, None where it passes


class Caught(NamedTuple):
    """The names of the tests that fail with a mistake, and the parts of its function that it breaks."""

    rows: tuple[str, ...]
    parts: tuple[str, ...]


@dataclass(frozen=True)
class CaughtBank(MistakeBank):
    """The known mistakes of an assignment with the tests that fail with them, derived when they are first wanted.

    `content_hash`: of the files of grader and assignment. `memory`: the user's folder that keeps what is derived; None
    where nothing is kept.
    """

    content_hash: str = ""
    memory: Path | None = None

    @cached_property
    def _kept(self) -> KeptData:
        return KeptData(self.assignment, self.content_hash, CAUGHT_ROWS, self.memory)

    def load_caught(self, stem: str, function: str) -> Sequence[Mistake]:
        """Load the mistakes that fail tests of a function, with these tests."""
        ours = [each for each in self.load(stem) if each.graded_function == function]
        self.derive(ours)
        return [replace(each, caught_by=self.find_rows(each)) for each in ours]

    def derive(self, mistakes: Sequence[Mistake]) -> None:
        """Derive which tests fail with mistakes of one question, unless it is known, and keep it."""
        missing = [each for each in mistakes if self._find_known(each) is None]
        if missing:
            self._kept.add({_name(each): self.find_caught(each).rows for each in missing})

    def encode(self) -> bytes:
        """Return the bytes of a file with all that is derived."""
        return self._kept.encode()

    def find_rows(self, mistake: Mistake) -> tuple[str, ...]:
        """Find the names of the tests that fail with a mistake: as it says, as they are kept, or by running it."""
        self.derive([mistake])
        return self._find_known(mistake) or ()

    def _find_known(self, mistake: Mistake) -> tuple[str, ...] | None:
        is_said = mistake.caught_by or not mistake.ends
        return mistake.caught_by if is_said else self._kept.find(_name(mistake))

    def find_caught(self, mistake: Mistake) -> Caught:
        """Derive what catches a mistake, by running it."""
        tests = collect_hidden_tests(self.assignment, stems=(mistake.stem,))
        return derive_caught(mistake, tests, {mistake.stem: self.assignment.import_reference(mistake.stem)})


def _name(mistake: Mistake) -> str:
    return f"{mistake.stem}.{mistake.id}"


def derive_caught(mistake: Mistake, tests: Sequence[RunnableTest], references: Mapping[str, ModuleType]) -> Caught:
    """Run a mistake in the tests of its function, and return which fail and what is wrong in them.

    None do where it does not end: it is not replayed, and the matrix says that it is late.
    """
    ours = [each for each in tests if mistake.graded_function in each.test.functions]
    with preserve_global_state():
        none: _Broken = [None for _ in ours]
        found = limit_time(partial(_run_all, mistake, ours, references), _MOST_S, otherwise=none)
    failures = {each.test.name: parts for each, parts in zip(ours, found, strict=True) if parts is not None}
    named = [part for parts in failures.values() for part in parts]
    return Caught(tuple(failures), list_broken(named, mistake.graded_function) if failures else ())


def _run_all(mistake: Mistake, tests: Sequence[RunnableTest], references: Mapping[str, ModuleType]) -> _Broken:
    return [_run(mistake, each, references) for each in tests]


def _run(mistake: Mistake, runnable: RunnableTest, references: Mapping[str, ModuleType]) -> tuple[str, ...] | None:
    """Run a mistake in a test; return what is wrong, None where it passes.

    A test with a bug of its own catches nothing. Its bug is told where the test is run, and never in the results of
    another test: students may see these before they see anything of a hidden test.
    """
    test, call = runnable
    replay = Replay(references, tested=test.functions)
    replay.replace(test.stem, mistake.function, cast("FunctionType", mistake.wrong))
    check = find_check(call)
    try:
        if check is None:
            by_hand = ROBUST if test.is_robustness else mistake.graded_function
            return None if replay.run(partial(_score, call, test.points)) else (by_hand,)
        failure = find_failure(check, replay, test.stem)
    except Exception:  # noqa: BLE001  (a bug of the test)
        return None
    parts = failure.parts if isinstance(failure, CheckFailed) else ()
    return None if failure is None else parts


def _score(call: TestCall, points: float, student: Student) -> float | None:
    """Run a body by hand; a full score is a pass."""
    score = call(student)
    return score if score is not None and score < points else None
