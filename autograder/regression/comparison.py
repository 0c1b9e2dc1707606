"""Comparison: compares two results of each submission, and lists which scores rise or drop, in which test and why.

The same code graded by the same grader must get the same scores. If it does not, something in the grader depends on
chance or on the machine, and that matters more than any intended difference.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from enum import Enum

from autograder.plain_text import order_naturally
from autograder.regression.record import Record
from autograder.regression.scores import Scores, TestScore

LEAST = 0.005  # points: smaller differences are ignored, since Gradescope shows two decimals


class Cause(str, Enum):
    """Possible cause of a changed score."""

    NOTHING = "nothing"  # same code, same grader: not deterministic
    GRADER = "grader"  # same code, another grader
    CODE = "code"  # changed code
    UNKNOWN = "unknown"  # the code of the earlier scores is not known, as in an export


class Move(Record):
    """One test of one submission whose points changed; None for a test that has no score or does not exist."""

    test: str
    title: str
    before: float | None
    after: float | None
    verdict_before: str
    verdict_after: str
    diagnosis_before: tuple[str, ...]
    diagnosis_after: tuple[str, ...]

    @property
    def change(self) -> float:
        """Points gained; negative if points were lost."""
        return round((self.after or 0.0) - (self.before or 0.0), 4)


class Difference(Record):
    """One submission whose scores changed."""

    name: str
    cause: Cause
    before: float | None
    after: float | None
    moves: tuple[Move, ...]

    @property
    def change(self) -> float:
        """Points gained in total; negative if points were lost."""
        return round((self.after or 0.0) - (self.before or 0.0), 4)


class TestMoves(Record):
    """One test's changes over the class. `diagnoses`: counts by the current diagnosis, "" for none."""

    test: str
    title: str
    gained: tuple[str, ...]
    dropped: tuple[str, ...]
    unchanged: tuple[str, ...]
    points: float
    diagnoses: dict[str, int]


def compare_scores(name: str, before: Scores, after: Scores, *, cause: Cause) -> Difference | None:
    """Compare a submission's scores; None if nothing changed."""
    keys = [*after.tests, *(key for key in before.tests if key not in after.tests)]
    moves = [
        move for key in keys if (move := _compare_test(key, before.tests.get(key), after.tests.get(key))) is not None
    ]
    if not moves and _is_same(before.total, after.total):
        return None
    return Difference(name=name, cause=cause, before=before.total, after=after.total, moves=tuple(moves))


def infer_cause(*, is_same_code: bool, is_same_grader: bool) -> Cause:
    """Infer the possible cause of a changed score."""
    if not is_same_code:
        return Cause.CODE
    return Cause.NOTHING if is_same_grader else Cause.GRADER


def group_by_test(differences: Iterable[Difference]) -> Iterator[TestMoves]:
    """Group differences by test; tests that changed the most submissions come first."""
    moved: dict[str, list[tuple[str, Move]]] = defaultdict(list)
    for each in differences:
        for move in each.moves:
            moved[move.test].append((each.name, move))
    for test in sorted(moved, key=lambda key: (-len(moved[key]), order_naturally(key))):
        yield _summarise_test(test, moved[test])


def _summarise_test(test: str, moved: list[tuple[str, Move]]) -> TestMoves:
    diagnoses = Counter(name for _, move in moved for name in move.diagnosis_after or ("",))
    return TestMoves(
        test=test,
        title=moved[0][1].title,
        gained=tuple(name for name, move in moved if move.change > 0),
        dropped=tuple(name for name, move in moved if move.change < 0),
        unchanged=tuple(name for name, move in moved if move.change == 0),
        points=round(sum(move.change for _, move in moved), 2),
        diagnoses=dict(sorted(diagnoses.items(), key=lambda each: (-each[1], each[0]))),
    )


def _compare_test(key: str, before: TestScore | None, after: TestScore | None) -> Move | None:
    if before is not None and after is not None and _is_same(before.score, after.score):
        return None
    either = after or before
    return Move(
        test=key,
        title=either.title if either else key,
        before=before.score if before else None,
        after=after.score if after else None,
        verdict_before=before.verdict if before else "",
        verdict_after=after.verdict if after else "",
        diagnosis_before=before.diagnosis if before else (),
        diagnosis_after=after.diagnosis if after else (),
    )


def _is_same(before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return before is after
    return abs(before - after) < LEAST
