"""Result page: turns a results.json into a page like the one that Gradescope shows a student at a moment, or the staff.

It follows the documented rules: a test that is not visible then is left out and hides the total. A test that passed is
folded to its name, unless it gives no points. Every text is escaped by the template engine; a content security policy
allows only the page's own style, by its hash.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from autograder.gradescope.schema import GradedTest, Results, Status
from autograder.results import Visibility
from autograder.templates import open_template, read_inline

_HERE = Path(__file__).parent
_NO_TOTAL = "-"


class Moment(Enum):
    """To whom a result is shown, and when; from each one on, more tests are shown."""

    BEFORE_DUE = "to its student before the due date"
    AFTER_DUE = "to its student after the late due date"
    PUBLISHED = "to its student after the grades are published"
    STAFF = "to the course staff"


_SHOWN_FROM = {
    None: Moment.BEFORE_DUE,
    Visibility.VISIBLE: Moment.BEFORE_DUE,
    Visibility.AFTER_DUE_DATE: Moment.AFTER_DUE,
    Visibility.AFTER_PUBLISHED: Moment.PUBLISHED,
    Visibility.HIDDEN: Moment.STAFF,
}

_HIDDEN = {  # told to the staff
    Visibility.AFTER_DUE_DATE: ", hidden until the due date",
    Visibility.AFTER_PUBLISHED: ", hidden until the grades are published",
    Visibility.HIDDEN: ", hidden from students",
}


def list_shown(results: Results, moment: Moment) -> list[GradedTest]:
    """List the tests that are shown at that moment."""
    moments = list(Moment)
    shown = moments[: moments.index(moment) + 1]
    return [test for test in results.tests or () if _SHOWN_FROM[test.visibility] in shown]


def describe_total(results: Results, moment: Moment) -> str:
    """Describe the total that is shown at that moment: a dash as long as a test is hidden."""
    tests = results.tests or ()
    most = sum(test.max_score or 0.0 for test in tests)
    return f"{results.score or 0.0:g} / {most:g}" if len(list_shown(results, moment)) == len(tests) else _NO_TOTAL


def render_result_page(results: Results, moment: Moment = Moment.BEFORE_DUE) -> str:
    """Return the page as HTML."""
    style, style_hash = read_inline(_HERE / "result_page.css")
    return open_template(_HERE / "result_page.html.jinja").render(
        style=style,
        style_hash=style_hash,
        shown=list_shown(results, moment),
        total=describe_total(results, moment),
        moment=moment.value,
        output=results.output,
        mark=_mark,
        name=_name,
        points=_describe_points,
        hidden=_HIDDEN if moment is Moment.STAFF else {},
    )


def _mark(test: GradedTest) -> str:
    is_failed = test.status is Status.FAILED or (test.score or 0.0) < (test.max_score or 0.0)
    return "failed" if is_failed else "passed"


def _name(test: GradedTest) -> str:
    return f"{test.number}) {test.name}" if test.number else test.name


def _describe_points(test: GradedTest) -> str:
    return "" if test.max_score is None else f" ({test.score or 0.0:g}/{test.max_score:g})"
