"""Reports: builds invented records for tests of the emitters; keyword arguments replace fields."""

from __future__ import annotations

from typing import Any

from autograder.results import CheckResult, GraderIdentity, LayerStatus, QuestionStatus, Report, Verdict, Visibility

GRADER = GraderIdentity(version="1.2.3", content_hash="0f" * 32, seed=7, python="3.11.7", numpy="2.2.6")
LAYERS = (LayerStatus(name="own user", is_active=True), LayerStatus(name="moat", is_active=False, reason="no water"))


def check(**changes: Any) -> CheckResult:
    """Build a visible check that passed with 2 of 2 points."""
    fields: dict[str, Any] = {
        "test_id": "test_algebra.py::test_sum",
        "stem": "algebra",
        "functions": ("add",),
        "title": "add: two numbers",
        "number": "1.1",
        "points": 2.0,
        "score": 2.0,
        "verdict": Verdict.PASSED,
        "outcome": "returned",
        "visibility": Visibility.VISIBLE,
        "output": "Passed.",
    }
    return CheckResult(**{**fields, **changes})


def failed(output: str = "FAIL add(1, 2)", **changes: Any) -> CheckResult:
    """Build a check that failed, without points."""
    return check(**{"score": 0.0, "verdict": Verdict.FAILED, "output": output, **changes})


def undecided(**changes: Any) -> CheckResult:
    """Build a check that the grader could not judge."""
    fault = "NameError: the grader's own mistake"
    ours = {
        "score": None,
        "verdict": Verdict.UNDECIDED,
        "outcome": "sandbox_failed",
        "output": "Not judged.",
        "fault": fault,
    }
    return check(**{**ours, **changes})


def question(**changes: Any) -> QuestionStatus:
    """Build a question whose file was found."""
    fields = {"stem": "algebra", "title": "Algebra", "points": 2.0, "file": "hw/algebra.py"}
    return QuestionStatus(**{**fields, **changes})


def report(*checks: CheckResult, **changes: Any) -> Report:
    """Build a report of these checks, all of one question."""
    fields = {
        "checks": checks,
        "questions": (question(),),
        "notes": (),
        "grader": GRADER,
        "layers": LAYERS,
        "seconds": 1.239,
    }
    return Report(**{**fields, **changes})
