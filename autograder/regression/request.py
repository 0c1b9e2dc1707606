"""Request: input, output and options of a run, as the command line, the run and its grader processes need them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox.limits import DEADLINE_S

GRACE_S = 60.0  # beyond the deadline that the grader enforces itself: only a process that hangs takes longer


@dataclass(frozen=True)
class RegressRequest:
    """Input, output and options of a run.

    `root`: the assignment's folder. `baseline`: the folder of an earlier run; `against_published`: use the export's
    scores as the baseline. `jobs`: number of submissions graded at a time; `cluster`: address of a Dask scheduler to
    use instead, or "". `grades`: names of gradebooks to write files for. The other fields are those of `GradeRequest`.
    """

    root: Path
    path: Path
    out: Path
    only: tuple[str, ...] = ()
    baseline: Path | None = None
    against_published: bool = False
    jobs: int = 1
    cluster: str = ""
    grades: tuple[str, ...] = ()
    deadline_s: float = DEADLINE_S
    grace_s: float = GRACE_S
    is_strict: bool = False
    kept: Path | None = None

    @property
    def results_dir(self) -> Path:
        """The folder of the results."""
        return self.out / "results"
