"""Exchanged tests: copies the toy's hidden tests with other inputs, or other verdicts, where students see neither.

A visible test is the same in each copy. All others run the same body on other random numbers, or end in another way.
"""

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.assignment import load_assignment
from autograder.grader import Grader
from autograder.gradescope.results_json import build_results
from autograder.results import Visibility
from autograder.submission import Submission
from tests.selftest.support.toy_assignment import ASSIGNMENT, TOY

PARTS = ("reference", "student_template", "tests/hidden")
_HEAD = """

import functools as _functools
from unittest import mock as _mock

from autograder.checks import CheckFailed as _CheckFailed
from autograder.programs.outcome import CallFailed as _CallFailed, Outcome as _Outcome, OutcomeKind as _Kind

_default_rng = np.random.default_rng


def _exchange(test):
    @_functools.wraps(test)
    def call(*arguments, **keywords):
        {body}

    return call


"""
_END = "try: test(*arguments, **keywords)\n        except Exception: pass\n        raise "
# What a hidden test does instead of its own, by the name of the change.
CHANGES: Mapping[str, str] = {
    "other inputs": (
        "with _mock.patch.object(np.random, 'default_rng', lambda seed: _default_rng([6, seed])):\n"
        "            return test(*arguments, **keywords)"
    ),
    "passed": "try: return test(*arguments, **keywords)\n        except Exception: return None",
    "failed": f"{_END}_CheckFailed('a value', expected='7', found='8')",
    "not written": f"{_END}_CallFailed(_Outcome(_Kind.NOT_WRITTEN))",
    "raised": f"{_END}_CallFailed(_Outcome(_Kind.RAISED, error_type='ValueError', message='secret'))",
    "timed out": f"{_END}_CallFailed(_Outcome(_Kind.TIMED_OUT))",
    "undecided": f"{_END}KeyError('a bug')",
    "not run": "import time; time.sleep(test.__globals__['WAIT_S']); return test(*arguments, **keywords)",
}


def copy_project(folder: Path, change: str, *, wait_s: float = 0.0) -> Path:
    """Copy the toy's tests with one of the CHANGES to those that are not visible; `wait_s`: for "not run"."""
    for part in PARTS:
        shutil.copytree(TOY / part, folder / part)
    for path in (folder / "tests" / "hidden").glob("test_*.py"):
        head, *tests = re.split(r"(?=^@weight)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert any('"visible"' not in test for test in tests)
        changed = [
            test if '"visible"' in test else re.sub("^def test_", "@_exchange\ndef test_", test, flags=re.MULTILINE)
            for test in tests
        ]
        imports = "import numpy as np\n" if "import numpy" not in head else ""
        added = f"{imports}{_HEAD.replace('{body}', CHANGES[change])}WAIT_S = {wait_s}\n\n"
        path.write_text("".join([head, added, *changed]), encoding="utf-8")
    return folder


def open_grader(project: Path) -> Grader:
    """Open a grader with the hidden tests of this project."""
    return Grader(load_assignment(project))


def make_submission(texts: Mapping[str, str]) -> Submission:
    """Make a submission of these questions, each with one file of that text."""
    return Submission.build(ASSIGNMENT, texts)


def grade(grader: Grader, submission: Submission, **options: Any) -> tuple[str, str]:
    """Grade a submission; return, as JSON, what students see at once, and the tests that they see later.

    Without the time and the score, which Gradescope shows with the last test, and without the grader's identity.
    """
    results = build_results(grader.grade(submission, **options))
    whole = json.loads(results.as_bytes())
    tests = whole.pop("tests")
    for name in ("execution_time", "score"):
        whole.pop(name)
    whole["extra_data"].pop("grader")
    seen = [test for test in tests if test["visibility"] == Visibility.VISIBLE.value]
    later = [test for test in tests if test not in seen]
    return json.dumps([seen, whole], indent=1), json.dumps(later, indent=1)
