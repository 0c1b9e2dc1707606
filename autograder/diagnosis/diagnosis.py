"""Diagnosis: turns failed tests into the known mistakes whose return values are the same.

Each known mistake of a function is replayed in the tests that the student's function failed and compared part by part.
A mistake that fails a test which the student's function passes is ruled out. If two mistakes explain the same parts
equally well, neither is named: a wrong hint is worse than none.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import NamedTuple

from autograder.assignment import PartialCredit
from autograder.diagnosis.case_budget import BudgetSpent
from autograder.diagnosis.caught_rows import CaughtBank
from autograder.diagnosis.failed_function import FailedFunction, is_lost
from autograder.diagnosis.general_kinds import GeneralKind
from autograder.diagnosis.kept_points import add_kept_points
from autograder.diagnosis.match import ReplayedTests
from autograder.diagnosis.replay import preserve_global_state
from autograder.grading.explain import add_line
from autograder.grading.judge import PassResult
from autograder.grading.transcript import Evidence
from autograder.mistakes import Mistake
from autograder.results import CheckResult
from autograder.student import TestCall


class Findings(NamedTuple):
    """By the id of a test, the mistakes that explain it, and the faults of ours that left tests without a diagnosis."""

    named: Mapping[str, Sequence[Mistake]]
    faults: Mapping[str, str]


def add_diagnoses(
    checks: Sequence[CheckResult],
    evidence: Sequence[Evidence],
    references: Mapping[str, ModuleType],
    open_bank: Callable[[], CaughtBank],
    calls: Mapping[str, TestCall] | None = None,
    replayed: ReplayedTests | None = None,
) -> list[CheckResult]:
    """Add the names and the hints of known mistakes to each result that they explain; see `find_diagnoses`.

    A fault of ours here changes no verdict; it is kept, for staff, in the results that lack a diagnosis because of it.
    """
    found = find_diagnoses(checks, evidence, references, open_bank, calls or {}, replayed)
    return add_hints(checks, evidence, found)


def find_diagnoses(
    checks: Sequence[CheckResult],
    evidence: Sequence[Evidence],
    references: Mapping[str, ModuleType],
    open_bank: Callable[[], CaughtBank],
    calls: Mapping[str, TestCall],
    replayed: ReplayedTests | None = None,
) -> Findings:
    """Find the known mistakes that explain failed tests, until the budget of cases is spent.

    `calls`: the bodies of tests by id; without its body, a test that passed rules out every mistake that fails it.
    """
    replayed = replayed or ReplayedTests()
    named: dict[str, list[Mistake]] = {}
    faults: dict[str, str] = {}
    groups = {
        (each.test.stem, function, each.test.is_robustness): None
        for each in evidence
        for function in each.test.functions
    }
    for stem, function, is_robustness in groups:
        failed = _select(checks, evidence, stem, function, is_robustness=is_robustness)
        try:
            with preserve_global_state():
                found = failed.find_mistakes(open_bank(), references, calls, replayed)
        except BudgetSpent as spent:
            faults |= {check.test_id: str(spent) for check in failed.checks if is_lost(check)}
            continue
        except Exception:  # noqa: BLE001  (grading goes on; a missing hint costs no points)
            fault = traceback.format_exc(limit=-6)
            faults |= {check.test_id: fault for check in failed.checks if is_lost(check)}
            continue
        for test_id, mistakes in found.items():
            named.setdefault(test_id, []).extend(mistakes)
    return Findings(named, faults)


def add_hints(checks: Sequence[CheckResult], evidence: Sequence[Evidence], findings: Findings) -> list[CheckResult]:
    """Add the names and hints of the mistakes found to the results."""
    told = {check.test_id: replace(check, fault=findings.faults.get(check.test_id, check.fault)) for check in checks}
    tests = {each.test.test_id: each.test for each in evidence}
    for test_id, mistakes in findings.named.items():
        for mistake in mistakes:
            told[test_id] = _add_hint(told[test_id], mistake, is_told=tests[test_id].hide_errors is None)
    return [told[check.test_id] for check in checks]


def _select(
    checks: Sequence[CheckResult], evidence: Sequence[Evidence], stem: str, function: str, *, is_robustness: bool
) -> FailedFunction:
    """Select what is known of a function, by its tests of robustness or by all others."""
    of_function = [check for check in checks if check.stem == stem and function in check.functions]
    ours = [check for check in of_function if check.is_robustness == is_robustness]
    left = [each for each in evidence if each.test.stem == stem and function in each.test.functions]
    failed = {each.test.test_id: each for each in left if each.test.is_robustness == is_robustness}
    others = {each.test.test_id: each for each in left if is_robustness and not each.test.is_robustness}
    return FailedFunction(stem, function, ours, failed, of_function if is_robustness else ours, others)


def _add_hint(check: CheckResult, mistake: Mistake, *, is_told: bool) -> CheckResult:
    fact = mistake.fact if isinstance(mistake, GeneralKind) else "A known mistake gives the same results."
    hint = f"  hint:     {fact} {mistake.hint}"
    output = add_line(check.output, hint) if is_told else check.output
    return replace(check, diagnosis=(*check.diagnosis, mistake.id), output=output)


@dataclass(frozen=True)
class Known:
    """The grader's side of an explanation.

    `references`: the right solutions by question id. `calls`: the bodies of the tests by id. `credit`: None if no test
    keeps points.
    """

    references: Mapping[str, ModuleType]
    open_bank: Callable[[], CaughtBank]
    calls: Mapping[str, TestCall]
    credit: PartialCredit | None


def explain_passes(seen: PassResult, unseen: PassResult, known: Known) -> tuple[CheckResult, ...]:
    """Return the results of both passes with names and hints of known mistakes, and the points that they keep."""
    replayed = ReplayedTests()
    visible = _explain(seen.checks, seen.evidence, known, (), replayed)
    both, evidence = (*seen.checks, *unseen.checks), (*seen.evidence, *unseen.evidence)
    return tuple(_explain(both, evidence, known, visible, replayed) if unseen.evidence else (*visible, *unseen.checks))


def _explain(
    checks: Sequence[CheckResult],
    evidence: Sequence[Evidence],
    known: Known,
    settled: Sequence[CheckResult],
    replayed: ReplayedTests,
) -> Sequence[CheckResult]:
    """Explain results, of which those that are `settled` stay as they are."""
    if not evidence:
        return checks
    explained = add_diagnoses(checks, evidence, known.references, known.open_bank, known.calls, replayed)
    if known.credit is None:
        return (*settled, *explained[len(settled) :])
    silent = {each.test.test_id for each in evidence if each.test.hide_errors is not None}
    final = {check.test_id: check for check in settled}
    return add_kept_points(explained, known.open_bank, known.credit, silent=silent, settled=final)
