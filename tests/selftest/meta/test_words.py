"""The words of the project: names and prose use the field's terms, and retired words stay retired."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.selftest.support.grading import PROJECT

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
    return [path for path in paths if not _relative(path).startswith(TEXTS_OF_STUDENTS)]


def find_prose() -> list[Path]:
    """Return the pages and the sources whose prose is read."""
    pages = [*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md"), *(PROJECT / "benchmarks").glob("*.md")]
    scripts = [PROJECT / name for name in ("run_autograder", "setup.sh", "Dockerfile", ".ci/run")]
    hostile = sorted((PROJECT / "tests" / "selftest" / "hostile").glob("*.py"))
    return [path for path in [*pages, *scripts, *find_sources(), *hostile] if _relative(path) not in PROSE_EXEMPT]


def split_name(name: str) -> str:
    """Return the words of a name, in lower case with spaces between them."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return " ".join(spaced.replace("_", " ").lower().split())


def find_names(text: str) -> Iterator[tuple[str, int]]:
    """Yield each name of a class, function, argument or field in a source, with its line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno


def find_retired(text: str) -> list[str]:
    """Return the names of a source that have a retired word in them."""
    return [f"line {line}: {name}" for name, line in find_names(text) if is_retired(name)]


def is_retired(name: str) -> bool:
    """Whether a name has a retired word in it."""
    words = f" {split_name(name)} "
    return name not in NAMES_ALLOWED and (
        name.lower().strip("_") in RETIRED_NAMES or any(f" {word} " in words for word in RETIRED)
    )


def _relative(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


@pytest.mark.parametrize("path", find_sources(), ids=_relative)
def test_no_name_has_a_retired_word(path: Path) -> None:
    assert not is_retired(path.stem)
    assert find_retired(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", find_prose(), ids=_relative)
def test_no_prose_has_a_retired_phrase(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = [(text.count("\n", 0, match.start()) + 1, match[0]) for match in re.finditer("|".join(PHRASES), text, re.I)]
    assert found == []


def find_stems_in_messages(text: str) -> list[str]:
    """Return the texts of a source, without docstrings, in which a user would read of a stem, other than the key."""
    tree = ast.parse(text)
    prose = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    told = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in prose)
    texts = [node.value for node in told if isinstance(node.value, str) and " " in node.value.strip()]
    return [each for each in texts if re.search(r"(?<![`\w])stems?\b(?!`| =)", each)]


@pytest.mark.parametrize("path", sorted((PROJECT / "autograder").rglob("*.py")), ids=_relative)
def test_messages_name_a_question_by_its_id(path: Path) -> None:
    assert find_stems_in_messages(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", [*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")], ids=_relative)
def test_pages_name_a_question_by_its_id(path: Path) -> None:
    if _relative(path) not in PROSE_EXEMPT:
        assert re.findall(r"(?<!`)\bstems?\b|<stem>|\bSTEM\b", path.read_text(encoding="utf-8")) == []


def test_a_stem_in_a_message_is_found() -> None:
    assert find_stems_in_messages('fail(f"{x}: no such stem")') == [": no such stem"]
    assert find_stems_in_messages('"""A stem."""\nread("stem")\nfail("the key `stem` is missing")') == []


@pytest.mark.parametrize(
    "source", ["class Lane: pass", "def try_lane(): pass", "class A:\n  stand_in: int", "def f(*, proofs): pass"]
)
def test_a_retired_word_is_found_in_every_kind_of_name(source: str) -> None:
    assert len(find_retired(source)) == 1


@pytest.mark.parametrize("source", ["class Plane: pass", "def array_relation(): pass", "place_of_work = 1"])
def test_other_words_are_free(source: str) -> None:
    assert find_retired(source) == []
