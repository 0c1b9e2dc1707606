"""Baseline: reads the earlier run that a run is compared with, and replaces it by an accepted run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder import UserError
from autograder.regression.scores import Scores, restrict_scores
from autograder.regression.store import ResultStore, StoredResult

SUMMARY = "summary.json"
LEAST = 0.005  # points: smaller differences are ignored, since Gradescope shows two decimals
_REPLACED = (SUMMARY, "report.html", "scores.csv")


class BaselineError(UserError):
    """The folder holds no run to compare with; the text names the missing part."""


@dataclass(frozen=True)
class Baseline:
    """An earlier run: its `title`, the `names` of its submissions, and the questions it graded (`only`; empty: all)."""

    title: str
    store: ResultStore
    names: tuple[str, ...]
    only: tuple[str, ...]

    def restrict_both(self, before: Scores, now: Scores, only: Sequence[str]) -> tuple[Scores, Scores]:
        """Return the scores of this run and of one that graded `only`, both of the questions that both graded."""
        both = [stem for stem in self.only or only if not only or stem in only]
        if self.only and not both:
            both = [""]  # no question
        return restrict_scores(before, both), restrict_scores(now, both)


@dataclass
class LargestChange:
    """The largest change of a total so far, from a baseline, of a submission whose files are the same.

    `only`: the questions of this run. `text`: what changed, or "".
    """

    baseline: Baseline
    only: Sequence[str]
    text: str = ""
    _points: float = LEAST

    def note(self, name: str, now: StoredResult) -> None:
        """Compare the result of a submission with the baseline's."""
        before = self.baseline.store.load(name)
        if before is None or before.provenance.submission != now.provenance.submission:
            return
        was, found = (each.total for each in self.baseline.restrict_both(before.scores, now.scores, self.only))
        if was is not None and found is not None and abs(found - was) > self._points:
            self._points = abs(found - was)
            self.text = f"largest change so far: {name} {was:g} to {found:g}"


def read_baseline(folder: Path) -> Baseline:
    """Read the run in a folder; BaselineError if there is none."""
    try:
        fields = json.loads((folder / SUMMARY).read_bytes())
        names = tuple(str(student["name"]) for student in fields["students"])
        only = tuple(map(str, fields["only"]))
    except OSError as error:
        raise BaselineError(f"{folder}: holds no run to compare with: no {SUMMARY} that regress wrote") from error
    except (ValueError, KeyError, TypeError) as error:
        what = f"its {SUMMARY} is damaged, or of another version"
        raise BaselineError(f"{folder}: holds no run to compare with: {what}; run regress into it again") from error
    return Baseline(str(folder), ResultStore(folder / "results"), names, only)


def accept(out: Path, baseline: Path) -> None:
    """Make the run in `out` the baseline; the old baseline stays until the new one is complete.

    BaselineError if the old one graded other questions: those missing from the new one would be lost.
    """
    if (baseline / SUMMARY).exists() and read_baseline(baseline).only != read_baseline(out).only:
        raise BaselineError(f"{baseline}: not accepted, because it graded other questions; run without --only")
    baseline.mkdir(parents=True, exist_ok=True)
    fresh, old = baseline / "results.new", baseline / "results.old"
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(out / "results", fresh)
    if (baseline / "results").exists():
        (baseline / "results").rename(old)
    fresh.rename(baseline / "results")
    for name in _REPLACED:
        if (out / name).exists():
            shutil.copyfile(out / name, baseline / name)
    shutil.rmtree(old, ignore_errors=True)
