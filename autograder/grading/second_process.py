"""Second process: runs hidden tests from the end of the list, while the grader runs them from the beginning.

A fork of the grader, with its rights; no student code runs in it. It has a zygote of its own, so that workers of both
processes share neither a namespace nor a user. It reports only passes: the grader itself runs, in order, each test that
did not pass, as if there were no second process.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.sandbox.isolation import kernel
from autograder.sandbox.protocol.layers import LayerReport

_QUESTIONS_WORTH_IT = 3
_DESCRIPTORS_WORTH_IT = 64


def count_zygotes(at_once: int, questions: float) -> int:
    """Return the number of zygotes to launch: two where a second process is worthwhile."""
    return 2 if is_worthwhile(at_once, questions) else 1


def is_worthwhile(at_once: int, questions: float) -> bool:
    """Whether a second process saves more than its start costs, and there are enough file descriptors for it.

    `at_once`: the number of tests that may run at the same time; more than two count as two.
    """
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return at_once > 1 and questions >= _QUESTIONS_WORTH_IT and descriptors >= _DESCRIPTORS_WORTH_IT


@dataclass(frozen=True)
class EarlyPass:
    """A test that passed in the second process: its notes, seconds, leaderboard value and its last worker's layers."""

    notes: tuple[str, ...]
    seconds: float
    layers: tuple[LayerReport, ...]
    leaderboard: float | str | None = None


class SecondProcess:
    """The process and the passes it reported; use as a context manager, or call `close`.

    Each side takes a token before it takes a test, and there are as many tokens as tests: the grader counts from the
    first test and the second process from the last, so that they never run the same one.
    """

    def __init__(self, count: int, run: Callable[[int], EarlyPass | None]) -> None:
        """Fork; `run` runs the test of that number, in the fork. OSError where no process can be started."""
        self._turn = 0
        self._found: dict[int, EarlyPass | None] = {}
        self._tokens = _make_tokens(count)
        results, theirs = os.pipe()
        self._results = os.fdopen(results, "rb")
        try:
            self._pid = kernel.fork_with_parent_death_signal(lambda: self._run_tests(count, run, theirs))
        except OSError:
            self._results.close()
            os.close(self._tokens)
            raise
        finally:
            os.close(theirs)

    def __enter__(self) -> SecondProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take_next(self) -> EarlyPass | None:
        """Return the pass of the next test in order, after waiting where it was begun; None: the caller runs it."""
        number = self._turn
        self._turn += 1
        if os.read(self._tokens, 1):
            return None
        while number not in self._found:
            line = self._results.readline()
            if not line.endswith(b"\n"):  # the process has ended
                return None
            found, passed = json.loads(line)
            self._found[found] = _read_pass(passed) if passed else None
        return self._found[number]

    def close(self) -> None:
        """End the process; a second call does nothing."""
        if self._results.closed:
            return
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        self._results.close()
        os.close(self._tokens)

    def _run_tests(self, count: int, run: Callable[[int], EarlyPass | None], results: int) -> None:
        """Run tests until the tokens are used up; an exception ends the process, and the grader runs the rest."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader handles Ctrl-C and ends this process
        for name in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, signal.SIG_DFL)
        number = count
        while os.read(self._tokens, 1):
            number -= 1
            passed = run(number)
            os.write(results, json.dumps([number, vars(passed) if passed else None]).encode() + b"\n")


def _make_tokens(count: int) -> int:
    """Return the reading end of a pipe that holds one byte for each test."""
    tokens, filled = os.pipe()
    os.set_blocking(filled, False)  # fail instead of waiting for ever where a pipe is smaller
    try:
        os.write(filled, bytes(count))
    finally:
        os.close(filled)
    return tokens


def _read_pass(passed: dict[str, Any]) -> EarlyPass:
    layers = tuple(LayerReport(*layer) for layer in passed["layers"])
    return EarlyPass(tuple(passed["notes"]), passed["seconds"], layers, passed["leaderboard"])
