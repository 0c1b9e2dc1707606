"""Attempt: the specification of one try of a hidden test: whose functions take part, and how long it may take."""

from __future__ import annotations

import math
from dataclasses import dataclass

from autograder.sandbox import limits as limit


@dataclass(frozen=True)
class Attempt:
    """One try of a test of `functions`, in which the grader's functions replace those named in `substituted`.

    `deadline` is the monotonic time at which the whole run ends, `cpu_s` the CPU seconds of each worker; it has
    three times as many by the clock, and `wall_s` for each request once the file is loaded. `callbacks`: the calls of
    the test's functions that it has. `replies_bytes`: what all replies may take together. `call_s`: the CPU seconds of
    one call, 0 for no limit of its own.
    `supplied_wins`: the modules that the grader supplies replace the student's copies of them. `runs_constructors`: a
    constructor of the student's runs before the grader's that replaces it, for the sake of attributes of its own.
    """

    functions: tuple[str, ...]
    deadline: float
    cpu_s: int = limit.CPU_S
    wall_s: float = math.inf
    callbacks: limit.CallbackLimit = limit.UNKNOWN_NEED
    replies_bytes: int = limit.REPLIES_BYTES
    call_s: float = 0.0
    substituted: tuple[str, ...] = ()
    supplied_wins: bool = False
    runs_constructors: bool = True

    @property
    def is_repeat(self) -> bool:
        """Whether code of the grader's replaces some of the student's."""
        return bool(self.substituted) or self.supplied_wins
