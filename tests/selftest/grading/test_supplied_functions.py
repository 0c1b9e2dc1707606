"""A function that the grader supplies earns no points of the function that it contains, whoever wraps it."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.grading import material
from autograder.grading.shared_workers import SharedWorkers
from autograder.programs.outcome import OutcomeKind
from autograder.results import CheckResult, Verdict
from autograder.sandbox.host.replies import read_failure
from autograder.sandbox.protocol import messages
from autograder.submission import find_defined_names
from tests.selftest.support.toy_assignment import ASSIGNMENT, FILES, reference_text, report_on_files

pytestmark = [pytest.mark.slow, pytest.mark.once]

QUESTIONS = {"squash": "fitting", "unit_rows": "rows"}
SUPPLIED = {"squash": ["q1_squash", "squash", "helpers.basics"], "unit_rows": ["kit.basics", "helpers.basics"]}
IMPORT = "from {module} import {name} as given\nimport copy, functools, importlib, sys, threading\nimport numpy as np\n"
WRAPPERS = {
    "a function of one line": "def {name}(*a): return given(*a)",
    "a lambda": "{name} = lambda *a: given(*a)",
    "a partial": "{name} = functools.partial(given)",
    "another name": "other = given\ndef {name}(*a): return other(*a)",
    "an object": "class Call:\n  __call__ = staticmethod(given)\n{name} = Call()",
    "a default": "def {name}(x, f=copy.deepcopy(given)): return f(x)",
    "a decorator": "def kept(f): return lambda *a: given(*a)\n@kept\ndef {name}(x): return None",
    "several helpers": "def a(x): return given(x)\ndef b(x): return a(x)\nc = [b]\ndef {name}(x): return c[0](x)",
    "a late import": "def {name}(x):\n  from {module} import {name} as late\n  return late(x)",
    "a second import": (
        "def {name}(x):\n  for each in list(sys.modules):\n    if each.startswith(('_grader_', {module!r})):\n"
        "      del sys.modules[each]\n  from {module} import {name} as late\n  return late(x)"
    ),
    "a reload": (
        "def {name}(x):\n  module = importlib.reload(sys.modules[given.__module__])\n  return module.{name}(x)"
    ),
    "a thread": (
        "def {name}(x):\n  found = []\n  thread = threading.Thread(target=lambda: found.append(given(x)))\n"
        "  thread.start(); thread.join()\n  return found[0]"
    ),
    "names changed": "given.__name__ = 'mine'\ngiven.__module__ = __name__\n{name} = given",
}


def grade_folder(folder: Path, files: Mapping[str, str], name: str) -> tuple[CheckResult, ...]:
    """Return the checks of a function in a submission of these files."""
    checks = report_on_files(folder, files, QUESTIONS[name]).checks
    return tuple(check for check in checks if check.functions == (name,))


def wrap(name: str, wrapper: str, module: str = "") -> str:
    module = module or SUPPLIED[name][0]
    return (IMPORT + wrapper + "\n").replace("{module!r}", repr(module)).format(name=name, module=module)


def assert_not_written(checks: tuple[CheckResult, ...], name: str) -> None:
    assert len(checks) >= 2
    assert {check.verdict for check in checks} == {Verdict.NOT_WRITTEN}, "\n".join(map(repr, checks))
    assert sum(check.score or 0 for check in checks) == 0
    detail = f"the {name} that was called is the one that the grader supplies; write {name} yourself"
    assert {check.output.splitlines()[0] for check in checks} == {f"Not written yet: {detail}"}


def test_every_supplied_function_that_is_graded_is_tested_here() -> None:
    graded = {function.name for question in ASSIGNMENT.questions for function in question.functions}
    defined = {name for text, _ in ASSIGNMENT.starter_modules.values() for name in find_defined_names(text)}
    assert graded & defined == set(SUPPLIED)


@pytest.mark.parametrize(("name", "module"), [(name, each) for name, modules in SUPPLIED.items() for each in modules])
def test_a_wrapper_around_any_alias_is_not_written(tmp_path: Path, name: str, module: str) -> None:
    text = wrap(name, WRAPPERS["a function of one line"], module)
    assert_not_written(grade_folder(tmp_path, {FILES[QUESTIONS[name]]: text}, name), name)


@pytest.mark.sampled(second=3)
@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("name", SUPPLIED)
def test_a_wrapper_of_any_kind_is_not_written(tmp_path: Path, name: str, wrapper: str) -> None:
    text = wrap(name, WRAPPERS[wrapper])
    assert_not_written(grade_folder(tmp_path, {FILES[QUESTIONS[name]]: text}, name), name)


CATCHES = """
def unit_rows(x):
    try:
        return given(x)
    except {caught}:
        return x / np.maximum(np.sqrt(np.sum(x**2, axis=1, keepdims=True)), 1e-30)
"""


@pytest.mark.parametrize("caught", ["NotImplementedError", "Exception", "BaseException"])
def test_the_refusal_counts_where_student_code_catches_it(tmp_path: Path, caught: str) -> None:
    text = wrap("unit_rows", CATCHES.replace("{caught}", caught))
    assert_not_written(grade_folder(tmp_path, {"rows.py": text}, "unit_rows"), "unit_rows")


AROUND = {
    "modules that wrap it": (
        "unit_rows",
        {
            "rows.py": "from tools import rows\ndef unit_rows(x): return rows(x)",
            "tools.py": "import more\nrows = lambda x: more.rows(x)",
            "more.py": "import functools, kit.basics as u\nrows = functools.partial(u.unit_rows)",
        },
    ),
    "a file of a supplied name": (
        "squash",
        {
            "fitting.py": "from q1_squash import squash",
            "q1_squash.py": "from squash import squash as given\ndef squash(x): return given(x)",
        },
    ),
    "a value that is computed meanwhile": (
        "unit_rows",
        {
            "rows.py": "import sys\ndef unit_rows(x):\n  sys.x = x\n  import more\n  return more.VALUE",
            "more.py": "import sys\nfrom kit.basics import unit_rows\nVALUE = unit_rows(sys.x)",
        },
    ),
}


@pytest.mark.parametrize(("name", "files"), AROUND.values(), ids=AROUND)
def test_files_of_the_students_are_no_way_around(tmp_path: Path, name: str, files: dict[str, str]) -> None:
    assert_not_written(grade_folder(tmp_path, files, name), name)


def test_it_works_as_a_prerequisite_of_other_functions(tmp_path: Path) -> None:
    text = reference_text("fitting")
    assert "def squash(" in text
    own = text.replace("def squash(", "def unused(") + "\nfrom helpers.basics import squash as supplied"
    own += "\ndef squash(x): return supplied(x.copy())\n"
    report = report_on_files(tmp_path, {"fitting.py": own}, "fitting")
    others = [check for check in report.checks if check.functions != ("squash",)]
    assert {check.verdict for check in others} == {Verdict.PASSED}
    assert_not_written(tuple(check for check in report.checks if check.functions == ("squash",)), "squash")


AT_LOAD = """
from q1_squash import squash as supplied_squash
from kit.basics import unit_rows as supplied_rows
import numpy as np
TABLE = supplied_squash(np.zeros((1, 4))) * 2
ROWS = supplied_rows(np.full((1, 4), 2.0)) * 2
"""


@pytest.mark.parametrize("name", SUPPLIED)
def test_while_a_file_loads_it_may_be_called(tmp_path: Path, name: str) -> None:
    question_id = QUESTIONS[name]
    text = f"{AT_LOAD}\n{reference_text(question_id)}".replace("from __future__ import annotations\n", "")
    report = report_on_files(tmp_path, {FILES[question_id]: text}, question_id)
    assert {check.verdict for check in report.checks} == {Verdict.PASSED}
    assert [question.notes for question in report.questions] == [()]


@pytest.mark.parametrize("name", ["other", "", "array([0.25, 0.5])"])
def test_a_reply_that_names_another_function_is_not_believed(name: str) -> None:
    """A worker may send anything; a text of its own could hold the inputs of a hidden check."""
    outcome = read_failure((messages.USED_SUPPLIED, name), (), {}, ("squash",))
    assert outcome.kind is OutcomeKind.GARBLED


def test_a_students_own_copy_is_the_students_work(tmp_path: Path) -> None:
    own = "import numpy as np\ndef unit_rows(x):\n  return x / np.maximum(np.linalg.norm(x, axis=1)[:, None], 1e-30)"
    files = {"rows.py": "from kit.basics import unit_rows", "kit/basics.py": own, "kit/__init__.py": ""}
    checks = grade_folder(tmp_path, files, "unit_rows")
    assert {check.verdict for check in checks} == {Verdict.PASSED}


BODIES = {
    "of its code": "{name} = types.FunctionType(given.__code__, {{'np': np}})",
    "of its source": (
        "finder = sys.meta_path[0]\n"
        "for source in finder._sources.values():\n"
        "  if 'def {name}' in source.text and source.path.startswith('support'):\n    exec(source.text, globals())"
    ),
    "of its values": "table = given(np.arange(6.0).reshape(2, 3))\ndef {name}(x): return table",
}


@pytest.mark.parametrize("copied", BODIES)
@pytest.mark.parametrize("name", SUPPLIED)
def test_a_copy_that_is_made_while_the_file_is_loaded_earns_nothing(tmp_path: Path, name: str, copied: str) -> None:
    text = wrap(name, f"import types\n{BODIES[copied]}")
    checks = grade_folder(tmp_path, {FILES[QUESTIONS[name]]: text}, name)
    assert sum(check.score or 0 for check in checks) == 0


@pytest.mark.parametrize("copied", ["of its code", "of its source"])
def test_a_copy_earned_the_points_with_the_body_in_the_worker(
    tmp_path: Path, copied: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(material, "withhold", lambda text, _: text)
    text = wrap("unit_rows", f"import types\n{BODIES[copied]}")
    checks = grade_folder(tmp_path, {"rows.py": text}, "unit_rows")
    assert all(check.score == check.points for check in checks)


@pytest.mark.parametrize("is_body_kept", [False, True], ids=["as it is", "in one worker for all questions"])
def test_a_body_that_an_earlier_question_kept_earns_nothing(
    tmp_path: Path, is_body_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_body_kept:
        monkeypatch.setattr(SharedWorkers, "_has_body", lambda *_: False)
    keeps = wrap("unit_rows", "np.sum.kept = given.__code__")
    takes = "import types\nimport numpy as np\nunit_rows = types.FunctionType(np.sum.kept, {'np': np})\n"
    files = {"fitting.py": reference_text("fitting") + keeps, "rows.py": takes}
    checks = report_on_files(tmp_path, files, "fitting", "rows").checks
    earned = sum(check.score or 0 for check in checks if check.question_id == "rows")
    assert earned == (4 if is_body_kept else 0)
