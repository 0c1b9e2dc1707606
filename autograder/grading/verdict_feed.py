"""Verdict feed: sends the verdicts of visible tests from the visible pass to the hidden pass, and never the other way.

The hidden pass repeats a test without the functions that lost points, in visible tests too. It waits for the verdicts
that it needs; both passes judge the functions in the same order, so that the wait is short.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable

from autograder.grading.hidden_test import HiddenTest
from autograder.results import CheckResult, Verdict

Record = Callable[[HiddenTest, Verdict, bool], None]


class VerdictFeed:
    """A pipe, made before a fork, after which one process sends and the other receives; close it in both."""

    def __init__(self, tests: Iterable[HiddenTest]) -> None:
        """Make the pipe for the verdicts on these visible tests; OSError where there is none."""
        self._tests = {test.test_id: test for test in tests}
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

    def send(self, check: CheckResult, *, is_late: bool = False) -> None:
        """Send the verdict on a test; the pipe has room for those on all tests, so that this never waits.

        `is_late`: its functions did not end.
        """
        try:
            self._sending.write(f"{check.test_id}\t{check.verdict.value}\t{'late' * is_late}\n".encode())
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
                test_id, verdict, late = line.rstrip("\n").split("\t")
                record(missing.pop(test_id), Verdict(verdict), bool(late))

        return learn
