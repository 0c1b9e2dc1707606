"""Result page: turns a results.json into a page that shows what Gradescope shows a student at each moment, and staff.

It follows the documented rules: a test that is not visible at a moment is left out and hides the total. A test that
passed is folded to its name, unless it gives no points. Every text is escaped by the template engine; a content
security policy allows only the page's own style, by its hash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from autograder.gradescope.results_json import HIDDEN, GradedTest, Results, Status
from autograder.results import Visibility
from autograder.templates import open_template, read_inline

_HERE = Path(__file__).parent
_NO_TOTAL = "-"


class Moment(Enum):
    """To whom a result is shown, and when; from each one on, more tests are shown."""

    BEFORE_DUE = "Student, before the due date"
    AFTER_DUE = "Student, after the due date"
    PUBLISHED = "Student, when grades are published"
    STAFF = "Staff"


_SHOWN_FROM = {
    None: Moment.BEFORE_DUE,
    Visibility.VISIBLE: Moment.BEFORE_DUE,
    Visibility.AFTER_DUE_DATE: Moment.AFTER_DUE,
    Visibility.AFTER_PUBLISHED: Moment.PUBLISHED,
    Visibility.HIDDEN: Moment.STAFF,
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


class _View(NamedTuple):
    """What is shown at a moment; `hidden`: what staff read behind the name of a test, by its visibility."""

    title: str
    shown: list[GradedTest]
    total: str
    hidden: Mapping[Visibility, str]


def render_result_page(results: Results, moments: Sequence[Moment] = ()) -> str:
    """Return the page as HTML; `moments`: in place of all at which something more is shown."""
    style, style_hash = read_inline(_HERE / "result_page.css")
    return open_template(_HERE / "result_page.html.jinja").render(
        style=style,
        style_hash=style_hash,
        views=[_view(results, moment) for moment in moments or list_moments(results)],
        output=results.output,
        mark=_mark,
        name=_name,
        points=_describe_points,
    )


def list_moments(results: Results) -> list[Moment]:
    """List the moments at which a student is shown more than before, the first one, and the staff's."""
    moments = [Moment.BEFORE_DUE]
    for moment in (Moment.AFTER_DUE, Moment.PUBLISHED):
        if len(list_shown(results, moment)) > len(list_shown(results, moments[-1])):
            moments.append(moment)
    return [*moments, Moment.STAFF]


def _view(results: Results, moment: Moment) -> _View:
    hidden = HIDDEN if moment is Moment.STAFF else {}
    return _View(moment.value, list_shown(results, moment), describe_total(results, moment), hidden)


def _mark(test: GradedTest) -> str:
    if test.max_score is None:
        return "other"
    is_failed = test.status is Status.FAILED or (test.score or 0.0) < test.max_score
    return "failed" if is_failed else "passed"


def _name(test: GradedTest) -> str:
    return f"{test.number}) {test.name}" if test.number else test.name


def _describe_points(test: GradedTest) -> str:
    return "" if test.max_score is None else f" ({test.score or 0.0:g}/{test.max_score:g})"
