"""Comparison: compares two results of each submission, and lists which scores rise or drop, in which test and why.

The same code graded by the same grader must get the same scores. If it does not, something in the grader depends on
chance or on the machine, and that matters more than any intended difference.

Of a check that gives other points to the same files, a few pairs of words are kept: what it said then, and says now.

Tests are compared by their numbers. Where a function had a number in the earlier run that it has no longer, its tests
were made anew, and numbers say nothing: its points are compared as one sum.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from autograder.plain_text import clean, order_naturally
from autograder.regression.baseline import LEAST
from autograder.regression.scores import Scores, TestScore, derive_verdict
from autograder.regression.store import StoredResult
from autograder.regression.summary import Cause, Comparison, Difference, Move, TestMoves

_PAIRS = 3  # of words, for each check
_CHARACTERS = 1_500  # of each side
_SAME_FILES = (Cause.GRADER, Cause.NOTHING)
_ABSENT = TestScore("", "", "", None, None, "", ())
Line = tuple[str, bool]  # its text, and whether the other side lacks it
_Functions = Mapping[str, Mapping[str, TestScore]]  # the tests of one function, or of some together, by their keys


@dataclass(frozen=True)
class WordsPair:
    """The lines of a check on one submission, in the earlier run and now; the same lines are the same pair."""

    name: str = field(compare=False)
    move: Move = field(compare=False)
    before: tuple[Line, ...]
    after: tuple[Line, ...]


@dataclass(frozen=True)
class ChangedWords:
    """One check, and up to three different pairs of its words."""

    moves: TestMoves
    pairs: tuple[WordsPair, ...]


@dataclass
class ComparedRun:
    """The differences found so far from another run, which `against` names.

    `compared`: how many submissions were; `appeared`: those that the other run does not have.
    """

    against: str
    compared: int = 0
    appeared: list[str] = field(default_factory=list)
    _differences: list[Difference] = field(default_factory=list)
    _joined: set[str] = field(default_factory=set)
    _pairs: defaultdict[str, list[WordsPair]] = field(default_factory=lambda: defaultdict(list))  # by test

    def note_difference(self, name: str, before: Scores, after: Scores, *, cause: Cause) -> Difference | None:
        """Compare the scores of one submission, and return how they differ."""
        found = join_gone_checks(before, after)
        self._joined.update(found.functions)
        difference = compare_scores(name, found.before, found.after, cause=cause)
        self._differences += [difference] if difference is not None else []
        return difference

    def note_words(self, difference: Difference, before: StoredResult, after: StoredResult) -> None:
        """Keep the words of the checks that moved, if the files are the same."""
        for move in difference.moves if difference.cause in _SAME_FILES else ():
            pairs = self._pairs[move.test]
            if len(pairs) < _PAIRS:
                was, now = (_read_words(each, move.test) for each in (before, after))
                new = WordsPair(difference.name, move, _mark(was, now), _mark(now, was))
                pairs += [new] if new not in pairs else []

    def list_changed_words(self) -> tuple[ChangedWords, ...]:
        """List the words that were kept, those of tests that changed the most submissions first."""
        moved = group_by_test(self._differences)
        return tuple(ChangedWords(each, tuple(self._pairs[each.test])) for each in moved if each.test in self._pairs)

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
            by_function=tuple(sorted(self._joined, key=order_naturally)),
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


class ComparableScores(NamedTuple):
    """The scores of two runs with the same tests; `functions`: the names of those that are compared as a whole."""

    before: Scores
    after: Scores
    functions: tuple[str, ...]


def join_gone_checks(before: Scores, after: Scores) -> ComparableScores:
    """Join the tests of each function that has lost one; the others, and tests that name no function, stay."""
    was, now = _group(before), _group(after)
    gone = tuple(name for name in was if not was[name].keys() <= now.get(name, {}).keys())
    return ComparableScores(_join(before, was, gone), _join(after, now, gone), gone)


def _group(scores: Scores) -> _Functions:
    found: defaultdict[str, dict[str, TestScore]] = defaultdict(dict)
    for key, test in scores.tests.items():
        if test.functions:
            found[name_functions(test)][key] = test
    return found


def name_functions(test: TestScore) -> str:
    """Name the functions that a test judges, as they are called where their tests are compared as one."""
    return f"{test.question}: {', '.join(test.functions)}"


def _join(scores: Scores, functions: _Functions, names: Collection[str]) -> Scores:
    kept = dict(scores.tests)
    for name in names:
        tests = [kept.pop(key) for key in functions.get(name, ())]
        kept |= {name: _join_tests(name, tests)} if tests else {}
    return replace(scores, tests=kept)


def _join_tests(name: str, tests: Sequence[TestScore]) -> TestScore:
    score, most = (_add([getattr(test, field) for test in tests]) for field in ("score", "max_score"))
    return TestScore(
        key=name,
        title="all checks of the function together",
        question=tests[0].question,
        score=score,
        max_score=most,
        verdict=derive_verdict(score, most),
        diagnosis=tuple(dict.fromkeys(each for test in tests for each in test.diagnosis)),
        functions=tests[0].functions,
    )


def _add(values: Sequence[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return round(sum(known), 2) if len(known) == len(values) else None


def _read_words(stored: StoredResult, name: str) -> list[str]:
    """Read the title and the output of a check, or of all checks of a function that are compared as one."""
    own = [test for test in stored.scores.tests.values() if name in (test.key, name_functions(test))]
    text = "\n".join(f"{test.key} {test.title}\n{test.output}" for test in own)
    return clean(text, _CHARACTERS).splitlines()


def _mark(lines: list[str], others: list[str]) -> tuple[Line, ...]:
    return tuple((line, line not in others) for line in lines)
