"""Result page: turns a results.json into a page like the one that Gradescope shows a student before the due date.

It follows the documented rules: a test that is not visible is left out and hides the total. A test that passed is
folded to its name.
"""

from __future__ import annotations

from pathlib import Path

from autograder.gradescope.schema import GradedTest, Results, Status
from autograder.results import Visibility
from autograder.templates import open_template

_TEMPLATE = Path(__file__).with_name("result_page.html.jinja")
_NO_TOTAL = "-"


def render_result_page(results: Results) -> str:
    """Return the page as HTML."""
    tests = results.tests or ()
    shown = [test for test in tests if test.visibility in (None, Visibility.VISIBLE)]
    most = sum(test.max_score or 0.0 for test in tests)
    total = f"{results.score or 0.0:g} / {most:g}" if len(shown) == len(tests) else _NO_TOTAL
    return open_template(_TEMPLATE).render(
        results=results, shown=shown, total=total, mark=_mark, name=_name, points=_describe_points
    )


def _mark(test: GradedTest) -> str:
    is_failed = test.status is Status.FAILED or (test.score or 0.0) < (test.max_score or 0.0)
    return (Status.FAILED if is_failed else Status.PASSED).value


def _name(test: GradedTest) -> str:
    return f"{test.number}) {test.name}" if test.number else test.name


def _describe_points(test: GradedTest) -> str:
    return "" if test.max_score is None else f" ({test.score or 0.0:g}/{test.max_score:g})"
