"""The pages: their commands exist with their options, and the blocks of two pages do what the pages say."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from autograder.assignment import load_assignment
from autograder.cli.main import main
from tests.selftest.meta.test_readme import TEXTS
from tests.selftest.support.command_line import run_command, run_line
from tests.selftest.support.project_sources import PROJECT, assert_none
from tests.selftest.support.staff_project import copy_assignment, copy_toy
from tests.selftest.support.toy_assignment import EXAMPLES, TOY

pytestmark = [pytest.mark.slow, pytest.mark.once]

OURS = r"(?:\./run_autograder|autograder) "
INLINE = re.compile(rf"`{OURS}([^`]+)`")
BLOCK = re.compile(r"^ *```(?P<kind>\w+)\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)
QUESTIONS, GRADESCOPE = "docs/questions.md", "docs/gradescope.md"


def list_blocks(page: str, kind: str) -> list[str]:
    """List the blocks of a page in one language."""
    return [block["text"] for block in BLOCK.finditer(TEXTS[page]) if block["kind"] == kind]


def list_lines(page: str) -> Iterator[str]:
    """Yield the commands in the `sh` blocks of a page, without comments; a line that goes on is one command."""
    for text in list_blocks(page, "sh"):
        for line in text.replace("\\\n", " ").splitlines():
            yield " ".join(line.partition("  # ")[0].split())


def list_commands(page: str) -> list[list[str]]:
    """List the words of each command on a page, from `sh` blocks and sentences; `console` blocks are run."""
    lines = "\n".join(f"`{line}`" for line in list_lines(page))
    return [shlex.split(command) for command in INLINE.findall(lines + TEXTS[page])]


def find_unknown(words: list[str]) -> list[str]:
    """List what our command line does not know of a command; pytest reads the options of `selftest`."""
    command: click.Command = main
    while isinstance(command, click.Group):
        name, *words = words
        if name not in command.commands:
            return [] if name == "COMMAND" else [name]
        command = command.commands[name]
    known = {"--help"}
    for each in command.params:
        known.update(each.opts)
    return [word for word in words if word.startswith("--") and word not in known and command.name != "selftest"]


def test_commands_and_options_on_the_pages_exist() -> None:
    commands = [(page, words) for page in TEXTS for words in list_commands(page)]
    assert len(commands) > 50
    assert_none(f"{page}: {shlex.join(words)}" for page, words in commands if find_unknown(words))


def find_line(page: str, part: str) -> str:
    """Return the one command of a page that has this part."""
    (line,) = [line for line in list_lines(page) if part in line]
    return line


def test_the_result_is_shown_as_a_page(tmp_path: Path) -> None:
    _, *words = shlex.split(find_line(GRADESCOPE, "--html"))
    graded = [EXAMPLES / "wrong" if word == "PATH" else word for word in words]
    done = run_line(*graded, "--assignment", TOY, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = (tmp_path / "results" / "results.html").read_text(encoding="utf-8")
    assert "Student, before the due date<" in shown and "Staff<" in shown
    assert ", hidden until the due date</h3>" in shown


@pytest.mark.ci
def test_the_matrix_ends_as_the_page_says(tmp_path: Path) -> None:
    assert "tests: all are caught" in run_command(find_line(QUESTIONS, "./run_autograder matrix --only sgd"), tmp_path)


def test_a_new_question_has_the_files_of_the_table(tmp_path: Path) -> None:
    project = copy_toy(tmp_path)
    solution = 'def linear(w, x):\n    """Return x w, (N,)."""\n    return x @ w\n'
    (project / "solution.py").write_text(solution, encoding="utf-8")
    _, *words = shlex.split(find_line(QUESTIONS, "./run_autograder new question"))
    done = run_line(*words, cwd=project, AUTOGRADER_ASSIGNMENT=str(project))
    assert done.returncode == 0, done.stderr
    table = TEXTS[QUESTIONS].partition("| to change |")[2].partition("\n\n")[0]
    named = {path.replace("<id>", words[2]) for path in re.findall(r"`([\w/]+/(?:\w*<id>|assignment)\.\w+)`", table)}
    missing = {path for path in named if not (project / path).exists()}
    assert missing == {f"student_template/tasks/{words[2]}.md"}  # which the page says to write
    assert len(named) == 6


def test_the_mistakes_of_the_page_are_those_of_the_course() -> None:
    (shown,) = list_blocks(QUESTIONS, "python")
    assert shown in (PROJECT / "tests" / "mistakes" / "adam.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [QUESTIONS, GRADESCOPE])
def test_the_settings_of_the_page_are_read(page: str, tmp_path: Path) -> None:
    copy_assignment(tmp_path / "project", TOY)
    declared = tmp_path / "project" / "reference" / "assignment.toml"
    tables = [text for text in list_blocks(page, "toml") if text.startswith("[")]
    declared.write_text("\n".join([declared.read_text(encoding="utf-8"), *tables]), encoding="utf-8")
    read = load_assignment(tmp_path / "project")
    if page == QUESTIONS:
        assert (read.limits.cpu_seconds, read.limits.memory_mib) == (30, 1024)
    else:
        assert read.late is not None
        assert read.late.days_left == {"ann@uni.edu": 1}
