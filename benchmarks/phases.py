"""Phases: turns graded submissions into the computing time of each phase of the grader, beside that of its workers.

python -m benchmarks.phases

A new process grades: a right submission cold, the same again as in a class, and wrong files. The phases of a column add
up to all that was computed for it. There is no pass process, which would run beside the visible pass.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder import diagnosis
from autograder.assignment import load_assignment
from autograder.grader import Grader
from autograder.grading import judge
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.shared_workers import SharedWorkers
from autograder.submission import Submission, read_submission
from benchmarks.classes import RIGHT
from benchmarks.graders import PROJECT
from benchmarks.processes import read_cpu_s
from benchmarks.wrong_work import COSTLIEST, WRONG, read_text

START, REST, OTHERS = "start: imports, hidden tests, self-check", "rest of the grader", "zygote and workers"
SHARED, _ATTEMPTS = "first attempts: asked and judged", "attempts alone: asked and judged"
_LINES, DIAGNOSIS = "lines that students can run", "diagnosis"
PHASES = (START, SHARED, _ATTEMPTS, _LINES, DIAGNOSIS, REST, OTHERS)
WATCHED: tuple[tuple[Any, str, str], ...] = (
    (SharedWorkers, "try_first", SHARED),
    (AttemptRunner, "run", _ATTEMPTS),
    (judge, "add_lines", _LINES),
    (diagnosis, "explain_passes", DIAGNOSIS),
)


class Phases:
    """The seconds of computing of each phase; a phase within another one counts for itself."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PHASES, 0.0)
        self._open = [START]
        self._since = self._others_s = 0.0

    def take(self) -> Mapping[str, float]:
        """Return the seconds since the last time, with those of the other processes."""
        self._switch()
        taken, others_s = self.seconds, read_cpu_s()
        taken[OTHERS] = others_s - self._others_s
        self.seconds, self._others_s = dict.fromkeys(PHASES, 0.0), others_s
        return taken

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count what is computed in the block for a phase."""
        self._switch()
        self._open.append(name)
        try:
            yield
        finally:
            self._switch()
            self._open.pop()

    def _switch(self) -> None:
        now = time.process_time()
        self.seconds[self._open[-1]] += now - self._since
        self._since = now

    def watch(self, owner: Any, name: str, phase: str) -> None:
        """Have every call of a function counted for a phase."""
        function = getattr(owner, name)

        def timed(*given: Any, **named: Any) -> Any:
            with self.phase(phase):
                return function(*given, **named)

        setattr(owner, name, timed)


def measure(memory: Path) -> dict[str, Mapping[str, float]]:
    """Grade the submissions; return the seconds of each phase by their names. `memory`: keeps what is made once."""
    phases = Phases()
    for each in WATCHED:
        phases.watch(*each)
    assignment = load_assignment(PROJECT)
    right = read_submission(RIGHT, assignment)
    work = {"right, cold": right, "right, again": right}
    for name in COSTLIEST:
        question_id, lines = WRONG[name]
        work[name] = Submission.build(assignment, {question_id: read_text(question_id, lines)})
    found: dict[str, Mapping[str, float]] = {}
    with Grader(assignment, kept=memory) as grader:
        for name, submission in work.items():
            with phases.phase(REST):
                grader.grade(submission)
            found[name] = phases.take()
    return found


def phase_table(found: Mapping[str, Mapping[str, float]]) -> str:
    """Render the seconds of each phase, a column for each submission."""
    numbers = [f"({number})" for number, _ in enumerate(found, 1)]
    lines = [f"{number} {name}" for number, name in zip(numbers, found, strict=True)]
    lines.append(f"{'CPU s':42}" + "".join(f"{number:>8}" for number in numbers))
    for phase in PHASES:
        lines.append(f"{phase:42}" + "".join(f"{each[phase]:8.3f}" for each in found.values()))
    return "\n".join([*lines, f"{'all':42}" + "".join(f"{sum(each.values()):8.3f}" for each in found.values())])


def main() -> None:
    """Measure in a new process; one before it makes what is kept on a machine."""
    if len(sys.argv) > 1:
        print(phase_table(measure(Path(sys.argv[1]))))
        return
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            command = [sys.executable, "-m", "benchmarks.phases", folder]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")


if __name__ == "__main__":
    main()
