"""Changed words: finds what a check said in an earlier run and says now, where the same files got other points.

A few pairs of words are kept of each check; the results are read one after another, and no more of them than needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autograder.plain_text import clean
from autograder.regression.comparison import name_functions
from autograder.regression.store import Load, StoredResult
from autograder.regression.summary import Cause, Comparison, Move, TestMoves

_PAIRS = 3
_CHARACTERS = 1_500  # of each side
_SAME_FILES = (Cause.GRADER, Cause.NOTHING)

Line = tuple[str, bool]  # its text, and whether the other side lacks it


@dataclass(frozen=True)
class WordsPair:
    """The lines of a check on one submission, in the earlier run and now."""

    name: str
    move: Move
    before: tuple[Line, ...]
    after: tuple[Line, ...]


@dataclass(frozen=True)
class ChangedWords:
    """One check, and up to three different pairs of its words."""

    moves: TestMoves
    pairs: tuple[WordsPair, ...]


def collect_changed_words(found: Comparison, load_before: Load, load: Load) -> tuple[ChangedWords, ...]:
    """Collect the words of the checks that moved; the two functions load a submission's result of each run."""
    seen: dict[str, list[WordsPair]] = {each.test: [] for each in found.tests}
    for difference in (*found.unstable, *found.differences):
        wanted = [move for move in difference.moves if len(seen[move.test]) < _PAIRS]
        if not wanted or difference.cause not in _SAME_FILES:
            continue
        before, after = load_before(difference.name), load(difference.name)
        if before is None or after is None:
            continue
        for move in wanted:
            pair = _build_pair(difference.name, move, _read_words(before, move.test), _read_words(after, move.test))
            if (pair.before, pair.after) not in [(other.before, other.after) for other in seen[move.test]]:
                seen[move.test].append(pair)
    return tuple(ChangedWords(each, tuple(seen[each.test])) for each in found.tests if seen[each.test])


def _read_words(stored: StoredResult, name: str) -> list[str]:
    """Read the title and the output of a check, or of all checks of a function that are compared as one."""
    outputs = {str(test.get("number") or test.get("name")): str(test.get("output") or "") for test in stored.tests}
    own = [test for test in stored.scores.tests.values() if name in (test.key, name_functions(test))]
    text = "\n".join(f"{test.key} {test.title}\n{outputs.get(test.key, '')}" for test in own)
    return clean(text, _CHARACTERS).splitlines()


def _build_pair(name: str, move: Move, before: list[str], after: list[str]) -> WordsPair:
    return WordsPair(name, move, tuple(_mark(before, after)), tuple(_mark(after, before)))


def _mark(lines: list[str], others: list[str]) -> Iterator[Line]:
    for line in lines:
        yield line, line not in others
