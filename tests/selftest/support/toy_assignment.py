"""Toy assignment: the assignment that the tests of the grader grade, and reports on texts that exist in memory only.

A test of the grader imports nothing of this repository's own course, so that it never fails because of the course.
"""

from __future__ import annotations

import atexit
import importlib
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.grader import Grader
from autograder.mistakes import MistakeBank
from autograder.results import CheckResult, Report
from autograder.sandbox import limits
from autograder.submission import QuestionFiles, SourceFile, Submission

PROJECT = Path(__file__).resolve().parents[3]
TOY = PROJECT / "tests" / "selftest" / "toy_assignment"
EXAMPLES = TOY / "examples"
ASSIGNMENT = load_assignment(TOY)
FILES = {question.stem: question.files[0] for question in ASSIGNMENT.questions}
BANK = MistakeBank(ASSIGNMENT)
# Packages of the same name in both assignments, of which a process imports one.
_PACKAGES = ("tests", "reference", "tests.mistakes")


def merge_packages() -> None:
    """Have a process that tests both find the modules of the toy and of the course in packages of the same name.

    Their questions have different names. The course may be missing.
    """
    if str(TOY) not in sys.path:
        sys.path.append(str(TOY))
    for name in _PACKAGES:
        places = importlib.import_module(name).__path__
        for root in (PROJECT, TOY):
            folder = str(root.joinpath(*name.split(".")))
            if folder not in places and Path(folder).exists():
                places.append(folder)


def reference_text(stem: str) -> str:
    """The text of a right solution."""
    return BANK.read_right_source(stem)


@cache
def grader() -> Grader:
    """The one grader of this process: what takes long is done once for all self-tests that need no other."""
    made = Grader(ASSIGNMENT)
    atexit.register(made.close)
    return made


def shorten_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop endless loops sooner than students' ones; enough for anything else in the example submissions."""
    monkeypatch.setattr(limits, "CPU_S", 3)
    monkeypatch.setattr(limits, "CPU_AFTER_TIMEOUT_S", 1)


def report_on(texts: Mapping[str, str]) -> Report:
    """The report on the questions named, each with one file of that text."""
    stems = [stem for stem in ASSIGNMENT.stems if stem in texts]
    files = tuple(QuestionFiles(stem, SourceFile(FILES[stem], texts[stem], stem)) for stem in stems)
    return grader().grade(Submission(files, (), "", 0))


def checks_of(stem: str, text: str) -> dict[str, CheckResult]:
    """The results of one question's hidden tests on one source text, by the name of the test function."""
    return {check.test_id.partition("::")[2]: check for check in report_on({stem: text}).checks}


merge_packages()
