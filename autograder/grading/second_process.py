"""Lane: a second process that tries hidden tests ahead, from the last one, while its parent goes on from the first.

A fork of the grader, with its rights: it runs no student code. It has a zygote of its own, so that no worker of one
process is beside a worker of the other in any namespace or under the same user. It vouches for tests that pass and for
nothing else: whatever is not a pass its parent tries itself, in order, as if there were no lane.
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


def zygotes_for(at_once: int, questions: float) -> int:
    """How many zygotes are to be launched: two where there is to be a lane."""
    return 2 if is_worthwhile(at_once, questions) else 1


def is_worthwhile(at_once: int, questions: float) -> bool:
    """Whether a second process brings more than its start costs, and finds the descriptors that it needs.

    `at_once`: how many tests may run at the same time; more than two do as two.
    """
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return at_once > 1 and questions >= _QUESTIONS_WORTH_IT and descriptors >= _DESCRIPTORS_WORTH_IT


@dataclass(frozen=True)
class Ahead:
    """A test that passed ahead of its turn: the notes on it, the seconds it took and the layers of its last worker."""

    notes: tuple[str, ...]
    seconds: float
    layers: tuple[LayerReport, ...]


class Lane:
    """The process, and what it has found; use as a context manager, or call `close`.

    Who takes a test takes a token first, and there are as many as tests: the parent's, counted from the first, and the
    lane's, counted from the last, never overlap.
    """

    def __init__(self, count: int, attempt: Callable[[int], Ahead | None]) -> None:
        """Fork; `attempt` tries the test of that number, in the fork. OSError where no process can be had."""
        self._turn = 0
        self._found: dict[int, Ahead | None] = {}
        self._tokens = _tokens(count)
        results, theirs = os.pipe()
        self._results = os.fdopen(results, "rb")
        try:
            self._pid = kernel.fork_with_parent_death_signal(lambda: self._work(count, attempt, theirs))
        except OSError:
            self._results.close()
            os.close(self._tokens)
            raise
        finally:
            os.close(theirs)

    def __enter__(self) -> Lane:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def next(self) -> Ahead | None:
        """What is known of the next test in order, waited for where the lane has begun it; None: it is the caller's."""
        number = self._turn
        self._turn += 1
        if os.read(self._tokens, 1):
            return None
        while number not in self._found:
            line = self._results.readline()
            if not line.endswith(b"\n"):  # the lane has ended
                return None
            found, passed = json.loads(line)
            self._found[found] = _ahead(passed) if passed else None
        return self._found[number]

    def close(self) -> None:
        """End the process; more than once does no more."""
        if self._results.closed:
            return
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        self._results.close()
        os.close(self._tokens)

    def _work(self, count: int, attempt: Callable[[int], Ahead | None], results: int) -> None:
        """Try tests; where one cannot be tried, end: the parent tries for itself what was not vouched for."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; it ends us
        for name in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, signal.SIG_DFL)
        number = count
        while os.read(self._tokens, 1):
            number -= 1
            passed = attempt(number)
            os.write(results, json.dumps([number, vars(passed) if passed else None]).encode() + b"\n")


def _tokens(count: int) -> int:
    """A pipe with one byte for each test, and then its end."""
    tokens, filled = os.pipe()
    os.set_blocking(filled, False)  # rather than wait for ever where a pipe is smaller
    try:
        os.write(filled, bytes(count))
    finally:
        os.close(filled)
    return tokens


def _ahead(passed: dict[str, Any]) -> Ahead:
    layers = tuple(LayerReport(*layer) for layer in passed["layers"])
    return Ahead(tuple(passed["notes"]), passed["seconds"], layers)
