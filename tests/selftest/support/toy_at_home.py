"""Toy at home: the toy assignment with checks of contracts, which run on a student's computer too.

Three questions have the hidden tests of `by_contract`; those of the others are written by hand.
"""

import atexit
import shutil
import tempfile
from pathlib import Path

from autograder.assignment import load_assignment
from tests.selftest.support.staff_project import copy_assignment, write_seed
from tests.selftest.support.text_grading import TextGrading
from tests.selftest.support.toy_assignment import TOY


def make_toy_at_home() -> Path:
    """Make the folder of the assignment, which is there until this process ends."""
    root = Path(tempfile.mkdtemp(prefix="toy_at_home_"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    copy_assignment(root, TOY)
    shutil.copytree(TOY / "by_contract", root / "tests" / "hidden", dirs_exist_ok=True)
    write_seed(root, "at home")
    return root


TOY_AT_HOME = make_toy_at_home()
ASSIGNMENT = load_assignment(TOY_AT_HOME)
_texts = TextGrading(ASSIGNMENT)
grader, report_on = _texts.grader, _texts.report_on
