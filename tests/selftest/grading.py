"""Grading: turns source texts that exist in memory only into reports, for the self-tests."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.grade import GradeRequest, grade_submission
from autograder.results import CheckResult, Report
from autograder.submission import QuestionFiles, SourceFile, Submission

PROJECT = Path(__file__).resolve().parents[2]
ASSIGNMENT = load_assignment(PROJECT / "reference" / "assignment.toml")


def reference_text(stem: str) -> str:
    """The text of a right solution."""
    return (PROJECT / "reference" / f"{stem}.py").read_text(encoding="utf-8")


def report_on(texts: Mapping[str, str]) -> Report:
    """The report on the questions named, each with one file of that text."""
    stems = [stem for stem in ASSIGNMENT.stems if stem in texts]
    files = tuple(QuestionFiles(stem, SourceFile(f"{stem}.py", texts[stem], stem)) for stem in stems)
    request = GradeRequest(Path("memory"), Path("nowhere"))
    return grade_submission(Submission(files, (), "", 0), ASSIGNMENT, request, started=time.monotonic())


def checks_of(stem: str, text: str) -> dict[str, CheckResult]:
    """The results of one question's hidden tests on one source text, by the name of the test function."""
    return {check.test_id.partition("::")[2]: check for check in report_on({stem: text}).checks}
