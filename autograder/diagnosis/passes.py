"""Passes: explains the results of the visible and of the hidden pass over a submission.

Information flows one way: the visible results are explained by the visible pass alone, the others by both passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from autograder.assignment import PartialCredit
from autograder.diagnosis.diagnosis import add_diagnoses
from autograder.diagnosis.failed_function import Bank
from autograder.diagnosis.kept_points import add_kept_points
from autograder.grading.evidence import Evidence
from autograder.grading.visibility_pass import PassResult
from autograder.results import CheckResult
from autograder.student import TestCall


@dataclass(frozen=True)
class Known:
    """The grader's side of an explanation.

    `references`: the right solutions by question id. `calls`: the bodies of the tests by id. `credit`: None if no test
    keeps points.
    """

    references: Mapping[str, ModuleType]
    open_bank: Callable[[], Bank]
    calls: Mapping[str, TestCall]
    credit: PartialCredit | None


def explain_passes(seen: PassResult, unseen: PassResult, known: Known) -> tuple[CheckResult, ...]:
    """Return the results of both passes with names and hints of known mistakes, and the points that they keep."""
    visible = _explain(seen.checks, seen.evidence, known, ())
    both, evidence = (*seen.checks, *unseen.checks), (*seen.evidence, *unseen.evidence)
    return tuple(_explain(both, evidence, known, visible) if unseen.evidence else (*visible, *unseen.checks))


def _explain(
    checks: Sequence[CheckResult], evidence: Sequence[Evidence], known: Known, settled: Sequence[CheckResult]
) -> Sequence[CheckResult]:
    """Explain results, of which those that are `settled` stay as they are."""
    if not evidence:
        return checks
    explained = add_diagnoses(checks, evidence, known.references, known.open_bank, known.calls)
    if known.credit is None:
        return (*settled, *explained[len(settled) :])
    silent = {each.test.test_id for each in evidence if each.test.hide_errors is not None}
    final = {check.test_id: check for check in settled}
    return add_kept_points(explained, known.open_bank, known.credit, silent=silent, settled=final)
