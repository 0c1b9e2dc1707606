"""The report on a class, in a real browser: it sorts, filters and opens, and never runs student text."""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from autograder.regression.class_results import Person, Run, StoredResult
from autograder.regression.comparison import Cause, Comparison, Difference, Move, group_by_row
from autograder.regression.report import OUTPUT_CHARACTERS, render_report
from autograder.regression.summary import MistakeRow, Summary
from tests.selftest.support.browser import open_installed_browser
from tests.selftest.support.summaries import student, summary

pytestmark = [pytest.mark.slow, pytest.mark.once]

SCRIPT = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">'\"]]>--></pre></details>"
)
HOSTILE = Person(name=f"Zoë {SCRIPT}", sid="javascript:document.title='owned'", email="a@b<svg onload=alert(1)>")

KNOWN = MistakeRow(
    mistake="adds_one", story="Adds 1.", question="algebra", rows=("1.1",), students=("student01", SCRIPT)
)


def stored(output: str = "FAIL add(1, 2)", text: str = "It falls.") -> StoredResult:
    """Build a result with tests that failed, are not written and passed, and a written answer."""
    tests = [
        _test("1.1", "add: two numbers", "failed", 0.0, output, diagnosis=["adds_one"]),
        _test("1.2", "add: none", "not_written", 0.0, "Not written yet"),
        _test("1.3", "add: one", "not_written", 0.0, "Not written yet"),
        _test("1.4", "add: three", "passed", 2.0, "Passed."),
        {"name": "Why?", "number": "2.1", "extra_data": {"question": "essay", "text": {"answer": text}}},
    ]
    fields = {"score": 2.0, "output": "the whole", "tests": tests, "extra_data": {"state": "graded"}}
    return StoredResult(fields)


def _test(number: str, title: str, verdict: str, score: float, output: str, **extra: Any) -> dict[str, Any]:
    told = {"question": "algebra", "verdict": verdict, **extra}
    return {"name": title, "number": number, "score": score, "max_score": 2.0, "output": output, "extra_data": told}


def render_page(run: Summary, **results: StoredResult) -> str:
    """Render the HTML of a run, with a default result for each submission that has none in `results`."""
    members = {student.member.file: student.member for student in run.students}
    return "".join(render_report(run, Run("out", (), members, lambda file: results.get(file) or stored())))


def moved(name: str, before: float, after: float, cause: Cause = Cause.GRADER) -> Difference:
    """Build a submission whose score in row 1.1 changed."""
    return Difference(name, cause, Move("", before, after), (Move("1.1 add: two numbers", before, after),))


def build_whole_run() -> Summary:
    """Build a run in which everything occurs."""
    names = [f"student{number:02}" for number in range(30)]
    rows = [student(name, score=float(number % 5), not_passed=number % 3) for number, name in enumerate(names)]
    rows.append(student(SCRIPT, people=(HOSTILE,), score=3.5))
    rows.append(student("lost", state="undecided", score=None, fault="out of time after 600 seconds <b>"))
    differences = (moved("student03", 3.0, 4.0), moved(SCRIPT, 4.0, 3.5), moved("student05", 2.0, 0.0, Cause.CODE))
    unstable = (moved("student07", 1.0, 2.0, Cause.NOTHING),)
    found = Comparison(
        against="last term",
        compared=31,
        removed=("1.2 add: none",),
        added=("1.2 add: nothing",),
        unstable=unstable,
        differences=differences,
        rows=group_by_row([*unstable, *differences]),
        appeared=("student00",),
        vanished=("gone",),
    )
    states = {"empty": 2, "unreadable": 1}
    return summary(*rows, baseline=found, mistakes=(KNOWN,), notes=(SCRIPT,), states=states)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium, without windows."""
    with open_installed_browser() as opened:
        yield opened


@contextlib.contextmanager
def open_page(browser: Browser, path: Path, text: str, **options: Any) -> Iterator[Page]:
    """Write a page and open it in a window of its own."""
    path.write_text(text)
    with contextlib.closing(browser.new_context(**options)) as window:
        page = window.new_page()
        page.goto(path.as_uri())
        yield page


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The report on a run in which everything occurs, opened; any console message or network request fails the test."""
    text = render_page(build_whole_run(), **{SCRIPT: stored(SCRIPT, SCRIPT)})
    said: list[str] = []
    with open_page(browser, tmp_path / "report.html", text, viewport={"width": 1280, "height": 900}) as opened:
        opened.on("console", lambda message: said.append(message.text))
        opened.on("pageerror", lambda error: said.append(str(error)))
        opened.on("request", lambda asked: said.append(asked.url) if not asked.url.startswith("file:") else None)
        opened.reload()
        yield opened
        assert opened.title() == "Toy: 32 submissions"
        assert said == []


def column(page: Page, number: int) -> list[str]:
    """Return a column of the table of submissions, for the rows that are shown."""
    cells = page.locator(f"#students-table tbody tr:not([hidden]) > :nth-child({number})")
    return cells.all_inner_texts()


class TestInABrowser:
    def test_shows_differences_first_and_runs_no_student_text(self, page: Page) -> None:
        unstable = "Not repeatable: same files, same grader, different scores"
        titles = page.locator("h2, h3.alarm").all_inner_texts()
        assert titles[:4] == ["Not judged", "Differences", unstable, "The class"]
        names = page.locator("#differences h3").all_inner_texts()
        assert names[:2] == ["Rows that are gone", "Rows that are new"]

    @pytest.mark.ci
    def test_sorts_by_keyboard_and_says_so(self, page: Page) -> None:
        head = page.locator("#students-table th").nth(1)
        head.get_by_role("button").focus()
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "ascending"
        up = column(page, 2)
        assert [float(each) for each in up[:-1]] == sorted(float(each) for each in up[:-1])
        assert up[-1] == "no score"
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "descending"
        down = column(page, 2)
        assert (down[0], down[-1]) == ("4", "no score")
        page.locator("#students-table th").first.get_by_role("button").press("Enter")
        assert head.get_attribute("aria-sort") == "none"
        assert column(page, 1)[0] == "lost"

    @pytest.mark.ci
    def test_filters_by_text_and_by_kind(self, page: Page) -> None:
        page.fill("#filter", "STUDENT0")
        assert len(column(page, 1)) == 10
        assert page.inner_text("#shown") == "10 of 32 found"
        page.select_option("#state", "moved")
        assert column(page, 1) == ["student03", "student05", "student07"]
        page.fill("#filter", "")
        page.select_option("#state", "undecided")
        assert column(page, 1) == ["lost"]

    @pytest.mark.ci
    def test_opens_a_submission_from_its_link_as_often_as_asked(self, page: Page) -> None:
        part = page.locator("details.student").nth(3)
        assert part.get_attribute("open") is None
        for _ in range(2):
            page.locator("#students-table").get_by_role("link", name="student03").click()
            expect(part).to_have_attribute("open", "")
            page.evaluate("document.getElementById('s4').open = false")
        page.locator("[data-open=all]").click()
        assert page.locator("details.student:not([open])").count() == 0
        part.scroll_into_view_if_needed()
        expect(part).to_contain_text("FAIL add(1, 2)", use_inner_text=True)  # once it is drawn
        assert "Passed: 1.4" in part.inner_text()

    @pytest.mark.ci
    def test_blocks_an_injected_script(self, browser: Browser, tmp_path: Path) -> None:
        script = "<script>document.title='owned'</script><p onclick='x()'><main"
        injected = render_page(build_whole_run()).replace("<main", script)
        with open_page(browser, tmp_path / "report.html", injected) as opened:
            assert opened.title() == "Toy: 32 submissions"

    @pytest.mark.ci
    def test_folds_long_tables_and_shows_all_of_them_on_request(self, page: Page) -> None:
        rows = page.locator("#students-table tbody tr")
        assert rows.filter(visible=True).count() == 12
        button = page.locator("#students-table + .unfold")
        assert button.inner_text() == "Show all 32"
        button.press("Enter")
        assert rows.filter(visible=True).count() == 32
        page.fill("#filter", "student0")
        assert (rows.filter(visible=True).count(), button.is_visible()) == (10, False)

    @pytest.mark.ci
    def test_without_its_script_lists_everything(self, browser: Browser, tmp_path: Path) -> None:
        text = render_page(build_whole_run())
        with open_page(browser, tmp_path / "report.html", text, java_script_enabled=False) as opened:
            for rows in ("#students-table tbody tr", "details.student"):
                assert opened.locator(rows).filter(visible=True).count() == 32

    @pytest.mark.ci
    @pytest.mark.parametrize("width", [360, 390, 1280])
    def test_is_never_wider_than_the_screen(self, page: Page, width: int) -> None:
        page.set_viewport_size({"width": width, "height": 780})
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


class TestPage:
    def test_says_what_differs_and_why_a_submission_was_not_judged(self) -> None:
        text = render_page(build_whole_run())
        assert "lost</a>: out of time after 600 seconds &lt;b&gt;</li></ul>" in text
        assert "3 of 31 scores differ from last term." in text
        assert "1 score changed although nothing else did: the grader is not repeatable." in text

    def test_says_that_nothing_could_be_compared(self) -> None:
        nothing = replace(build_whole_run().baseline, compared=0, unstable=(), differences=(), rows=())
        text = render_page(summary(student("ann"), baseline=nothing))
        assert text.count("Nothing could be compared with last term.") == 2
        assert "No score differs" not in text and "None of" not in text

    def test_has_what_each_student_reads_and_changes_where_there_is_a_baseline(self) -> None:
        text = render_page(summary(student("ann"), student("bo", state="unreadable", score=0.0, not_passed=0)))
        assert text.count("<pre>the whole</pre>") == 2
        assert 'data-kinds="unreadable lost"' in text
        assert ">Change<" not in text and ">Change<" in render_page(build_whole_run())

    def test_cuts_outputs_that_are_too_long_to_read(self) -> None:
        text = render_page(summary(student("ann")), ann=stored("x" * 100_000))
        assert len(text) < 60_000 + OUTPUT_CHARACTERS

    def test_names_no_known_mistake_without_its_story(self) -> None:
        told, untold = (render_page(summary(student("ann"), mistakes=found)) for found in ((KNOWN,), ()))
        assert "failed, 0 of 2 points; known mistake: Adds 1." in told
        assert "adds_one" not in told and "known mistake:" not in untold

    def test_puts_written_answers_side_by_side(self) -> None:
        run = summary(student("ann"), student("bo"))
        text = render_page(run, ann=stored(text="It rises."), bo=stored(text=""))
        _, _, sheet = text.partition('id="texts"')
        assert re.search(r"2\.1 Why\?.*ann.*<pre>It rises\.</pre>.*bo.*nothing written", sheet, re.DOTALL)

    def test_of_an_empty_run_says_so(self) -> None:
        text = render_page(summary(submissions=3, is_complete=False, rows=(), questions=(), distribution=None))
        assert "No submission is graded." in text
        assert "3 submissions have no result yet" in text
