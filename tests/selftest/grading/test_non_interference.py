"""Non-interference: whatever the hidden tests hand to student code, the visible results and the output stay the same.

The hidden tests of a copy of the project draw other inputs. Submissions that try to carry inputs from one check to the
next are graded with both; the control shows that each of them does find what it looks for within one pass.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import load_assignment
from autograder.grader import Grader
from autograder.gradescope.results_json import build_results
from autograder.results import Visibility
from autograder.submission import QuestionFiles, SourceFile, Submission
from tests.selftest.support.grading import PROJECT, reference_text, shorten_loops

STEM = "normalization"
PARTS = ("reference", "student_template", "tests/hidden")
RIGHT = reference_text(STEM)
# Each keeps what a check handed over, wherever it can, and returns something else where it finds it again.
CARRIERS = {
    "nothing": "def keep(text): pass\ndef find(): return ''",
    "a module name": (
        "def keep(text):\n    try: __import__('json.x' + text.encode().hex())\n    except ImportError: pass\n"
        "def find():\n    import gc\n"
        "    sets = [each for each in gc.get_objects() if type(each) is frozenset]\n"
        "    return next((str(name) for each in sets for name in each if 'json.x' in str(name)), '')"
    ),
    "honest module names": (
        "names = ['colorsys', 'chunk', 'sndhdr', 'wave', 'netrc', 'mailcap', 'sched', 'stringprep']\n"
        "import sys\nbefore = set(sys.modules)\n"
        "def keep(text):\n    for bit, name in enumerate(names):\n        if hash(text) >> bit & 1:\n"
        "            try: __import__(name)\n            except ImportError: pass\n"
        "def find(): return ''.join(sorted(before & set(names)))"
    ),
    "an error": "def keep(text): raise ValueError(text)\ndef find(): return ''",
    "printed text": "def keep(text): print(text)\ndef find(): return ''",
    "a class name": "def keep(text): raise type(text[:50].encode().hex(), (Exception,), {})\ndef find(): return ''",
    "an exit status": "import os\ndef keep(text): os._exit(sum(text.encode()) % 256)\ndef find(): return ''",
    "endless code": "def keep(text):\n    while sum(text.encode()) % 2: pass\ndef find(): return ''",
    "module state": "import json\ndef keep(text): json.kept = text\ndef find(): return getattr(json, 'kept', '')",
    "numpy's generator": (
        "import numpy as np\nstart = np.random.get_state()[1][:4].tolist()\n"
        "def keep(text): np.random.seed(sum(text.encode()))\ndef find(): return str(start)"
    ),
    "a file": (
        "def keep(text):\n    with open('kept', 'w') as file: file.write(text)\n"
        "def find():\n    try: return open('kept').read()\n    except OSError: return ''"
    ),
    "memory": "kept = []\ndef keep(text): kept.append(bytearray(len(text) * 10**5))\ndef find(): return str(len(kept))",
}
CARRIER = """
import numpy as np

{code}

def normalizeRows(x):
    x = np.asarray(x, dtype=float)
    found = find()
    if found:
        raise RuntimeError("found " + found)
    keep(repr(x.tolist()))
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-300)
"""


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Grader, Grader]]:
    """A grader with the hidden tests, and one whose hidden tests draw other inputs."""
    project = tmp_path_factory.mktemp("project")
    for part in PARTS:
        shutil.copytree(PROJECT / part, project / part)
    change_hidden_inputs(project / "tests" / "hidden" / f"test_{STEM}.py")
    with contextlib.ExitStack() as opened:
        graders = []
        for root in (PROJECT, project):
            sys.modules.pop(f"test_{STEM}", None)  # each grader collects the tests of its own project
            made = Grader(load_assignment(root), project=root, only=[STEM])
            graders.append(opened.enter_context(made))
        yield graders[0], graders[1]
    sys.modules.pop(f"test_{STEM}", None)


def change_hidden_inputs(path: Path) -> None:
    """Change the seeds and the numbers of the tests that are not visible."""
    head, *tests = re.split(r"(?=^@weight)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sum('"visible"' in test for test in tests) in range(1, len(tests))
    changed = [
        test
        if '"visible"' in test
        else re.sub(r"default_rng\((\d+)\)", r"default_rng(9\1)", test).replace("1.0", "7.0")
        for test in tests
    ]
    assert changed != tests
    path.write_text("".join([head, *changed]), encoding="utf-8")


def grade(grader: Grader, text: str) -> tuple[list[Any], str, list[Any]]:
    """The visible entries without their times, the top-level output, and the other entries of one submission."""
    files = QuestionFiles(STEM, SourceFile(f"{STEM}.py", text, STEM))
    results = build_results(grader.grade(Submission((files,), (), "", 0)))
    visible = [test for test in results.tests if test.visibility == Visibility.VISIBLE.value]
    return visible, results.output, [test for test in results.tests if test not in visible]


@pytest.mark.parametrize("code", CARRIERS.values(), ids=CARRIERS)
def test_hidden_inputs_change_nothing_that_students_see_at_once(
    projects: tuple[Grader, Grader], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_loops(monkeypatch)
    (visible, output, _), (others, other_output, _) = (grade(each, CARRIER.format(code=code)) for each in projects)
    assert visible
    assert (visible, output) == (others, other_output)


def test_the_hidden_inputs_do_differ(projects: tuple[Grader, Grader]) -> None:
    text = CARRIER.format(code="def keep(text):\n  if sum(text.encode()) % 2: raise ValueError\ndef find(): return ''")
    assert grade(projects[0], text)[2] != grade(projects[1], text)[2]


def test_hidden_verdicts_change_nothing_that_students_see_at_once(projects: tuple[Grader, Grader]) -> None:
    """A function that is wrong in hidden tests alone is as right as any other, until the due date."""
    only_visible = f"{RIGHT}\nright = normalizeRows\ndef normalizeRows(x): return right(x) if len(x) == 4 else x\n"
    (visible, output, hidden), (right, right_output, passed) = (
        grade(projects[0], each) for each in (only_visible, RIGHT)
    )
    assert (visible, output) == (right, right_output)
    assert hidden != passed
