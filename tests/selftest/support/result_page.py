"""Result page: turns a results.json into a page like the one that Gradescope shows a student at a moment.

It follows the documented rules: a test that is not visible then is left out and hides the total. A test that passed is
folded to its name, unless it gives no points.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from autograder.gradescope.schema import GradedTest, Results, Status
from autograder.results import Visibility
from autograder.templates import open_template

_TEMPLATE = Path(__file__).with_name("result_page.html.jinja")
_NO_TOTAL = "-"


class Moment(Enum):
    """A moment of an assignment; from each one on, more tests are shown."""

    BEFORE_DUE = "before the due date"
    AFTER_DUE = "after the late due date"
    PUBLISHED = "after the grades are published"


_SHOWN_FROM = {
    None: Moment.BEFORE_DUE,
    Visibility.VISIBLE: Moment.BEFORE_DUE,
    Visibility.AFTER_DUE_DATE: Moment.AFTER_DUE,
    Visibility.AFTER_PUBLISHED: Moment.PUBLISHED,
}


def list_shown(results: Results, moment: Moment) -> list[GradedTest]:
    """List the tests that a student sees at that moment."""
    shown = list(Moment)[: list(Moment).index(moment) + 1]
    return [test for test in results.tests or () if _SHOWN_FROM.get(test.visibility) in shown]


def describe_total(results: Results, moment: Moment) -> str:
    """Describe the total that a student sees at that moment: a dash as long as a test is hidden."""
    tests = results.tests or ()
    most = sum(test.max_score or 0.0 for test in tests)
    return f"{results.score or 0.0:g} / {most:g}" if len(list_shown(results, moment)) == len(tests) else _NO_TOTAL


def render_result_page(results: Results, moment: Moment = Moment.BEFORE_DUE) -> str:
    """Return the page as HTML."""
    shown, total = list_shown(results, moment), describe_total(results, moment)
    told = {"shown": shown, "total": total, "moment": moment.value, "output": results.output}
    return open_template(_TEMPLATE).render(told, mark=_mark, name=_name, points=_describe_points)


def _mark(test: GradedTest) -> str:
    is_failed = test.status is Status.FAILED or (test.score or 0.0) < (test.max_score or 0.0)
    return (Status.FAILED if is_failed else Status.PASSED).value


def _name(test: GradedTest) -> str:
    return f"{test.number}) {test.name}" if test.number else test.name


def _describe_points(test: GradedTest) -> str:
    return "" if test.max_score is None else f" ({test.score or 0.0:g}/{test.max_score:g})"
