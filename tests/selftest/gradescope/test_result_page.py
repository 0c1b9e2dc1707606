"""The page of a result shows what Gradescope shows to whom, and nothing else."""

import re

import pytest

from autograder.gradescope.result_page import Moment, describe_total, list_moments, list_shown, render_result_page
from autograder.gradescope.results_json import GradedTest, Results, build_results
from autograder.results import Visibility
from tests.selftest.support.reports import check, failed, report

pytestmark = pytest.mark.once


def test_what_is_visible_has_its_mark_and_points_and_all_else_is_left_out_with_the_total() -> None:
    visible = check(), failed("FAIL <add>", number="1.2")
    hidden = failed("the secret input", title="a secret", number="1.3", visibility=Visibility.AFTER_DUE_DATE)
    for checks, total in ((visible, "2 / 4"), ((*visible, hidden), "-")):
        page = render_result_page(build_results(report(*checks)), [Moment.BEFORE_DUE])
        found = re.findall(r'class="box test (\w+)">\s*<h3>([^<]*)</h3>', page)
        assert found == [("passed", "1.1) add: two numbers (2/2)"), ("failed", "1.2) add: two numbers (0/2)")]
        assert f'<div class="total">{total}</div>' in page
        assert "FAIL &lt;add&gt;" in page
        assert "secret" not in page


def test_a_text_without_points_has_neither_passed_nor_failed() -> None:
    page = render_result_page(Results(tests=(GradedTest(name="Why?", output="Nothing is written"),)), [Moment.STAFF])
    assert re.findall(r'class="box test (\w+)">', page) == ["other"]
    assert page.partition("<h2>other tests</h2>")[2].count("<li>Why?</li>") == page.count("<li>") == 1
    assert "<pre>Nothing is written</pre>" in page


@pytest.mark.parametrize(("moment", "shown"), list(zip(Moment, (1, 2, 3, 4), strict=True)), ids=str)
def test_each_moment_shows_more_and_a_hidden_test_appears_to_staff_alone(moment: Moment, shown: int) -> None:
    made = build_results(report(*(check(visibility=each) for each in Visibility)))
    assert len(list_shown(made, moment)) == shown
    assert (describe_total(made, moment) == "-") == (moment is not Moment.STAFF)


@pytest.mark.parametrize(
    ("visibilities", "moments"),
    [
        ([Visibility.VISIBLE], [Moment.BEFORE_DUE, Moment.STAFF]),
        ([Visibility.VISIBLE, Visibility.AFTER_DUE_DATE], [Moment.BEFORE_DUE, Moment.AFTER_DUE, Moment.STAFF]),
        ([Visibility.AFTER_PUBLISHED, Visibility.HIDDEN], [Moment.BEFORE_DUE, Moment.PUBLISHED, Moment.STAFF]),
    ],
    ids=["all at once", "hidden", "published"],
)
def test_a_page_has_a_view_for_each_moment_at_which_more_is_shown(
    visibilities: list[Visibility], moments: list[Moment]
) -> None:
    made = build_results(report(*(check(title=each.value, visibility=each) for each in visibilities)))
    page = render_result_page(made)
    assert list_moments(made) == moments
    assert re.findall(r"<label for=\"view\d\">(.*)</label><br>", page) == [each.value for each in moments]
    assert re.findall(r'id="view(\d)" checked', page) == ["1"]
    _, *views = page.split('class="view"')
    for moment, view in zip(moments, views, strict=True):
        shown = [test.name in view for test in made.tests or ()]
        assert sum(shown) == len(list_shown(made, moment))
