"""Worker limits: turns the section [limits] of `assignment.toml` into what a worker of student code may use."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.assignment.toml_table import StaffTable

# Two seconds are what a test may take where all tests of a question are first tried together. A function that sleeps is
# waited for three times as long as it may compute, and a submission has eight minutes.
CPU_SECONDS = (2, 60)
# Right code takes 115 MiB with numpy alone; 4 GiB are more than a container of Gradescope's smaller sizes has.
MEMORY_MIB = (192, 4096)


@dataclass(frozen=True)
class WorkerLimits:
    """Computing time and memory of one worker; None: what the grader gives where nothing is declared."""

    cpu_seconds: int | None = None
    memory_mib: int | None = None


def read_worker_limits(table: StaffTable) -> WorkerLimits:
    """Read the section [limits]; AssignmentError for a value that is no whole number within its bounds."""
    return WorkerLimits(table.read_whole("cpu_seconds", CPU_SECONDS), table.read_whole("memory_mib", MEMORY_MIB))
