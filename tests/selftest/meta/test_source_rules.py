"""Rules over sources and prose: each has no offender in the project, and finds every one that is planted."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.sandbox.protocol import messages
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.project_sources import (
    GRADER,
    PROJECT,
    assert_none,
    find_matches,
    find_sources,
    get_relative,
    list_files,
    list_grader_sources,
    list_nodes,
    locate,
    read_nodes,
    read_text,
)

pytestmark = pytest.mark.once

Nodes = Sequence[ast.AST]
Found = Iterator[tuple[int, str]]

MESSAGES = {value for name, value in vars(messages).items() if name.isupper() and isinstance(value, str)}
SPEAKERS = ("sandbox", "grading", "diagnosis", "public_checks", "student.py")
# Strings that are equal to the name of a message and mean something else.
OTHER_MEANINGS = {
    ("autograder/sandbox/protocol/outcome.py", "returned"),  # kinds of outcomes
    ("autograder/sandbox/protocol/outcome.py", "raised"),
    ("autograder/sandbox/host/exports.py", "callback"),  # the name that a student's print shows
    ("autograder/sandbox/zygote/warm_up.py", "callback"),
}
REFUSALS = ("Refuse", "RuntimeError")  # in a test by hand, and in a toy
HIDDEN = list_files(PROJECT / "tests" / "hidden", ".py")
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
# The folders of an assignment; calls that run a text.
FOLDERS = {"reference", "starter_modules", "student_template", "tests", "hidden", "mistakes"}
RUN_TEXT = {"exec", "eval", "compile", "__import__"}
# The record of an assignment's folder; and a student's computer, where a folder of the handout has that name.
KNOWS_PATHS = ("assignment/assignment.py", "public_checks/")
QUESTIONS = {function.name for question in ASSIGNMENT.questions for function in question.functions}
QUESTIONS |= {name for stem in ASSIGNMENT.stems for name in (stem, f"{stem}.py")}


class Rule(NamedTuple):
    """Where a rule holds, what finds its offenders, and sources with the number of those planted in them."""

    list_paths: Callable[[], Iterable[Path]]
    find: Callable[[Nodes, str], Iterable[tuple[int, str]]]
    planted: Mapping[str, int]


def list_others(*apart: str) -> list[Path]:
    """List the modules of the grader but for those whose path begins so."""
    return [path for path in list_grader_sources() if not path.relative_to(GRADER).as_posix().startswith(apart)]


def find_speakers() -> list[Path]:
    """Return the modules that send, receive or pass on messages."""
    paths = [path for path in list_grader_sources() if path.relative_to(GRADER).parts[0] in SPEAKERS]
    return [path for path in paths if path.name != "messages.py"]


def find_bare_messages(nodes: Nodes, path: str) -> Found:
    """Yield the lines with a string that is the name of a request or a reply."""
    inside = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    texts = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    for node in texts:
        if node.value in MESSAGES and id(node) not in inside and (path, node.value) not in OTHER_MEANINGS:
            yield node.lineno, node.value


def list_refusals(nodes: Nodes) -> list[ast.Call]:
    """List the calls of what refuses a call in a source."""
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return [node for node in calls if ast.unparse(node.func).rpartition(".")[2] in REFUSALS]


def find_other_refusals(nodes: Nodes, _path: str) -> Found:
    """Yield the refusals whose text is no constant, and other uses of the class: students read them of hidden tests."""
    refusals = list_refusals(nodes)
    for each in refusals:
        if [type(argument) for argument in each.args] != [ast.Constant] or each.keywords:
            yield each.lineno, ast.unparse(each)
    called = [each.func for each in refusals]
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == "Refuse" and node not in called:
            yield node.lineno, "Refuse is used without a call"


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


def list_suspects() -> list[Path]:
    """List the files that have the letters of a retired word."""
    return [path for path in find_sources() if may_have_retired(f"{path.stem} {read_text(path)}")]


def find_retired(nodes: Nodes, path: str) -> Found:
    """Yield the line of each name with a retired word, and what is wrong."""
    for line, name in [(1, Path(path).stem), *find_names(nodes)]:
        if (term := find_term(name)) is not None:
            yield line, f"{name}; the term is: {term}"


def find_stems_in_messages(nodes: Nodes, _path: str) -> Found:
    """Yield the texts of a source, without docstrings, in which a user would read of a stem, other than the key."""
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            words = node.value.strip()
            if " " in words and re.search(r"(?<![`\w])stems?\b(?!`| =)", words):
                yield node.lineno, node.value


def find_calls_that_run_text(nodes: Nodes, _path: str) -> Found:
    """Yield the line and the name of each call that runs a text."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RUN_TEXT:
            yield node.lineno, node.func.id


def find_questions(nodes: Nodes, _path: str) -> Found:
    """Yield the names of questions and functions of the course.

    A question is data. Examples in messages and docstrings may name one; nothing that runs may depend on it.
    """
    for node in nodes:
        for field in ("id", "attr", "arg", "name", "value"):
            word = getattr(node, field, None)
            if isinstance(word, str) and word in QUESTIONS:
                yield getattr(node, "lineno", 1), word


def find_paths_of_assignments(nodes: Nodes, _path: str) -> Found:
    """Yield the parts of paths and of imported names that are folders of an assignment, each after its line."""
    for node in nodes:
        is_path = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
        if is_path or (isinstance(node, ast.Call) and ast.unparse(node.func) == "importlib.import_module"):
            for each in ast.walk(node):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield from ((each.lineno, word) for word in re.split(r"[./]", each.value) if word in FOLDERS)


RULES = {
    "a message is named by its constant": Rule(
        find_speakers, find_bare_messages, {"worker.exchange(('call', f))": 1, "worker.exchange((messages.CALL, f))": 0}
    ),
    "a hidden test refuses a call by a constant text": Rule(
        lambda: HIDDEN,
        find_other_refusals,
        {
            "raise Refuse(f'{n} parses')": 1,
            "raise Refuse('%d parses' % n)": 1,
            "raise Refuse('a parse of ' + word)": 1,
            "raise Refuse(reason)": 1,
            "raise Refuse('a', word)": 1,
            "kind = Refuse": 1,
            "raise Refuse('no parses')": 0,
        },
    ),
    "no name has a retired word": Rule(
        list_suspects,
        find_retired,
        {
            "class Lane: pass": 1,
            "def try_lane(): pass": 1,
            "class A:\n  stand_in: int": 1,
            "def f(*, proofs): pass": 1,
            "class Plane: pass": 0,
            "def array_relation(): pass": 0,
            "place_of_work = 1": 0,
        },
    ),
    "a message names a question by its id": Rule(
        list_grader_sources,
        find_stems_in_messages,
        {'fail(f"{x}: no such stem")': 1, '"""A stem."""\nread("stem")\nfail("the key `stem` is missing")': 0},
    ),
    # And on a student's computer, where the code is their own.
    "a text is run in the sandbox only": Rule(
        lambda: list_others("sandbox/", "public_checks/student_file.py"),
        find_calls_that_run_text,
        {"exec(text)": 1, "value = eval(text)": 1, "pattern.compile(text)": 0},
    ),
    "the grader names no question": Rule(
        list_others, find_questions, {"if stem == 'adam': pass": 1, "student.normalizeRows": 1, "student.add": 0}
    ),
    "one module knows the folders of an assignment": Rule(
        lambda: list_others(*KNOWS_PATHS),
        find_paths_of_assignments,
        {"root / 'tests' / 'hidden'": 3, "importlib.import_module(f'reference.{stem}')": 1, "root / 'tests.py'": 1},
    ),
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_has_no_offender(rule: Rule) -> None:
    paths = list(rule.list_paths())
    assert paths
    assert_none(locate(paths, lambda path: rule.find(read_nodes(path), get_relative(path))))


PLANTED = [(name, source, count) for name, rule in RULES.items() for source, count in rule.planted.items()]


@pytest.mark.parametrize(("name", "source", "count"), PLANTED)
def test_a_planted_offender_is_found(name: str, source: str, count: int) -> None:
    assert len(list(RULES[name].find(list_nodes(source), ""))) == count


def test_what_the_rules_read_is_there() -> None:
    assert {path.relative_to(GRADER).parts[0] for path in find_speakers()} == set(SPEAKERS)
    assert len(MESSAGES) == sum(name.isupper() and isinstance(each, str) for name, each in vars(messages).items())
    assert sum(len(list_refusals(read_nodes(path))) for path in HIDDEN) >= 6
    assert may_have_retired("class Lane: pass")


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
PROSE_EXEMPT = {"CHANGELOG.md", "tests/selftest/meta/test_source_rules.py"}


def find_pages() -> list[Path]:
    """Return the pages at the top and in docs/."""
    return [
        path for path in list_files(suffix=".md") if path.parent == PROJECT or path.is_relative_to(PROJECT / "docs")
    ]


def find_prose() -> list[Path]:
    """Return the pages and the sources whose prose is read."""
    pages = [*find_pages(), *list_files(PROJECT / "benchmarks", ".md")]
    scripts = [PROJECT / name for name in ("run_autograder", "setup.sh", "Dockerfile", ".ci/run")]
    hostile = list_files(PROJECT / "tests" / "selftest" / "hostile", ".py")
    return [path for path in [*pages, *scripts, *find_sources(), *hostile] if get_relative(path) not in PROSE_EXEMPT]


def test_no_prose_has_a_retired_phrase() -> None:
    assert_none(locate(find_prose(), lambda path: find_matches(read_text(path), PHRASE)))


def test_pages_name_a_question_by_its_id() -> None:
    pages = [path for path in find_pages() if get_relative(path) not in PROSE_EXEMPT]
    assert_none(locate(pages, lambda path: find_matches(read_text(path), STEM)))


def test_every_kind_of_file_is_read() -> None:
    assert len(find_sources()) > 500
    assert len(find_prose()) > len(find_sources()) + 200


def test_a_stem_on_a_page_and_a_retired_phrase_are_found() -> None:
    assert list(find_matches("A `stem`\nand a stem, `<stem>`.\n", STEM)) == [(2, "stem"), (2, "<stem>")]
    assert list(find_matches("A trip\nTo be had by the Lane.", PHRASE)) == [(2, "To be had"), (2, "the Lane")]
