"""Points are monotone: more right cases of a function never give fewer points; a planted exception is found."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.assignment import Severity
from tests.monotone.__main__ import check_functions, render_prices
from tests.monotone.observed_rows import ObservedVersion, find_exceptions
from tests.selftest.matrix.test_matrix import catch, question
from tests.selftest.support.grading import ASSIGNMENT

pytestmark = [pytest.mark.content, pytest.mark.once]


def version(name: str, points: float, *facts: float) -> ObservedVersion:
    """Make a version of a function."""
    return ObservedVersion(name, np.array(facts), points)


def test_a_version_that_has_all_and_fewer_points_is_an_exception() -> None:
    versions = [version("a", 1.0, 1, 0, 0.5), version("b", 0.75, 1, 1, 0.5), version("c", 0.5, 0, 0, 1)]
    assert find_exceptions(versions) == [("b", "a")]
    assert find_exceptions([versions[0], versions[2], version("equal", 1.0, 1, 0, 0.5)]) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "stem",
    [
        "normalization",
        pytest.param("sgd", marks=pytest.mark.ci),
        pytest.param("adam", marks=pytest.mark.ci),
        pytest.param("dropout", marks=pytest.mark.ci),
    ],
)
def test_no_pair_of_a_question_is_an_exception(stem: str) -> None:
    reports = list(check_functions(ASSIGNMENT, [stem], 40))
    assert [(report.name, report.exceptions) for report in reports if report.exceptions] == []
    assert all(report.versions > 40 // len(reports) for report in reports)


def test_mistakes_beyond_the_bound_of_their_severity_are_named() -> None:
    mistakes = [
        catch("half", named="odd", caught="odd", price=0.5),
        catch("costly", named="odd", caught="odd", price=0.75, reason="It is an error."),
        catch("stub", named="odd", caught="odd", price=0.7, severity=Severity.FUNDAMENTAL),
    ]
    assert list(render_prices([question(*mistakes)])) == [
        "slip: 2 mistakes, median 62%, should be at most 50%",
        "  sums.costly 75%: It is an error.",
        "fundamental: 1 mistake, median 70%, should be at least 80%",
        "  sums.stub 70%: no reason in tests/mistakes/prices.toml",
    ]
