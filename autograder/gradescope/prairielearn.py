"""PrairieLearn: turns results into the results.json of a PrairieLearn external grader.

Source: "External grading", section "Grading results", of PrairieLearn's documentation. PrairieLearn has no due date for
single tests: it shows the whole file at once. So the tests that students do not see yet count for the score, and are
left out of the list.
"""

from __future__ import annotations

from typing import Any

from autograder.gradescope.schema import GradedTest, Results, encode_fields
from autograder.results import Visibility

_PASSED, _NOT_PASSED = "passed", "not passed"


def emit(results: Results) -> bytes:
    """Serialize to the file's content, in ASCII; a submission that was not judged in full is not gradable."""
    return encode_fields(_build_fields(results))


def _build_fields(results: Results) -> dict[str, Any]:
    tests = [test for test in results.tests or () if not _is_text(test)]
    points = sum(test.max_score or 0.0 for test in tests)
    state = (results.extra_data or {}).get("state")
    if state != "graded" or not points or any(test.score is None and not _is_advice(test) for test in tests):
        return {"gradable": False, "format_errors": [results.output or "There is no result yet."]}
    shown = [test for test in tests if test.visibility is Visibility.VISIBLE]
    return {
        "gradable": True,
        "score": min(1.0, max(0.0, (results.score or 0.0) / points)),
        "output": results.output or "",
        "tests": [_build_test(test) for test in shown],
    }


def _build_test(test: GradedTest) -> dict[str, Any]:
    score, most = test.score or 0.0, test.max_score or 0.0
    return {
        "name": " ".join(part for part in (test.number, test.name) if part),
        "points": score,
        "max_points": most,
        "message": _PASSED if score >= most else _NOT_PASSED,
        "output": test.output or "",
    }


def _is_text(test: GradedTest) -> bool:
    """Whether the test only shows a text for a person to grade, which is no part of the score."""
    return "text" in (test.extra_data or {})


def _is_advice(test: GradedTest) -> bool:
    return (test.extra_data or {}).get("advice") is True
