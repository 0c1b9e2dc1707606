"""Toy assignment: the assignment that the tests of the grader grade, and reports on texts that exist in memory only.

A test of the grader imports nothing of this repository's own course, so that it never fails because of the course.
"""

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.mistakes import MistakeBank
from autograder.results import Report
from autograder.submission import read_submission
from tests.selftest.support.text_grading import TextGrading

PROJECT = Path(__file__).resolve().parents[3]
TOY = PROJECT / "tests" / "selftest" / "toy_assignment"
EXAMPLES = TOY / "examples"
ASSIGNMENT = load_assignment(TOY)
FILES = {question.question_id: question.files[0] for question in ASSIGNMENT.questions}
BANK = MistakeBank(ASSIGNMENT)
# Packages of the same name in both assignments, of which a process imports one.
_PACKAGES = ("tests", "reference", "tests.mistakes")


def report_on_files(folder: Path, files: Mapping[str, str], *question_ids: str) -> Report:
    """Return the report on some questions of a submission with these files, which are written into the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return grader().grade(read_submission(folder, ASSIGNMENT, only=question_ids))


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


_texts = TextGrading(ASSIGNMENT)
grader, report_on, checks_of = _texts.grader, _texts.report_on, _texts.checks_of
reference_text = BANK.read_right_source

merge_packages()
