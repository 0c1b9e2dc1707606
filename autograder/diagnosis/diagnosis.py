"""Diagnosis: turns failed tests into the known mistakes whose replies are the same.

The cells that are wrong in the student's replies are compared with those of each known mistake; no mistake runs. If two
explain the same cells equally well, neither is named: a wrong hint is worse than none.

A mistake is possible if some of its wrong cells are the student's, and none speaks against it: wrong in the mistake,
and not so in the student's code. It is named if it misses nothing that is wrong and no other explains as much. One that
misses something is named if what it explains is whole parts, with a value that is unlikely by chance. A value that is
not finite, or an error, speaks against no mistake: students guard such cases, or fail there in another way.
"""

from __future__ import annotations

import traceback
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from autograder.diagnosis.known_replies import FAILS, KnownReplies, KnownRow
from autograder.diagnosis.replies import (
    Cell,
    WrongCell,
    drop_accepted,
    find_check,
    find_wrong,
    is_corner,
    is_partly_right,
    is_same_reply,
    name_replies,
    read_replies,
)
from autograder.grading.explain import add_line
from autograder.grading.judge import Evidence, PassResult
from autograder.mistakes import Mistake
from autograder.plain_text import count
from autograder.results import CheckResult, Verdict

Wrong = Mapping[Cell, WrongCell]
"""Wrong cells of several tests: the id of the test comes first."""

_RIGHT = WrongCell(0.0, False)  # stands for what is not wrong: a right value is finite
_LOST = (Verdict.FAILED, Verdict.PARTIAL)
_UNKNOWN: Cell = ("", "unknown")  # is wrong in a test whose replies are not known
_WRONG = WrongCell(True, False)


def explain_passes(seen: PassResult, unseen: PassResult, known: KnownReplies) -> tuple[CheckResult, ...]:
    """Return the results of both passes with names and hints of known mistakes.

    Those of visible tests rest on visible tests alone.
    """
    visible = explain_checks(seen.checks, seen.evidence, known)
    if not unseen.evidence:
        return (*visible, *unseen.checks)
    evidence = (*seen.evidence, *unseen.evidence)
    checks = (*seen.checks, *unseen.checks)
    both = explain_checks(checks, evidence, known)
    return (*visible, *both[len(visible) :])


def explain_checks(
    checks: Sequence[CheckResult], evidence: Sequence[Evidence], known: KnownReplies
) -> Sequence[CheckResult]:
    """Return results with the known mistakes that explain failed tests, resting on these tests alone.

    A fault of ours changes no verdict; it is kept, for staff, in the results that lack a diagnosis because of it.
    """
    told = {check.test_id: check for check in checks}
    by_id = {each.test.test_id: each for each in evidence}
    functions: dict[tuple[str, str], None] = {}
    for each in evidence:
        for name in each.test.functions:
            functions[each.test.question_id, name] = None
    for question_id, function in functions:
        ours = [check for check in checks if check.question_id == question_id and function in check.functions]
        failed = FailedFunction(question_id, function, ours, by_id, known)
        for check in filter(is_lost, ours):
            test_id = check.test_id
            told[test_id] = _explain(failed, told[test_id])
    return list(told.values())


def _explain(failed: FailedFunction, check: CheckResult) -> CheckResult:
    try:
        return failed.explain(check)
    except Exception:  # noqa: BLE001  (grading goes on; a missing hint costs no points)
        return replace(check, fault=traceback.format_exc(limit=-6))


@dataclass(frozen=True)
class LostRow:
    """The wrong cells of a test that lost points. `asked`: the name and place of each reply."""

    wrong: Wrong
    asked: Collection[Cell]
    is_partly_right: bool


@dataclass(frozen=True)
class FailedFunction:
    """A function that lost points, and the results of its tests; `evidence`: by the ids of tests that lost points."""

    question_id: str
    function: str
    checks: Sequence[CheckResult]
    evidence: Mapping[str, Evidence]
    known: KnownReplies

    def explain(self, check: CheckResult) -> CheckResult:
        """Return a result with the mistakes that explain it, and their hints where the test shows its errors."""
        test_id = check.test_id
        named = [each for each in self._chosen if self._explains(each, test_id)]
        names = [each.id for each in named]
        evidence = self.evidence.get(test_id)
        is_told = evidence is not None and evidence.test.hide_errors is None
        output = check.output
        for mistake in named if is_told else ():
            is_missed = any(cell[0] == test_id for cell in self._compared[mistake.id].missed)
            results = "some of these results" if is_missed else "the same results"
            output = add_line(output, f"  hint:     A known mistake gives {results}. {mistake.hint}")
        diagnosis = (*check.diagnosis, *names)
        grounds = (*check.grounds, *write_account(self._compared, names))
        return replace(check, output=output, diagnosis=diagnosis, grounds=grounds)

    def _explains(self, mistake: Mistake, test_id: str) -> bool:
        if test_id not in self._rows:
            return False
        known = self._rows[test_id].mistakes[mistake.id]
        same = self._compared[mistake.id].same
        is_same = any(cell[0] == test_id for cell in same)
        return is_same and known is not None and known.fails

    @cached_property
    def _rows(self) -> Mapping[str, KnownRow]:
        """What is known of the tests that count: those passed, and those that lost points and were run."""
        ids = []
        for check in self.checks:
            if check.verdict is Verdict.PASSED or (is_lost(check) and check.was_run):
                ids.append(check.test_id)
        self.known.make(ids)
        return {test_id: self.known.find(test_id) for test_id in ids}

    @cached_property
    def _lost(self) -> Mapping[str, LostRow]:
        lost = {}
        for check in filter(is_lost, self.checks):
            test_id = check.test_id
            if test_id in self._rows:
                lost[test_id] = self._read(test_id)
        return lost

    def _read(self, test_id: str) -> LostRow:
        """Read what is wrong in a test that lost points."""
        evidence = self.evidence.get(test_id)
        right = self._rows[test_id].right
        if evidence is None or evidence.replies is None or right is None:
            return LostRow({_UNKNOWN: _WRONG}, (), is_partly_right=False)
        check = find_check(evidence.call)
        if check is None:
            names = [each.name for each in right]
            replied = name_replies(names, evidence.replies, evidence.observations)
        else:
            reader = self.known.bank.make_reader(self.question_id, self.function)
            replied = read_replies(check, evidence.replies, reader)
        wrong = find_wrong(right, replied)
        if check is not None:
            wrong = drop_accepted(check, evidence.replies, wrong)
        asked = {(each.name, each.place) for each in replied}
        if not wrong:
            wrong[FAILS] = _WRONG
            asked.add(FAILS)
        return LostRow(wrong, asked, is_partly_right(right, replied, wrong))

    @cached_property
    def _mistakes(self) -> Sequence[Mistake]:
        return self.known.list_mistakes(self.question_id, [self.function])

    @cached_property
    def _compared(self) -> Mapping[str, Compared]:
        """The mistakes that gave replies, next to the student's function."""
        theirs = {}
        for test_id, row in self._lost.items():
            for cell, wrong in row.wrong.items():
                theirs[(test_id, *cell)] = wrong
        compared = {}
        for mistake in self._mistakes:
            known = self._find_known(mistake.id)
            if known is not None:
                compared[mistake.id] = compare(theirs, known)
        return compared

    def _find_known(self, mistake_id: str) -> Wrong | None:
        """Find the wrong cells of a mistake of which the student's function was asked, too; None: unknown."""
        found = {}
        for test_id, row in self._rows.items():
            if row.right is None:
                continue
            mistake, lost = row.mistakes[mistake_id], self._lost.get(test_id)
            if mistake is None:
                return None
            if lost is None and not mistake.fails:
                continue
            for cell, wrong in mistake.wrong.items():
                if lost is None or cell[:2] in lost.asked:
                    found[(test_id, *cell)] = wrong
        return found

    @cached_property
    def _chosen(self) -> Sequence[Mistake]:
        lost = self._lost.values()
        has_passed = len(self._rows) > len(lost)
        is_written = has_passed or any(each.is_partly_right for each in lost)
        chosen = choose(self._compared, is_written=is_written)
        return [each for each in self._mistakes if each.id in chosen]


def is_lost(check: CheckResult) -> bool:
    """Whether the function lost points in the test."""
    return check.verdict in _LOST


class Compared(NamedTuple):
    """The wrong cells of a mistake next to those of a student's function, by cell.

    `same`: wrong in both, and equal. `against`: wrong in the mistake, and not so in the student's. `excused`: the same
    where a value is not finite or an error. `missed`: wrong in the student's alone.
    """

    same: Set[Cell]
    against: Set[Cell]
    excused: Set[Cell]
    missed: Set[Cell]
    theirs: Wrong

    @property
    def is_possible(self) -> bool:
        """Whether the student may make the mistake."""
        return bool(self.same) and not self.against

    @property
    def is_complete(self) -> bool:
        """Whether it explains all that is wrong."""
        return not self.missed and not self.excused

    @property
    def is_telling(self) -> bool:
        """Whether a value that it explains is unlikely by chance or as a placeholder."""
        return any(self.theirs[cell].is_telling for cell in self.same)

    @property
    def has_whole_parts(self) -> bool:
        """Whether it explains all finite values that are wrong in the parts of which it explains any."""
        parts = set(map(_get_part, self.same))
        for cell in self.missed:
            is_guarded = is_corner(self.theirs[cell].value, _RIGHT.value)
            if _get_part(cell) in parts and not is_guarded:
                return False
        return True

    def is_better(self, other: Compared) -> bool:
        """Whether it may be named together with another one: both explain other cells, or it explains more."""
        if self.same == other.same:
            return len(self.excused) < len(other.excused)
        is_more = self.same > other.same
        return is_more or self.same.isdisjoint(other.same)


def _get_part(cell: Cell) -> Cell:
    """Return which item of a reply a cell is, in all replies."""
    _, name, _, *way = cell
    return (name, *way)


def compare(theirs: Wrong, known: Wrong) -> Compared:
    """Compare the wrong cells of a student's function and of a mistake, of which both were asked."""
    same: set[Cell] = set()
    against: set[Cell] = set()
    excused: set[Cell] = set()
    for cell, wrong in known.items():
        found = theirs.get(cell, _RIGHT)
        if cell in theirs and is_same_reply(found.value, wrong.value):
            same.add(cell)
        elif is_corner(found.value, wrong.value):
            excused.add(cell)
        else:
            against.add(cell)
    missed = theirs.keys() - known.keys()
    return Compared(same, against, excused, missed, theirs)


def choose(compared: Mapping[str, Compared], *, is_written: bool) -> Sequence[str]:
    """Choose the mistakes to name, by their ids; `is_written`: the function does more than return placeholders."""
    complete, partial = [], {}
    for name, each in compared.items():
        if not each.is_possible:
            continue
        if each.is_complete and (is_written or each.is_telling):
            complete.append(name)
        if each.is_telling and each.has_whole_parts:
            partial[name] = each
    if len(complete) > 1:
        return []  # a wrong hint is worse than none
    if complete:
        return complete
    chosen = []
    for name, each in partial.items():
        others = [other for other in partial.values() if other is not each]
        if all(map(each.is_better, others)):
            chosen.append(name)
    return chosen


def write_account(compared: Mapping[str, Compared], named: Sequence[str]) -> Iterator[str]:
    """Write a line for each mistake that is named, and one for the nearest other one."""
    for name in named:
        each = compared[name]
        total = count(len(each.theirs), "wrong value")
        elsewhere = "differs elsewhere only in errors and numbers that are not finite"
        rest = elsewhere if each.excused else "no other wrong value"
        yield f"{name} gives {len(each.same)} of {total}, and {rest}"
    others = {name: each for name, each in compared.items() if name not in named and each.same}
    if others:
        nearest = min(others, key=lambda name: (len(others[name].against), -len(others[name].same)))
        yield f"not {nearest}: {_explain_other(others[nearest])}"


def _explain_other(other: Compared) -> str:
    same = f"{count(len(other.same), 'value')} the same"
    if other.against:
        return f"{same}, but it has another wrong value in {_list_cells(other.against)}"
    unexplained = other.missed | other.excused
    if unexplained:
        return f"{same}, but it does not explain {_list_cells(unexplained)}"
    return f"{same}, and another mistake gives them too"


def _list_cells(cells: Collection[Cell]) -> str:
    """Name the first cell and say how many more there are."""
    test_id, _, place, *way = min(cells, key=repr)
    _, _, row = test_id.partition("::")
    number = place[0] if isinstance(place, tuple) else place
    shown = f"{row}, program {number + 1}" if isinstance(number, int) else row
    if way:
        shown += f", item {way[-1] + 1 if isinstance(way[-1], int) else way[-1]}"
    more = len(cells) - 1
    return f"{shown}, and {more} more" if more else shown
