"""Comparison: compares two results of each submission, and lists which scores rise or drop, in which test and why.

The same code graded by the same grader must get the same scores. If it does not, something in the grader depends on
chance or on the machine, and that matters more than any intended difference.

Tests are compared by their numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from autograder.plain_text import order_naturally
from autograder.regression.baseline import LEAST
from autograder.regression.scores import Scores, TestScore
from autograder.regression.summary import Cause, Comparison, Difference, Move, TestMoves

_ABSENT = TestScore("", "", "", None, None, "", ())


@dataclass
class ComparedRun:
    """The differences found so far from another run, which `against` names.

    `compared`: how many submissions were; `appeared`: those that the other run does not have.
    """

    against: str
    compared: int = 0
    appeared: list[str] = field(default_factory=list)
    _differences: list[Difference] = field(default_factory=list)

    def note_difference(self, name: str, before: Scores, after: Scores, *, cause: Cause) -> None:
        """Compare the scores of one submission."""
        self.compared += 1
        difference = compare_scores(name, before, after, cause=cause)
        if difference is not None:
            self._differences.append(difference)

    def build_if_any(self) -> Comparison | None:
        """Build the part of the summary; None if no submission was compared."""
        return self.build() if self.compared else None

    def build(self, vanished: Sequence[str] = ()) -> Comparison:
        """Build the part of the summary; `vanished`: the submissions that only the other run has."""
        return Comparison(
            against=self.against,
            compared=self.compared,
            unstable=tuple(each for each in self._differences if each.cause is Cause.NOTHING),
            differences=tuple(each for each in self._differences if each.cause is not Cause.NOTHING),
            tests=tuple(group_by_test(self._differences)),
            appeared=tuple(self.appeared),
            vanished=tuple(vanished),
        )


def compare_scores(name: str, before: Scores, after: Scores, *, cause: Cause) -> Difference | None:
    """Compare a submission's scores; None if nothing changed."""
    pairs = {key: (before.tests.get(key), after.tests.get(key)) for key in {**after.tests, **before.tests}}
    moves = [
        _build_move(key, was or _ABSENT, now or _ABSENT)
        for key, (was, now) in pairs.items()
        if was is None or now is None or not _is_same(was.score, now.score)
    ]
    if not moves and _is_same(before.total, after.total):
        return None
    return Difference(name=name, cause=cause, before=before.total, after=after.total, moves=tuple(moves))


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


def _build_move(key: str, was: TestScore, now: TestScore) -> Move:
    return Move(
        test=key,
        title=was.title if now is _ABSENT else now.title,
        before=was.score,
        after=now.score,
        verdict_before=was.verdict,
        verdict_after=now.verdict,
        diagnosis_before=was.diagnosis,
        diagnosis_after=now.diagnosis,
    )


def _is_same(before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return before is after
    return abs(before - after) < LEAST
