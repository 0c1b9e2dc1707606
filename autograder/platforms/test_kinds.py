"""Test kinds: tells the tests of results that judge code from those that only show something."""

from __future__ import annotations

from autograder.gradescope.schema import GradedTest


def is_text(test: GradedTest) -> bool:
    """Whether the test only shows a text for a person to grade, which is no part of the score."""
    return "text" in (test.extra_data or {})


def is_advice(test: GradedTest) -> bool:
    """Whether the test has no points, and only advises."""
    return (test.extra_data or {}).get("advice") is True
