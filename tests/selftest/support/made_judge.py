"""Made judge: a judge of a few questions, as a pass over a submission has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autograder.grading.attempt_run import AttemptRunner, ZygoteHolder
from autograder.grading.judge import Judge
from autograder.grading.material import Material
from autograder.grading.memory import WorkerMemory
from autograder.sandbox.host.client import Zygote


def make_judge(
    materials: Mapping[str, Material],
    deadline: float,
    *,
    zygote: Zygote | None = None,
    make_zygote: Callable[[], Zygote] = Zygote,
    memory: WorkerMemory | None = None,
) -> Judge:
    """Return a judge of these questions, whose attempts run on `zygote`, or on a new one."""
    zygotes = ZygoteHolder(make_zygote, zygote)
    return Judge(AttemptRunner(materials, None, zygotes, memory or WorkerMemory(), deadline=deadline))
