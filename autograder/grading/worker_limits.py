"""Worker limits: turns what an assignment declares of a worker into what the sandbox enforces, and counts zygotes.

Apart from the judge, because the zygotes are launched before the rest of the grader is imported.
"""

from __future__ import annotations

import resource

from autograder.assignment import WorkerLimits
from autograder.sandbox.host.launcher import SandboxError
from autograder.sandbox.limits import Limits, describe_shortfall, make_limits

CONTAINER_MIB = 768  # Gradescope's default
_WORKERS = 2  # that run at a time
_QUESTIONS_WORTH_IT = 3
_DESCRIPTORS_WORTH_IT = 64


def choose_limits(declared: WorkerLimits) -> Limits:
    """Choose the limits of a worker: those that are declared, and the grader's own for the others."""
    return make_limits(declared.cpu_seconds, declared.memory_mib and declared.memory_mib << 20)


def choose_container_mib(declared: WorkerLimits) -> int:
    """Choose the memory of a container in MiB: Gradescope's default, or what the workers need that run at a time."""
    return max(CONTAINER_MIB, _WORKERS * (declared.memory_mib or 0))


def require_limits(declared: WorkerLimits) -> Limits:
    """Return the limits of a worker; SandboxError if this process has less, and so could not give them to workers."""
    limits = choose_limits(declared)
    shortfall = describe_shortfall(limits)
    if shortfall:
        raise SandboxError(shortfall)
    return limits


def count_zygotes(at_once: int, questions: float) -> int:
    """Return the number of zygotes to launch: two where a worker answers hidden scripts beside the visible pass.

    It does where that saves more than the start of a zygote costs, and there are file descriptors for it.
    `at_once`: the number of tests that may run at the same time; more than two count as two.
    """
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_worthwhile = at_once > 1 and questions >= _QUESTIONS_WORTH_IT and descriptors >= _DESCRIPTORS_WORTH_IT
    return 2 if is_worthwhile else 1
