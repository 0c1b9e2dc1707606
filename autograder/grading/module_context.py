"""Module context: groups the parts of an attempt that each of its student modules uses."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.grading.attempt import Attempt
from autograder.grading.memory import WorkerMemory
from autograder.grading.transcript import Transcript
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.limits import Limits


@dataclass(frozen=True)
class ModuleContext:
    """The parts of an attempt that a module uses: specification, zygote, memory of earlier workers, transcript.

    `limits`: of its workers, beside the CPU seconds, which the attempt has.
    """

    attempt: Attempt
    zygote: Zygote
    memory: WorkerMemory
    transcript: Transcript
    limits: Limits
