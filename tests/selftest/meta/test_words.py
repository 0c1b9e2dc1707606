"""The words of the project: names and prose use the field's terms, and retired words stay retired."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.selftest.support.project_sources import (
    PROJECT,
    assert_none,
    find_matches,
    get_relative,
    list_grader_sources,
    list_nodes,
    locate,
    read_nodes,
    read_text,
)

# Word parts that no module, class, function, field or argument has; the right side is the term to use.
RETIRED = {
    "lane": "second process",
    "sitting": "replay",
    "sits": "is replayed against",
    "rehearse": "replay, or warm up",
    "rehearsal": "replay, or warm-up",
    "trial": "attempt result",
    "stand in": "proxy (object), substitute (function), stub (module)",
    "hand in": "submission",
    "terms": "policy",
    "proof": "self-check",
    "proofs": "self-check",
    "prove": "self-check",
    "proved": "self-check",
    "canary": "self-check",
    "canaries": "self-check",
    "parcel": "packed submission",
    "slot": "grader process",
    "ticket": "worker spec",
    "likeness": "match",
    "misplacement": "array positions",
    "stray": "orphan",
    "strays": "orphans",
    "bound fork": "fork with parent-death signal",
    "whole file": "atomic file",
}
# Whole names that are retired, although the word may be a part of another name.
RETIRED_NAMES = {"mixed": "a noun"}
LETTERS = [word.replace(" ", "") for word in (*RETIRED, *RETIRED_NAMES)]
# Terms of a sum, not of a submission policy.
NAMES_ALLOWED = {"terms", "word2vec_gradient_terms"}

PHRASES = (
    r"\bto be had\b",
    r"\bbe no more\b",
    r"\bcomes? of (?:it|them|that)\b",
    r"\bdear(?:er|ly)?\b",
    r"\bmend(?:s|ed|ing)?\b",
    r"\bvouch(?:es|ed)?\b",
    r"\bstands? in for\b",
    r"\bstand-ins?\b",
    r"\bsits the\b",
    r"\bcanar(?:y|ies)\b",
    r"\brehears(?:e|es|ed|al|als|ing)\b",
    r"\bhand(?:ed|ing)?[- ]ins?\b",
    r"\bin the lane\b|\bthe lane\b",
    r"\bnobody wishes\b",
    r"\bat every moment there is\b",
    r"\bhave nobody\b",
)
PHRASE = re.compile("|".join(PHRASES), re.IGNORECASE)
STEM = re.compile(r"(?<!`)\bstems?\b|<stem>|\bSTEM\b")  # on a page, where the word is id
PROSE_EXEMPT = {"CHANGELOG.md", "tests/selftest/meta/test_words.py"}
# Texts as students and starter code write them.
TEXTS_OF_STUDENTS = (
    "starter_modules",
    "examples",
    "tests/selftest/broken_uploads",
    "tests/selftest/toy_assignment/examples",
    "tests/selftest/right",
    "tests/selftest/hostile/",
)
SCOPE = ("autograder", "benchmarks", "reference", "student_template", "tests")


def find_sources() -> list[Path]:
    """Return the Python files whose names are the project's own."""
    paths = [path for folder in SCOPE for path in sorted((PROJECT / folder).rglob("*.py"))]
    return [path for path in paths if not get_relative(path).startswith(TEXTS_OF_STUDENTS)]


def find_pages() -> list[Path]:
    """Return the pages at the top and in docs/."""
    return [*sorted(PROJECT.glob("*.md")), *sorted((PROJECT / "docs").rglob("*.md"))]


def find_prose() -> list[Path]:
    """Return the pages and the sources whose prose is read."""
    pages = [*find_pages(), *sorted((PROJECT / "benchmarks").glob("*.md"))]
    scripts = [PROJECT / name for name in ("run_autograder", "setup.sh", "Dockerfile", ".ci/run")]
    hostile = sorted((PROJECT / "tests" / "selftest" / "hostile").glob("*.py"))
    return [path for path in [*pages, *scripts, *find_sources(), *hostile] if get_relative(path) not in PROSE_EXEMPT]


def split_name(name: str) -> str:
    """Return the words of a name, in lower case with spaces between them."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return " ".join(spaced.replace("_", " ").lower().split())


def find_names(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield each name of a class, function, argument or field in a source, after its line."""
    for node in nodes:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.lineno, node.target.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


@cache
def find_term(name: str) -> str | None:
    """Return the term to use for a name that has a retired word in it, and None for every other name."""
    words = f" {split_name(name)} "
    terms = [term for word, term in RETIRED.items() if f" {word} " in words]
    terms += [term for word, term in RETIRED_NAMES.items() if word == name.lower().strip("_")]
    return terms[0] if terms and name not in NAMES_ALLOWED else None


def may_have_retired(text: str) -> bool:
    """Whether a source has the letters of a retired word; only then it needs to be parsed."""
    letters = text.lower().replace("_", "")
    return any(word in letters for word in LETTERS)


def find_retired(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the line of each name with a retired word, and what is wrong."""
    for line, name in find_names(nodes):
        if (term := find_term(name)) is not None:
            yield line, f"{name}; the term is: {term}"


def find_stems_in_messages(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the texts of a source, without docstrings, in which a user would read of a stem, other than the key."""
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            words = node.value.strip()
            if " " in words and re.search(r"(?<![`\w])stems?\b(?!`| =)", words):
                yield node.lineno, node.value


def test_no_name_has_a_retired_word() -> None:
    files = {path: find_term(path.stem) for path in find_sources()}
    modules = [f"{get_relative(path)}; the term is: {term}" for path, term in files.items() if term is not None]
    suspects = [path for path in files if may_have_retired(read_text(path))]
    assert_none([*modules, *locate(suspects, lambda path: find_retired(read_nodes(path)))])


def test_no_prose_has_a_retired_phrase() -> None:
    assert_none(locate(find_prose(), lambda path: find_matches(read_text(path), PHRASE)))


def test_messages_name_a_question_by_its_id() -> None:
    assert_none(locate(list_grader_sources(), lambda path: find_stems_in_messages(read_nodes(path))))


def test_pages_name_a_question_by_its_id() -> None:
    pages = [path for path in find_pages() if get_relative(path) not in PROSE_EXEMPT]
    assert_none(locate(pages, lambda path: find_matches(read_text(path), STEM)))


def test_every_kind_of_file_is_read() -> None:
    assert len(find_sources()) > 500
    assert len(find_prose()) > len(find_sources()) + 200
    assert len(find_pages()) > 25


def test_a_stem_in_a_message_is_found() -> None:
    assert list(find_stems_in_messages(list_nodes('fail(f"{x}: no such stem")'))) == [(1, ": no such stem")]
    assert not list(
        find_stems_in_messages(list_nodes('"""A stem."""\nread("stem")\nfail("the key `stem` is missing")'))
    )


def test_a_stem_on_a_page_and_a_retired_phrase_are_found() -> None:
    assert list(find_matches("A `stem`\nand a stem, `<stem>`.\n", STEM)) == [(2, "stem"), (2, "<stem>")]
    assert list(find_matches("A trip\nTo be had by the Lane.", PHRASE)) == [(2, "To be had"), (2, "the Lane")]


@pytest.mark.parametrize(
    "source", ["class Lane: pass", "def try_lane(): pass", "class A:\n  stand_in: int", "def f(*, proofs): pass"]
)
def test_a_retired_word_is_found_in_every_kind_of_name(source: str) -> None:
    assert may_have_retired(source)
    assert len(list(find_retired(list_nodes(source)))) == 1


@pytest.mark.parametrize("source", ["class Plane: pass", "def array_relation(): pass", "place_of_work = 1"])
def test_other_words_are_free(source: str) -> None:
    assert not list(find_retired(list_nodes(source)))
