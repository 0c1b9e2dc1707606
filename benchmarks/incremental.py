"""Incremental: measures `regress` after a change of one question's tests, beside a run that grades everything.

A class is N copies of the right solution, of which each is graded by itself. The grader is a copy of this one; an
earlier run of it is the baseline, and then the text of one question's hidden tests is changed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.classes import class_of
from benchmarks.graders import PROJECT
from benchmarks.processes import Cost, run
from tests.selftest.support.staff_project import copy_to

ALL, CHANGED = "regress --no-reuse", "after a change"
CHANGED_TESTS = Path("tests", "hidden", "test_adam.py")  # 14 of 155 checks, near the mean of the questions


@dataclass(frozen=True)
class ChangedClass:
    """A class, graded `jobs` at a time by the grader in `project`; `earlier`: the run before its tests changed."""

    folder: Path
    project: Path
    earlier: Path
    jobs: int
    environment: Mapping[str, str]

    def cost(self, name: str) -> Cost:
        """Measure the cost of the whole class with ALL or CHANGED."""
        with tempfile.TemporaryDirectory(dir=self.earlier.parent) as out:
            options = ("--no-reuse",) if name == ALL else ("--baseline", str(self.earlier))
            return run(self.build_command(Path(out), *options), self.environment)

    def build_command(self, out: Path, *options: str) -> list[str]:
        """Build the command of a run."""
        program = [sys.executable, "-I", str(self.project / "autograder" / "__main__.py"), "regress", str(self.folder)]
        return [*program, "--assignment", str(self.project), "--out", str(out), "--jobs", str(self.jobs), *options]


@contextmanager
def changed_class_of(size: int, *, jobs: int, environment: Mapping[str, str]) -> Iterator[ChangedClass]:
    """Make a class of right submissions, grade it, and change the tests."""
    with tempfile.TemporaryDirectory() as folder, class_of(size, jobs=jobs, environment=environment) as submissions:
        project, earlier = copy_to(Path(folder) / "project", PROJECT), Path(folder) / "earlier"
        made = ChangedClass(submissions.folder, project, earlier, jobs, environment)
        run(made.build_command(earlier), environment)
        with (project / CHANGED_TESTS).open("a", encoding="utf-8") as tests:
            tests.write("# changed\n")
        yield made
