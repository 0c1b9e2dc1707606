"""Reports: builds invented records for tests of the emitters; keyword arguments replace fields."""

from dataclasses import replace
from typing import Any

from autograder.results import CheckResult, GraderIdentity, QuestionStatus, Report, Verdict, Visibility
from autograder.sandbox.protocol.layers import LayerReport

GRADER = GraderIdentity(version="1.2.3", content_hash="0f" * 32, seed=7, python="3.11.7", numpy="2.2.6")
LAYERS = (LayerReport(name="own user", is_active=True), LayerReport(name="moat", is_active=False, reason="no water"))


_CHECK = CheckResult(
    test_id="test_algebra.py::test_sum",
    question_id="algebra",
    functions=("add",),
    title="add: two numbers",
    number="1.1",
    points=2.0,
    score=2.0,
    verdict=Verdict.PASSED,
    outcome="returned",
    visibility=Visibility.VISIBLE,
    output="Passed.",
)
_QUESTION = QuestionStatus(question_id="algebra", title="Algebra", points=2.0, file="hw/algebra.py")
_REPORT = Report(
    checks=(), questions=(_QUESTION,), notes=(), grader=GRADER, layers=LAYERS, seconds=9.9, visible_seconds=1.239
)


def check(**changes: Any) -> CheckResult:
    """Build a visible check that passed with 2 of 2 points."""
    return replace(_CHECK, **changes)


def failed(output: str = "FAIL add(1, 2)", **changes: Any) -> CheckResult:
    """Build a check that failed, without points."""
    return check(**{"score": 0.0, "verdict": Verdict.FAILED, "output": output, **changes})


def undecided(**changes: Any) -> CheckResult:
    """Build a check that the grader could not judge."""
    ours = {"score": None, "verdict": Verdict.UNDECIDED, "outcome": "sandbox_failed", "output": "Not judged."}
    return check(**{**ours, "fault": "NameError: the grader's own mistake", **changes})


def question(**changes: Any) -> QuestionStatus:
    """Build a question whose file was found."""
    return replace(_QUESTION, **changes)


def report(*checks: CheckResult, **changes: Any) -> Report:
    """Build a report of these checks, all of one question."""
    return replace(_REPORT, checks=checks, **changes)
