"""Hard checks: finds the checks that fewest submissions pass, with the commonest mistake and anonymous examples.

The examples are outputs of failed checks without the names of their submissions, so that they can be shown to a class;
a student's own text in them is cut and escaped like all of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from autograder.plain_text import clean
from autograder.regression.scores import read_diagnosis
from autograder.regression.store import Load
from autograder.regression.summary import Item, Summary
from autograder.results import Verdict

SHOWN = 10
_OF_A_QUESTION = 5
_EXAMPLES = 3
_EXAMPLE_CHARACTERS = 700
_FAILED = (Verdict.FAILED.value, Verdict.PARTIAL.value)


@dataclass(frozen=True)
class HardCheck:
    """One check. `mistake`: the known mistake that most of the `failed` submissions make, `made_by` so many, or ""."""

    item: Item
    failed: int
    mistake: str
    made_by: int
    examples: tuple[str, ...]


@dataclass
class _Seen:
    """What was seen of one check: the failures, its mistakes, and a few outputs of each mistake ("": none known)."""

    failed: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)
    outputs: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def collect_hard_checks(run: Summary, load: Load) -> tuple[HardCheck, ...]:
    """Collect the hardest checks of each question, the hardest first; the results are read one after another."""
    items = list(_choose_items(run.tests))
    seen = {item.test: _Seen() for item in items}
    for row in run.students:
        stored = load(row.name) if row.state == "graded" else None
        for test in stored.tests if stored is not None else ():
            extra = test.get("extra_data") or {}
            key = str(test.get("number") or test.get("name"))
            if key in seen and extra.get("verdict") in _FAILED:
                _note(seen[key], read_diagnosis(extra), str(test.get("output") or ""))
    return tuple(_build_check(item, seen[item.test]) for item in items)


def _choose_items(items: Sequence[Item]) -> Iterator[Item]:
    """Choose some of each question, hardest first over all."""
    hard = [item for item in items if item.passed is not None and item.passed < 1]
    hard.sort(key=lambda item: item.question)
    chosen = []
    for _, group in groupby(hard, key=lambda item: item.question):
        chosen += sorted(group, key=_rank)[:_OF_A_QUESTION]
    yield from sorted(chosen, key=_rank)


def _rank(item: Item) -> tuple[float, str]:
    return (item.passed if item.passed is not None else 1.0, item.test)


def _note(seen: _Seen, mistakes: Sequence[str], output: str) -> None:
    seen.failed += 1
    seen.mistakes.update(mistakes)
    kept = seen.outputs[mistakes[0] if mistakes else ""]
    text = clean(output, _EXAMPLE_CHARACTERS)
    if len(kept) < _EXAMPLES and text not in kept:
        kept.append(text)


def _build_check(item: Item, seen: _Seen) -> HardCheck:
    mistake, made_by = min(seen.mistakes.items(), key=lambda each: (-each[1], each[0]), default=("", 0))
    order = sorted(seen.outputs, key=lambda name: (name != mistake, -seen.mistakes[name], name))
    examples = list(dict.fromkeys(text for name in order for text in seen.outputs[name]))
    return HardCheck(item, seen.failed, mistake, made_by, tuple(examples[:_EXAMPLES]))
