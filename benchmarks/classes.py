"""Classes: measures `regress` and gradescope-utils on many submissions, several at a time.

A class is N right solutions in turn of three styles, because other student code could damage a grader without a
sandbox. No two return the same digits, as in a class in which all work alone: each rounds its results in its own way,
by the lines of `variation.txt` at the end of its files.
gradescope-utils' runner has a fresh process for each submission, as on Gradescope; it cannot grade two in one process.
Both run the same hidden tests.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks.graders import PROJECT, peer, program
from benchmarks.in_process_student import question_ids_of
from benchmarks.processes import Cost, peak_memory_mib, run

RIGHT = PROJECT / "examples" / "right"
_STYLES = (RIGHT, *(PROJECT / "tests" / "selftest" / "right" / name for name in ("in_place", "loops")))
_VARIATION = Path(__file__).with_name("variation.txt")
REGRESS = "run_autograder regress"
T = TypeVar("T")


@dataclass(frozen=True)
class Class:
    """Submissions in a folder, graded `jobs` at a time; `only`: the questions that `regress` grades, by their ids."""

    folder: Path
    jobs: int
    environment: Mapping[str, str]
    only: Sequence[str] = ()

    def cost(self, name: str) -> Cost:
        """Measure the cost of the whole class with REGRESS or GRADESCOPE."""
        return self._with_command(name, run)

    def memory_mib(self, name: str) -> float:
        """Measure the peak memory."""
        return self._with_command(name, peak_memory_mib)

    def _with_command(self, name: str, measure: Callable[[list[str], Mapping[str, str]], T]) -> T:
        with tempfile.TemporaryDirectory() as scratch:  # new each time: `regress` resumes an existing run
            command = self._ours(Path(scratch)) if name == REGRESS else self._theirs(Path(scratch))
            return measure(command, self.environment)

    def _ours(self, scratch: Path) -> list[str]:
        only = ",".join(self.only or question_ids_of(RIGHT))  # by default, the questions that gradescope-utils runs
        return program("regress", str(self.folder), "--out", str(scratch), "--jobs", str(self.jobs), "--only", only)

    def _theirs(self, scratch: Path) -> list[str]:
        names = scratch / "submissions"
        names.write_text("\n".join(map(str, sorted(self.folder.iterdir()))), encoding="utf-8")
        return ["xargs", "-a", str(names), "-P", str(self.jobs), "-n", "1", *peer("gradescope", self.folder)[:-1]]


@contextmanager
def class_of(size: int, *, jobs: int, environment: Mapping[str, str], only: Sequence[str] = ()) -> Iterator[Class]:
    """Make a class of right submissions."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(size):
            _write_submission(Path(folder) / f"student{number:04}", number)
        yield Class(Path(folder), jobs, environment, only)


def _write_submission(folder: Path, number: int) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    for style in (RIGHT, _STYLES[number % len(_STYLES)]):  # a style has some of the questions
        shutil.copytree(style, folder, ignore=ignored, dirs_exist_ok=True)
    ending = _VARIATION.read_text(encoding="utf-8").replace("NUMBER", str(number))
    for path in folder.glob("*.py"):
        path.write_text(path.read_text(encoding="utf-8") + ending, encoding="utf-8")
