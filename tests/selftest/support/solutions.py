"""Solutions: turns the references' docstrings and the written answers into the pages of docs/solutions/, for staff.

Started as a program it writes them there: python -m tests.selftest.support.solutions
Each part of the assignment, a function or a written answer, is a heading, so that a link leads to it. The page of the
errata is written by hand; its links to parts become links back.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache

from autograder.assignment import Answer, AnswerKind, Question
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest
from autograder.results import Visibility
from tests.selftest.support.docstring_markdown import (
    SECTIONS,
    escape_prose,
    read_docstring,
    wrap,
    wrap_item,
    write_section,
)
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, load, reference_text
from tests.selftest.support.project_sources import parse_toml

FOLDER = PROJECT / "docs" / "solutions"
ERRATA = FOLDER / "errata.md"
COMMAND = "python -m tests.selftest.support.solutions"
_CONCERNED = re.compile(r"\]\((\w+)\.md#([\w-]+)\)")


def write_pages() -> dict[str, str]:
    """Return the text of each generated page, by file name."""
    pages = {"README.md": _write_index(), **{f"{each.stem}.md": _write_page(each) for each in ASSIGNMENT.questions}}
    return {name: re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n" for name, lines in pages.items()}


def list_parts(question: Question) -> list[str]:
    """List the names of a question's parts: its functions, or the keys of its answers."""
    return [answer.key for answer in question.answers] or [function.name for function in question.functions]


def make_anchor(heading: str) -> str:
    """Return the anchor of a heading, as hosting services make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def read_errata() -> dict[str, tuple[str, ...]]:
    """Return, by title of the erratum, the links to the parts that it concerns."""
    sections = re.split(r"^## (.*)$", ERRATA.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    concerned = [section.partition("\n> ")[0] for section in sections[1::2]]
    links = [tuple("#".join(link) for link in _CONCERNED.findall(text)) for text in concerned]
    return dict(zip(sections[::2], links, strict=True))


def _write_index() -> Iterator[str]:
    yield from (_write_origin("reference/__init__.py"), "# Solutions, for staff", "")
    yield wrap(
        "The right solution of each part of the assignment, with its derivation; of a written answer also what a full "
        "answer contains and what a rubric takes off. No zip for students and no Gradescope zip contains this folder. "
        "[errata.md](errata.md) lists wrong statements of older sheets that students quote, each with a counterexample."
    )
    yield from ("", "## Notation", "", "```text", _read_notation(), "```", "")
    yield wrap(
        r"The formulas are set from plain text, in which numpy's names are kept. $`\eta`$ is the learning rate, "
        r"$`\odot`$ a product entry by entry, $`\mathbf{1}\{\ldots\}`$ is 1 where the condition holds and 0 elsewhere."
    )
    for question in ASSIGNMENT.questions:
        yield from ("", f"## {question.title}", "", "| part | task |", "|---|---|")
        for name in list_parts(question):
            summary = escape_prose(_get_docstring(question, name).partition("\n")[0])
            yield f"| [`{name}`]({question.stem}.md#{make_anchor(name)}) | {summary} |"


def _write_page(question: Question) -> Iterator[str]:
    modules = ["written_answers", "written_explanations"] if question.answers else [question.stem]
    sources = [f"reference/{module}.py" for module in modules]
    yield from (_write_origin(*sources), f"# {question.title}: solutions", "")
    links = [f"[{source}](../../{source})" for source in sources]
    yield wrap(f"For staff only. Code: {', '.join(links)}; all parts: [README.md](README.md).")
    for paragraph in _read_module_text(question):
        yield from ("", wrap(escape_prose(paragraph)))
    answers = {answer.key: answer for answer in question.answers}
    for name in list_parts(question):
        read = read_docstring(_get_docstring(question, name))
        yield from ("", f"## `{name}`", "", wrap(escape_prose(read.summary)), "")
        if name in answers:
            yield from _write_answer(question, answers[name])
        yield from (line for key in SECTIONS if key in read.sections for line in write_section(key, read.sections[key]))
        if name in answers:
            yield from _write_wrong_answers(question, answers[name])
        yield from _write_errata_links(question, name)


def _write_answer(question: Question, answer: Answer) -> Iterator[str]:
    """Yield the answer, and what it is worth."""
    table, _, key = answer.key.partition(".")
    text = parse_toml(reference_text(question.stem))[table][key].strip()
    if answer.kind is AnswerKind.TABLE:
        yield from ("**Answer**, one of several:", "", "```text", text, "```", "")
    elif answer.kind is AnswerKind.TEXT:
        yield from (wrap(f"**A good answer:** {escape_prose(text)}"), "")
    else:
        yield from (f"**Answer:** `{text}`{_describe_choice(question, answer, text)}", "")
    yield from (wrap(f"**Points:** {_describe_points(question, answer)}"), "")


def _describe_choice(question: Question, answer: Answer, code: str) -> str:
    """Return the words of the right choice, as the students' file has them."""
    if answer.kind is not AnswerKind.CHOICE:
        return ""
    template = (PROJECT / "student_template" / question.files[0]).read_text(encoding="utf-8")
    table, _, key = answer.key.partition(".")
    before = template.partition(f"[{table}]\n")[2].partition(f"\n{key} = ")[0]
    return ", " + escape_prose(re.findall(rf"^#   {code}  (.*)$", before, re.MULTILINE)[-1])


def _describe_points(question: Question, answer: Answer) -> str:
    if answer.kind is AnswerKind.TEXT:
        return f"{answer.points_by_hand:g}, by hand ({answer.number})."
    tests = [test for test in _list_tests() if test.stem == question.stem and answer.name in test.functions]
    seen = {Visibility.VISIBLE: "visible"}
    listed = [f"{test.points:g} ({test.number}, {seen.get(test.visibility, 'hidden at first')})" for test in tests]
    judged = {
        AnswerKind.CHOICE: "The letter decides.",
        AnswerKind.TABLE: "By the share of right rows and of right arcs; any order of legal transitions is right.",
    }.get(answer.kind, "The value decides: every form that is equal is right, and nothing is given in part.")
    return f"{' and '.join(listed)}. {judged}"


def _write_wrong_answers(question: Question, answer: Answer) -> Iterator[str]:
    """Yield the known wrong answers, which the report on a submission names."""
    stories = [wrong.story for wrong in load(question.stem) if wrong.function == answer.name]
    if stories:
        verb = "lose points" if answer.kind is AnswerKind.TABLE else "get no points"
        yield from (f"**Wrong answers that {verb}:**", "", *map(wrap_item, map(escape_prose, stories)), "")


def _write_errata_links(question: Question, name: str) -> Iterator[str]:
    part = f"{question.stem}#{make_anchor(name)}"
    links = [f"[{title}](errata.md#{make_anchor(title)})" for title, parts in read_errata().items() if part in parts]
    if links:
        yield from ("**Wrong in older sheets:**", "", *(f"- {link}" for link in links), "")


def _get_docstring(question: Question, name: str) -> str:
    value = importlib.import_module(f"reference.{question.stem}")
    for attribute in [name.replace(".", "_")] if question.answers else name.split("."):
        value = getattr(value, attribute)
    return str(inspect.getdoc(value))


def _read_module_text(question: Question) -> list[str]:
    """Read what the reference's module says on its conventions; of written answers it concerns the code alone."""
    docstring = str(inspect.getdoc(importlib.import_module(f"reference.{question.stem}")))
    return [] if question.answers else [" ".join(each.split()) for each in docstring.split("\n\n")[1:]]


def _read_notation() -> str:
    """Read the letters of the axes, and the names that are spelled out."""
    docstring = str(inspect.getdoc(importlib.import_module("reference")))
    return docstring.partition("\n\n")[2].rpartition("\n\n")[0]


@cache
def _list_tests() -> tuple[HiddenTest, ...]:
    return tuple(each.test for each in collect_hidden_tests(ASSIGNMENT, stems=ASSIGNMENT.stems))


def _write_origin(*sources: str) -> str:
    return f"<!-- generated by {COMMAND} from {', '.join(sources)} -->"


def main() -> None:
    """Write the pages."""
    for name, text in write_pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
