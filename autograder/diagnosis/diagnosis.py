"""Diagnosis: turns failed tests into the known mistakes whose return values are the same.

Each known mistake of a function is replayed in the tests that the student's function failed and compared part by part.
A mistake that fails a test which the student's function passes is ruled out. If two mistakes explain the same parts
equally well, neither is named: a wrong hint is worse than none.
"""

from __future__ import annotations

import traceback
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from autograder.diagnosis.failed_function import FailedFunction, is_lost
from autograder.diagnosis.replay import preserve_global_state
from autograder.diagnosis.replayed_test import BudgetSpent, Known, ReplayedTests
from autograder.grading.explain import add_line
from autograder.grading.judge import Evidence, PassResult
from autograder.mistakes import Mistake
from autograder.results import CheckResult, Verdict


class Findings(NamedTuple):
    """By the id of a test, the mistakes that explain it, and the faults of ours that left tests without a diagnosis."""

    named: Mapping[str, Sequence[Mistake]]
    faults: Mapping[str, str]


def explain_passes(seen: PassResult, unseen: PassResult, known: Known) -> tuple[CheckResult, ...]:
    """Return the results of both passes with names and hints of known mistakes.

    Those of visible tests rest on visible tests alone.
    """
    tests = ReplayedTests(known)
    visible = _explain(seen.checks, seen.evidence, tests)
    if not unseen.evidence:
        return (*visible, *unseen.checks)
    both = _explain((*seen.checks, *unseen.checks), (*seen.evidence, *unseen.evidence), tests)
    return (*visible, *both[len(visible) :])


def _explain(
    checks: Sequence[CheckResult], evidence: Sequence[Evidence], tests: ReplayedTests
) -> Sequence[CheckResult]:
    silent = {each.test.test_id for each in evidence if each.test.hide_errors is not None}
    return add_hints(checks, find_diagnoses(checks, evidence, tests), silent=silent)


def find_diagnoses(checks: Sequence[CheckResult], evidence: Sequence[Evidence], tests: ReplayedTests) -> Findings:
    """Find the known mistakes that explain failed tests, until the budget of cases is spent.

    A fault of ours changes no verdict; it is kept, for staff, in the results that lack a diagnosis because of it.
    """
    named: dict[str, list[Mistake]] = {}
    faults: dict[str, str] = {}
    groups = {
        (each.test.stem, function, each.test.is_robustness): None
        for each in evidence
        for function in each.test.functions
    }
    for stem, function, is_robustness in groups:
        failed = _select(checks, evidence, tests, stem, function, is_robustness=is_robustness)
        try:
            with preserve_global_state():
                found = failed.find_mistakes()
        except Exception as error:  # noqa: BLE001  (grading goes on; a missing hint costs no points)
            fault = str(error) if isinstance(error, BudgetSpent) else traceback.format_exc(limit=-6)
            faults |= {check.test_id: fault for check in failed.checks if is_lost(check)}
            continue
        for test_id, mistakes in found.items():
            named.setdefault(test_id, []).extend(mistakes)
    return Findings(named, faults)


def _select(
    checks: Sequence[CheckResult],
    evidence: Sequence[Evidence],
    tests: ReplayedTests,
    stem: str,
    function: str,
    *,
    is_robustness: bool,
) -> FailedFunction:
    """Select what is known of a function, by its tests of robustness or by all others."""
    of_function = [check for check in checks if check.stem == stem and function in check.functions]
    ours = [check for check in of_function if check.is_robustness == is_robustness]
    left = [each for each in evidence if each.test.stem == stem and function in each.test.functions]
    failed, others = (
        {each.test.test_id: tests.find(each, function) for each in left if each.test.is_robustness == wanted}
        for wanted in (is_robustness, not is_robustness)
    )
    seen = of_function if is_robustness else ours
    passed = [check.test_id for check in seen if check.verdict is Verdict.PASSED]
    return FailedFunction(stem, function, ours, failed, passed, others if is_robustness else {}, tests)


def add_hints(checks: Sequence[CheckResult], findings: Findings, *, silent: Collection[str]) -> list[CheckResult]:
    """Add the names and hints of the mistakes found to the results; `silent`: the ids of tests whose outputs stay."""
    told = {check.test_id: replace(check, fault=findings.faults.get(check.test_id, check.fault)) for check in checks}
    for test_id, mistakes in findings.named.items():
        for mistake in mistakes:
            told[test_id] = _add_hint(told[test_id], mistake, is_told=test_id not in silent)
    return [told[check.test_id] for check in checks]


def _add_hint(check: CheckResult, mistake: Mistake, *, is_told: bool) -> CheckResult:
    hint = f"  hint:     A known mistake gives the same results. {mistake.hint}"
    output = add_line(check.output, hint) if is_told else check.output
    return replace(check, diagnosis=(*check.diagnosis, mistake.id), output=output)
