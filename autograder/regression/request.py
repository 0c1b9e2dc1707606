"""Request: input, output and options of a run, as the command line, the run and its grader processes need them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from autograder.sandbox.limits import DEADLINE_S

GRACE_S = 60.0  # beyond the deadline that the grader enforces itself: only a process that hangs takes longer


@dataclass(frozen=True)
class RegressRequest:
    """Input, output and options of a run.

    `root`: the assignment's folder. `baseline`: the folder of an earlier run; `against_published`: use the export's
    scores as the baseline. `jobs`: number of submissions graded at a time; `cluster`: address of a Dask scheduler to
    use instead, or "". `repeat`: how often each submission is graded; `junit`: a file for the differences; `grades`:
    names of gradebooks to write files for. `due`: the due date, for the penalties of late submissions. `reuses`:
    whether results of earlier runs may be reused; `recheck_percent`: the share of the reused questions that is graded
    again. `run`: drawn for each run. The other fields are those of `GradeRequest`.
    """

    root: Path
    path: Path
    out: Path
    only: tuple[str, ...] = ()
    baseline: Path | None = None
    against_published: bool = False
    jobs: int = 1
    cluster: str = ""
    repeat: int = 1
    junit: Path | None = None
    grades: tuple[str, ...] = ()
    due: datetime | None = None
    reuses: bool = True
    recheck_percent: int = 2
    run: str = field(default_factory=lambda: secrets.token_hex(16))
    deadline_s: float = DEADLINE_S
    grace_s: float = GRACE_S
    is_strict: bool = False
    kept: Path | None = None

    @property
    def results_dirs(self) -> list[Path]:
        """The folders of the results: first the run's own, then one for each repetition."""
        return [self.out / "results", *(self.out / "repeats" / str(number) for number in range(2, self.repeat + 1))]

    @property
    def question_folders(self) -> list[Path]:
        """The folders of the results of single questions; none where each is graded, as repetitions have to be."""
        outs = (self.out, self.baseline) if self.reuses and self.repeat == 1 else ()
        return [out.absolute() / "questions" for out in outs if out is not None]
