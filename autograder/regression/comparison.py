"""Comparison: the second step, which compares two runs over a class: whose points change, in which rows, by how much.

A run is a folder, or the scores in a Gradescope export. Rows are matched by number and title, so that a renamed row is
one removed and one added. The same code graded by the same grader must get the same scores: if it does not, something
in the grader depends on chance or on the machine, and that matters more than any intended difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from autograder.assignment import Assignment
from autograder.plain_text import order_naturally
from autograder.regression.class_results import CLASS, BaselineError, Run, StoredResult, read_class
from autograder.regression.roster import RosterError, read_roster

LEAST = 0.005  # points: smaller differences are ignored, since Gradescope shows two decimals


class Cause(str, Enum):
    """Possible cause of a changed score."""

    NOTHING = "nothing"  # same code, same grader: not deterministic
    GRADER = "grader"  # same code, another grader
    CODE = "code"  # changed code
    UNKNOWN = "unknown"  # the code of the earlier scores is not known, as in an export


@dataclass(frozen=True)
class Move:
    """Points before and now, of a row or a submission; None without a score, or in only one of the runs."""

    row: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float:
        """Points gained; negative if points were lost."""
        return round((self.after or 0.0) - (self.before or 0.0), 4)

    @property
    def is_change(self) -> bool:
        """Whether the points differ, or only one of them is there."""
        return (self.before is None) != (self.after is None) or abs(self.change) >= LEAST


@dataclass(frozen=True)
class Difference:
    """One submission whose points changed, by its file: the whole, and the rows in which they did."""

    file: str
    cause: Cause
    total: Move
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class RowMoves:
    """One row's changes over the class: the files of those that gain and that lose, and the sum of the points."""

    row: str
    gained: tuple[str, ...]
    dropped: tuple[str, ...]
    points: float


@dataclass(frozen=True)
class Comparison:
    """The comparison with another run, which `against` names; submissions by their files, rows by number and title.

    `unstable`: same code and grader but other scores; `differences`: all others. `appeared`: submissions that only this
    run has; `vanished`: the labels of those that only the other has.
    """

    against: str
    compared: int
    removed: tuple[str, ...]
    added: tuple[str, ...]
    unstable: tuple[Difference, ...]
    differences: tuple[Difference, ...]
    rows: tuple[RowMoves, ...]
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]

    @property
    def changed(self) -> tuple[Difference, ...]:
        """All submissions whose points changed, the unstable ones first."""
        return (*self.unstable, *self.differences)


def read_baseline(path: Path, assignment: Assignment, only: Collection[str] = ()) -> Run:
    """Read the run in a folder, or the scores in a Gradescope export, to compare a run of the questions `only` with.

    BaselineError if there is neither, or a run of other questions.
    """
    is_run = not path.exists() or (path / CLASS).exists()
    run = read_class(path) if is_run else _read_published(path, assignment)
    if run.only and only and not _choose_common(run.only, only):
        raise BaselineError(f"{path}: holds no run to compare with: it graded {', '.join(run.only)} alone")
    return run


def _read_published(path: Path, assignment: Assignment) -> Run:
    missing = f"{path}: holds no run to compare with: no {CLASS} that regress wrote, and no scores of an export"
    try:
        with read_roster(path, assignment) as roster:
            published = {entry.member.file: entry.published for entry in roster.entries}
            members = {entry.member.file: entry.member for entry in roster.entries if entry.published is not None}
    except RosterError as error:
        raise BaselineError(f"{missing} ({error})") from error
    if not members:
        raise BaselineError(missing)
    return Run(f"the scores in {path}", (), members, published.get)


def compare_runs(before: Run, after: Run) -> Comparison:
    """Compare the results that both runs have of the same submissions."""
    questions = _choose_common(before.only, after.only)
    appeared: list[str] = []
    differences: list[Difference] = []
    old_rows: set[str] = set()
    new_rows: set[str] = set()
    compared = 0
    for file in after.members:
        was, now = before.load(file), after.load(file)
        if was is None and now is not None:
            appeared.append(file)
        if was is None or now is None:
            continue
        was, now = was.restrict(questions), now.restrict(questions)
        if None in (was.total, now.total):
            continue
        compared += 1
        if was.rows and now.rows:
            old_rows.update(was.rows)
            new_rows.update(now.rows)
        differences += compare_results(file, was, now, _find_cause(was, now))
    return Comparison(
        before.title,
        compared,
        removed=tuple(sorted(old_rows - new_rows, key=order_naturally)),
        added=tuple(sorted(new_rows - old_rows, key=order_naturally)),
        unstable=tuple(found for found in differences if found.cause is Cause.NOTHING),
        differences=tuple(found for found in differences if found.cause is not Cause.NOTHING),
        rows=group_by_row(differences),
        appeared=tuple(appeared),
        vanished=tuple(before.label(file) for file in before.members if file not in after.members),
    )


def compare_results(file: str, before: StoredResult, after: StoredResult, cause: Cause) -> list[Difference]:
    """Compare a submission's points: a list of one difference, or of none.

    Rows that only one run has count in the sum; they are named with it, if they have points.
    """
    total = Move("", before.total, after.total)
    is_moved = total.is_change
    moves = []
    for key in {**after.rows, **before.rows} if before.rows and after.rows else ():
        was, now = before.rows.get(key), after.rows.get(key)
        move = Move(key, was.score if was else None, now.score if now else None)
        is_of_both = was is not None and now is not None
        if move.is_change if is_of_both else move.change:
            moves.append(move)
            is_moved = is_moved or is_of_both
    return [Difference(file, cause, total, tuple(moves))] if is_moved else []


def group_by_row(differences: Iterable[Difference]) -> tuple[RowMoves, ...]:
    """Group differences by row; rows that changed the most submissions come first."""
    moved: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for difference in differences:
        for move in difference.moves:
            moved[move.row].append((difference.file, move.change))
    grouped = []
    for row in sorted(moved, key=lambda row: (-len(moved[row]), order_naturally(row))):
        gained = tuple(file for file, change in moved[row] if change > 0)
        dropped = tuple(file for file, change in moved[row] if change <= 0)
        grouped.append(RowMoves(row, gained, dropped, round(sum(change for _, change in moved[row]), 2)))
    return tuple(grouped)


def _choose_common(first: Collection[str], second: Collection[str]) -> Collection[str]:
    """Return the questions that both runs graded; a run that names none graded all."""
    return set(first).intersection(second) if first and second else first or second


def _find_cause(before: StoredResult, after: StoredResult) -> Cause:
    """Find the possible cause of a changed score."""
    if not before.key:
        return Cause.UNKNOWN
    if before.submission != after.submission:
        return Cause.CODE
    return Cause.NOTHING if before.key == after.key else Cause.GRADER
