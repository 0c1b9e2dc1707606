"""The pages: commands print what is shown, and names and links lead somewhere; README is short and has pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import CLONE
from autograder.cli.main import main
from autograder.gradescope.result_page import Moment, describe_total, list_shown, render_result_page
from autograder.gradescope.results_json import build_results
from autograder.grading.collection import collect_hidden_tests
from autograder.results import Visibility
from tests.selftest.golden.regenerate import ANSWERED
from tests.selftest.support.command_line import run_command
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.pictures import (
    CLASS_REPORT,
    COMMAND,
    LARGE_CLASS,
    RESULT,
    TERMINAL,
    make_report,
    read_description,
    read_headings,
    read_lines,
    read_page_text,
    render_result,
)
from tests.selftest.support.project_sources import (
    PROJECT,
    assert_none,
    get_relative,
    list_files,
    list_grader_sources,
    read_text,
)
from tests.selftest.support.reports import check, failed, report

README = PROJECT / "README.md"
HELP = PROJECT / "autograder" / "cli" / "help.txt"  # which is shown before anything is loaded
PAGES = [README, PROJECT / "CONTRIBUTING.md", PROJECT / "SECURITY.md", *list_files(PROJECT / "docs", ".md")]
TEXTS = {str(path.relative_to(PROJECT)): path.read_text(encoding="utf-8") for path in PAGES}
TROUBLESHOOTING = "docs/troubleshooting.md"
NAMING_FILES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/how_it_works.md", "docs/explanations.md"]
MADE = {"results/results.json"}  # by commands
README_LINES = 130  # without what commands print, which grows with the assignment
SELFTEST = "./run_autograder selftest"
TAKE_LONG = {
    "./run_autograder package gradescope": pytest.mark.exhaustive,  # judges each known mistake
    "./run_autograder grade examples/half_done --only sgd,dropout": pytest.mark.ci,
}
BLOCK = re.compile(r"^```console\n\$ (?P<command>.*)\n(?P<output>(?:.*\n)*?)```$", re.MULTILINE)
BLOCKS = {(page, block["command"]): block["output"] for page, text in TEXTS.items() for block in BLOCK.finditer(text)}
assert BLOCKS.pop(("README.md", SELFTEST)) == ""


def find_output(command: str, folder: Path) -> str:
    """Return the output of a command, without the line on missing layers, which differs from machine to machine."""
    lines = [line.rstrip() for line in run_command(command, folder).splitlines()]
    return re.sub(r"\nLayers of the sandbox that were not active: (?:[^\n]+\n)+", "", "\n".join(lines) + "\n")


def hide_varying_numbers(text: str) -> str:
    """Replace every time and every size of a file."""
    return re.sub(r"\d+(\.\d s|( KiB))$", r"...\2", text, flags=re.MULTILINE)


@cache
def find_anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as hosting services make them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_kept_help_is_that_of_the_commands(pytestconfig: pytest.Config) -> None:
    shown = CliRunner().invoke(main, ["--help"], prog_name=CLONE, terminal_width=78).stdout
    if pytestconfig.getoption("--update-readme"):
        HELP.write_text(shown, encoding="utf-8")
    else:
        assert HELP.read_text(encoding="utf-8") == shown


@pytest.mark.parametrize(
    ("page", "command"),
    [pytest.param(*each, marks=TAKE_LONG.get(each[1], ())) for each in BLOCKS],
)
def test_a_command_prints_what_the_page_shows(
    page: str, command: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    output = find_output(command, tmp_path)
    shown = BLOCKS[page, command]
    if pytestconfig.getoption("--update-readme"):
        text = (PROJECT / page).read_text(encoding="utf-8")
        block = f"```console\n$ {command}\n"
        (PROJECT / page).write_text(text.replace(block + shown, block + output), encoding="utf-8")
    else:
        assert hide_varying_numbers(output) == hide_varying_numbers(shown)


def test_the_right_example_has_full_marks() -> None:
    shown = BLOCKS["README.md", "./run_autograder grade examples/right"]
    earned = sum(each.points for each in ASSIGNMENT.questions if each.stem in ANSWERED)
    assert f"\n{earned:g} of {sum(each.points for each in ASSIGNMENT.questions):g} points, " in shown


def test_the_readme_counts_what_there_is(pytestconfig: pytest.Config) -> None:
    tests = [each.test for each in collect_hidden_tests(ASSIGNMENT, stems=ASSIGNMENT.stems) if not each.test.is_advice]
    counted = f"{len(ASSIGNMENT.stems)} questions, {len(tests)} checks, {sum(test.points for test in tests):g} points."
    if pytestconfig.getoption("--update-readme"):
        text = README.read_text(encoding="utf-8")  # which other tests may have written
        text = re.sub(r"^\d+ questions, \d+ checks, [\d.]+ points\.", counted, text, flags=re.MULTILINE)
        README.write_text(text, encoding="utf-8")
    else:
        assert f"\n{counted} " in TEXTS["README.md"]


def test_what_sets_the_project_up_is_what_ci_runs() -> None:
    run = (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
    assert [each for each in ("./run_autograder grade examples/right", SELFTEST) if f"run {each}\n" not in run] == []


def test_the_readme_is_short() -> None:
    shown = sum(output.count("\n") for (page, _), output in BLOCKS.items() if page == "README.md")
    assert len(TEXTS["README.md"].splitlines()) - shown <= README_LINES


def test_files_that_are_named_exist() -> None:
    files = {get_relative(path) for path in list_files()}
    folders = {f"{parent}/" for name in files for parent in Path(name).parents}
    paths = "".join(f"/{name}\n" for name in files | folders | MADE)
    pattern = re.compile(r"`((?:\w+/)+(?:\w+(?:\.\w+)+)?|\w+\.(?:py|md|toml|lock|sh))`")
    named = {page: sorted(set(pattern.findall(TEXTS[page]))) for page in NAMING_FILES}
    assert all(named.values())
    assert_none(f"{page}: {name}" for page, names in named.items() for name in names if f"/{name}\n" not in paths)


def find_dead_links(page: str) -> Iterator[str]:
    """Yield the links of a page that lead nowhere."""
    for target in re.findall(r"\]\(((?!https?:)[^)]+)\)", TEXTS[page]):
        name, _, anchor = target.partition("#")
        path = (PROJECT / page).parent / name if name else PROJECT / page
        if not path.exists() or (anchor and anchor not in find_anchors(read_text(path))):
            yield f"{page}: {target}"


def test_links_lead_somewhere() -> None:
    assert_none(link for page in TEXTS for link in find_dead_links(page))


def test_every_page_is_in_the_menu_of_the_site() -> None:
    menu = read_text(PROJECT / "mkdocs.yml")
    pages = [page.name for page in (PROJECT / "docs").glob("*.md")]
    assert_none(f"{name} is in no menu" for name in pages if not re.search(rf"\b{name}\b", menu))


def test_messages_that_are_explained_are_ones_that_are_said() -> None:
    said = "\n".join(map(read_text, [PROJECT / "run_autograder", *list_grader_sources()]))
    in_readme = TEXTS["README.md"].partition("## When something goes wrong")[2]
    tables = [text.partition("| message |")[2] for text in (in_readme, TEXTS[TROUBLESHOOTING])]
    rows = [row for table in tables for row in table.splitlines()]
    messages = [message for row in rows for message in re.findall("`(.*?)`", row.partition(" | ")[0])]
    parts = [part.strip() for message in messages for part in message.split("...") if part.strip()]
    assert [part for part in parts if part not in said] == []
    assert len(messages) >= 20


class TestPictures:
    def test_the_terminal_shows_what_the_command_prints(self) -> None:
        (output,) = (shown for (_, command), shown in BLOCKS.items() if command == COMMAND)
        prompt, *lines = read_lines(TERMINAL.read_text(encoding="utf-8"))
        assert prompt == f"${COMMAND}".replace(" ", "")
        expected = hide_varying_numbers(output).replace(" ", "").splitlines()
        shown = [re.sub(r"\d+\.\ds$", "...", line) for line in lines]
        assert "".join(shown) == "".join(expected)  # a terminal wraps the lines to paste

    @pytest.mark.ci
    def test_the_result_is_that_of_today(self) -> None:
        assert read_description(RESULT.read_bytes()) == read_page_text(render_result())

    @pytest.mark.ci
    def test_the_reports_have_the_sections_and_columns_of_today(self, tmp_path: Path) -> None:
        today = read_headings(make_report(tmp_path, ["normalization"], 3)).splitlines()
        assert len(today) > 20
        for picture in (CLASS_REPORT, LARGE_CLASS):
            assert [each for each in today if each not in read_description(picture.read_bytes()).splitlines()] == []

    def test_they_are_small_and_load_nothing(self) -> None:
        svg = TERMINAL.read_text(encoding="utf-8")
        assert re.findall("https?://[^\"' ]+", svg) == ["http://www.w3.org/2000/svg"]
        assert "@font-face" not in svg
        assert len(svg) < 60_000
        for picture in (CLASS_REPORT, LARGE_CLASS, RESULT):
            assert picture.read_bytes().startswith(b"\x89PNG")
            assert picture.stat().st_size < 200_000

    def test_the_pages_show_them(self) -> None:
        assert all(f"]({picture.relative_to(PROJECT)})" in TEXTS["README.md"] for picture in (TERMINAL, CLASS_REPORT))
        assert f"]({RESULT.name})" in TEXTS["docs/students.md"]


class TestResultPage:
    def test_what_is_visible_has_its_mark_and_points_and_all_else_is_left_out_with_the_total(self) -> None:
        visible = check(), failed("FAIL <add>", number="1.2")
        hidden = failed("the secret input", title="a secret", number="1.3", visibility=Visibility.AFTER_DUE_DATE)
        for checks, total in ((visible, "2 / 4"), ((*visible, hidden), "-")):
            page = render_result_page(build_results(report(*checks)))
            found = re.findall(r'class="box test (\w+)">\s*<h3>([^<]*)</h3>', page)
            assert found == [("passed", "1.1) add: two numbers (2/2)"), ("failed", "1.2) add: two numbers (0/2)")]
            assert f'<div class="total">{total}</div>' in page
            assert "FAIL &lt;add&gt;" in page
            assert "secret" not in page

    @pytest.mark.parametrize(("moment", "shown"), list(zip(Moment, (1, 2, 3, 4), strict=True)), ids=str)
    def test_each_moment_shows_more_and_a_hidden_test_appears_to_staff_alone(self, moment: Moment, shown: int) -> None:
        made = build_results(report(*(check(visibility=each) for each in Visibility)))
        assert len(list_shown(made, moment)) == shown
        assert (describe_total(made, moment) == "-") == (moment is not Moment.STAFF)
