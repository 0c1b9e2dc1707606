"""Task sheet: turns an assignment into what students are asked, as Markdown with TeX and as one page of HTML.

The task of a question is in `student_template/tasks/<id>.md`. Titles, files, functions, checks and points are those
of the assignment; of checks that students do not see yet, only their number and points are shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.anchors.index import slugify
from mdit_py_plugins.dollarmath import dollarmath_plugin

from autograder.assignment import TASKS, TEMPLATES, Assignment, Question
from autograder.grading.hidden_test import HiddenTest
from autograder.packaging.tree import Files, PackagingError
from autograder.results import Visibility
from autograder.templates import open_template, read_inline, render_source

MARKDOWN, PAGE = "assignment.md", "assignment.html"
_HERE = Path(__file__).parent
_FUNCTION = re.compile(r"<mi>(log|exp|max)</mi>(?!<mo[^>]*>&#x00028;)")  # where no bracket follows


@dataclass(frozen=True)
class Task:
    """A question in the sheet: `text`: what it asks; `tests`: all of them."""

    question: Question
    heading: str
    text: str
    tests: Sequence[HiddenTest]

    @property
    def anchor(self) -> str:
        """The heading as the target of a link."""
        return slugify(self.heading)

    @property
    def shown(self) -> list[HiddenTest]:
        """The checks that students see at once."""
        return [each for each in self.tests if each.visibility is Visibility.VISIBLE]

    @property
    def later(self) -> list[HiddenTest]:
        """The checks that they do not see yet."""
        return [each for each in self.tests if each.visibility is not Visibility.VISIBLE]

    @property
    def points_by_hand(self) -> float:
        """The points of its texts."""
        return sum(text.points_by_hand for text in self.question.texts)

    @property
    def names(self) -> dict[str, str]:
        """The functions that have checks, and what students call each: an answer by its key."""
        keys = {answer.name: answer.key for answer in self.question.answers}
        tested = {name for each in self.tests for name in each.functions}
        names = [function.name for function in self.question.functions if function.name in tested]
        return {name: keys.get(name, name) for name in names}


def build_sheet(assignment: Assignment, tests: Sequence[HiddenTest], templates: Files) -> Files:
    """Build the two files of the sheet; PackagingError for a formula that is not TeX."""
    tasks = []
    for number, question in enumerate(assignment.questions, 1):
        own = [each for each in tests if each.question_id == question.question_id]
        text = _read(templates, f"{TASKS}/{question.question_id}.md")
        tasks.append(Task(question, f"{number}. {question.title}", text, own))
    readme = _read(templates, f"{TEMPLATES}/README.md").partition("\n")[2]  # without its heading
    about, _, rules = readme.partition("\n## ")
    values = {"title": assignment.title, "about": about, "rules": rules, "tasks": tasks}
    markdown = render_source(_HERE / "task_sheet.md.jinja", count_points=_count_points, **values)
    return {MARKDOWN: markdown.encode(), PAGE: render_page(assignment.title, markdown).encode()}


def render_page(title: str, markdown: str) -> str:
    """Render Markdown with TeX as a page that needs no other file; PackagingError for a formula that is not TeX."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.use(anchors_plugin)
    reader.use(dollarmath_plugin, allow_labels=False, renderer=_render_formula)
    style, style_hash = read_inline(_HERE / "task_sheet.css")
    body = Markup(reader.render(markdown))  # noqa: S704  (the reader escapes what is no Markdown)
    page = open_template(_HERE / "task_sheet.html.jinja")
    return page.render(title=title, body=body, style=style, style_hash=style_hash)


def _render_formula(text: str, options: dict[str, Any]) -> str:
    refusal = PackagingError(f"a formula below {TEMPLATES} is not TeX: {text}")
    try:
        formula = convert(text, display="block" if options["display_mode"] else "inline")
    except Exception as error:  # the library has an exception for each fault
        raise refusal from error
    if "<mi>\\" in formula:  # a command that the library does not know
        raise refusal
    return _FUNCTION.sub(r'<mi>\1</mi><mspace width="0.17em"/>', formula)


def _count_points(tests: Sequence[HiddenTest], name: str = "") -> str:
    """Count the points of tests, or of the tests of one function."""
    return f"{sum(each.points for each in tests if not name or name in each.functions):g}"


def _read(templates: Files, path: str) -> str:
    return templates.get(path, b"").decode().strip()
