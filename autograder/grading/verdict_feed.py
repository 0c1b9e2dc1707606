"""Verdict feed: sends the verdicts of visible tests from the visible pass to the hidden pass, and never the other way.

The hidden pass repeats a test without the functions that lost points, in visible tests too. It waits for the verdicts
that it needs; both passes judge the functions in the same order, so that the wait is short.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from autograder.grading.hidden_test import HiddenTest
from autograder.grading.statement_load import LateLoad
from autograder.results import CheckResult, Verdict


class Lesson(NamedTuple):
    """What the hidden pass learns of a visible test.

    `is_late`: its functions did not end. `load`: what was found of a file that does not load soon.
    """

    test: HiddenTest | CheckResult
    verdict: Verdict
    is_late: bool = False
    load: LateLoad | None = None


Record = Callable[[Lesson], None]


class VerdictFeed:
    """A pipe, made before a fork, after which one process sends and the other receives; close it in both."""

    def __init__(self, tests: Iterable[HiddenTest]) -> None:
        """Make the pipe for the verdicts on these visible tests; OSError where there is none."""
        self._tests = {test.test_id: test for test in tests}
        self._loads: set[tuple[str, LateLoad]] = set()  # that were sent, each with the id of its question
        receiving, sending = os.pipe()
        self._receiving = os.fdopen(receiving, "rb")
        self._sending = os.fdopen(sending, "wb", buffering=0)

    def close(self) -> None:
        """Close both ends; a second call does nothing."""
        self._receiving.close()
        self._sending.close()

    def start_sending(self) -> None:
        """Become the process that sends."""
        self._receiving.close()

    def send(self, lesson: Lesson) -> None:
        """Send the verdict on a test; the pipe has room for those on all tests, so that this never waits.

        A load is sent once.
        """
        load = lesson.load if (lesson.test.stem, lesson.load) not in self._loads else None
        self._loads |= {(lesson.test.stem, load)} if load is not None else set()
        line = json.dumps([lesson.test.test_id, lesson.verdict.value, lesson.is_late, load])
        try:
            self._sending.write(f"{line}\n".encode())
        except BrokenPipeError:  # the other process is gone: its pass is run again
            return

    def start_receiving(self, record: Record) -> Callable[[str, Collection[str]], None]:
        """Become the process that receives.

        Returns a function that waits for the verdicts on some functions of a question, and records all that came.
        """
        self._sending.close()
        missing = dict(self._tests)

        def learn(stem: str, functions: Collection[str]) -> None:
            while any(test.stem == stem and not set(functions).isdisjoint(test.functions) for test in missing.values()):
                line = self._receiving.readline().decode()
                if not line:
                    raise EOFError("the visible pass ended before the hidden one")
                test_id, verdict, is_late, load = json.loads(line)
                record(Lesson(missing.pop(test_id), Verdict(verdict), is_late, _read_load(load)))

        return learn


def _read_load(load: list[Any] | None) -> LateLoad | None:
    if load is None:
        return None
    loads, late_loads, late, failure = load
    return LateLoad(loads, late_loads, tuple((index, line) for index, line in late), failure)
