"""Attempt: the specification of one try of a hidden test: whose functions take part, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.sandbox import limits as limit


@dataclass(frozen=True)
class Attempt:
    """One try of a test of `functions`, in which the grader's functions replace those named in `substituted`.

    `deadline` is the monotonic time at which the whole run ends, `cpu_s` the CPU seconds of each worker.
    """

    functions: tuple[str, ...]
    deadline: float
    cpu_s: int = limit.CPU_S
    substituted: tuple[str, ...] = ()
