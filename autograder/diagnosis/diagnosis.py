"""Diagnosis: turns failed tests into the known mistakes whose replies are the same.

The cells that are wrong in the student's replies are compared with those of each known mistake; no mistake runs. If two
explain the same cells equally well, neither is named: a wrong hint is worse than none.
"""

from __future__ import annotations

import traceback
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from autograder.diagnosis.cell_sets import Compared, Wrong, choose, compare, write_account
from autograder.diagnosis.cells import (
    Cell,
    WrongCell,
    drop_accepted,
    find_check,
    find_wrong,
    is_partly_right,
    name_replies,
    read_replies,
)
from autograder.diagnosis.known_replies import FAILS, KnownReplies, KnownRow
from autograder.grading.explain import add_line
from autograder.grading.judge import Evidence, PassResult
from autograder.mistakes import Mistake
from autograder.results import CheckResult, Verdict

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

    def _find_known(self, name: str) -> Wrong | None:
        """Find the wrong cells of a mistake of which the student's function was asked, too."""
        found = {}
        for test_id, row in self._rows.items():
            if row.right is None:
                continue
            mistake, lost = row.mistakes[name], self._lost.get(test_id)
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
