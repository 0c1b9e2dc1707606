"""Made judge: a judge of a few questions, and an attempt at one test, as a pass over a submission has them."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from autograder.grading.attempt import Attempt, Tried
from autograder.grading.attempt_run import AttemptRun, AttemptRunner, ZygoteHolder
from autograder.grading.ending import NoValue
from autograder.grading.judge import Judge
from autograder.grading.material import Material
from autograder.grading.memory import WorkerMemory
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.limits import choose_limits

LOST = Tried(NoValue(Outcome(OutcomeKind.RAISED)))  # the end of a check that lost its points


def make_judge(
    materials: Mapping[str, Material],
    *,
    seconds: float = 60.0,
    zygote: Zygote | None = None,
    make_zygote: Callable[[], Zygote] = Zygote,
    memory: WorkerMemory | None = None,
) -> Judge:
    """Return a judge of these questions, whose attempts run on `zygote`, or on a new one."""
    zygotes, deadline = ZygoteHolder(make_zygote, zygote), time.monotonic() + seconds
    return Judge(AttemptRunner(materials, None, zygotes, memory or WorkerMemory(), deadline=deadline))


def make_attempt(
    materials: Mapping[str, Material],
    zygote: Zygote,
    *functions: str,
    seconds: float = 60.0,
    memory: WorkerMemory | None = None,
    cpu_s: int | None = None,
    **options: Any,
) -> AttemptRun:
    """Return an attempt under way at a test of these functions, by default of `double`; `cpu_s`: of its workers."""
    attempt = Attempt(functions or ("double",), time.monotonic() + seconds, **options)
    (material,) = materials.values()
    return AttemptRun(attempt, material, zygote=zygote, memory=memory or WorkerMemory(), limits=choose_limits(cpu_s))
