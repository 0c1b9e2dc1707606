"""Worker limits: turns what an assignment declares of the limits of a worker into all that the sandbox enforces."""

from __future__ import annotations

from autograder.assignment import WorkerLimits
from autograder.sandbox.host.launcher import SandboxError
from autograder.sandbox.limits import Limits, describe_shortfall, make_limits

CONTAINER_MIB = 768  # Gradescope's default
_WORKERS = 2  # that run at a time


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
