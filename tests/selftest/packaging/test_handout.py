"""package handout: the zip has what students need to check their work, and no secrets."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.assignment import load_assignment
from autograder.grading.collection import collect_hidden_tests
from autograder.packaging import Handout, PackagingError, pack_handout
from autograder.packaging.handout import require_portable, run_on_reference
from autograder.packaging.recording import Recorder
from autograder.packaging.slices import SliceError, slice_modules
from autograder.public_checks.expected import NotRecorded, decode_plain, encode_plain, load_recorded
from tests.selftest.cli.test_main import run
from tests.selftest.packaging.test_gradescope_zip import copy  # noqa: F401  (a fixture)
from tests.selftest.support.grading import ASSIGNMENT, PROJECT

CODE = [question.stem for question in ASSIGNMENT.questions if not question.answers]  # answers are checked by the grader

LEAST_CHARACTERS = 10  # shorter lines, such as `else:`, say nothing
# Lines of the reference that visible tests, or the checks that they call, have as well.
SAID_BY_TESTS = {"parse.parse_step(transition)", "return h_drop, mask", "step: float,", "iterations: int,"}
SAID_BY_TESTS |= {"from typing import TypeVar"}


@pytest.fixture(scope="module")
def handout() -> Handout:
    return pack_handout(ASSIGNMENT)


def read_lines(*folders: str) -> set[str]:
    paths = [path for folder in folders for path in (PROJECT / folder).rglob("*.py")]
    return {line.strip() for path in paths for line in path.read_text(encoding="utf-8").splitlines()}


@pytest.fixture(scope="module")
def everything(handout: Handout) -> str:
    """All bytes of the handout, as text."""
    return "\n".join(content.decode() for content in handout.files.values())


class TestSecrets:
    """The handout reveals nothing of solutions, mistakes or hidden tests."""

    def test_no_line_of_a_solution_is_in_it(self, everything):
        templates = "\n".join(path.read_text(encoding="utf-8") for path in (PROJECT / "student_template").glob("*.py"))
        secret = read_lines("reference") - read_lines("autograder") - SAID_BY_TESTS
        secret = {line for line in secret if len(line) >= LEAST_CHARACTERS and line not in templates}
        assert len(secret) > 400
        assert [line for line in secret if line in everything] == []

    def test_no_line_of_the_pages_of_solutions_is_in_it(self, handout, everything):
        pages = "\n".join(path.read_text(encoding="utf-8") for path in (PROJECT / "docs" / "solutions").glob("*.md"))
        told = "\n".join(read_lines("student_template"))  # a task in one line, where the solution begins with the same
        secret = {line.strip() for line in pages.splitlines() if len(line.strip()) > 30 and line.strip() not in told}
        assert len(secret) > 400
        assert [line for line in secret if line in everything] == []
        assert [path for path in handout.files if "solutions" in path or path.startswith("docs")] == []

    def test_no_line_of_a_mistake_is_in_it(self, everything):
        told = read_lines("autograder", "student_template", "tests/hidden") | SAID_BY_TESTS
        stories = {line for line in read_lines("tests/mistakes") - told if len(line) > 30 and '"test_' not in line}
        assert len(stories) > 400
        assert [line for line in stories if line in everything] == []

    def test_no_line_of_a_hidden_test_is_in_it(self, everything):
        hidden, others = split_lines()
        secret = {line for line in hidden - others if len(line) >= LEAST_CHARACTERS} - {'"sigmoid(x)",'}
        assert len(secret) > 300
        assert [line for line in secret if line in everything] == []

    def test_no_right_value_of_a_hidden_test_is_in_it(self, everything):
        visible, hidden = (collect_numbers(kinds) for kinds in ({"visible"}, {"after_due_date"}))
        assert len(visible) > 200
        assert len([number for number in visible if number in everything]) > 200
        assert len(hidden - visible) > 1000
        assert [number for number in hidden - visible if number in everything] == []


def split_lines() -> tuple[set[str], set[str]]:
    """Return the lines of tests that students do not see, and the other lines of their files."""
    hidden: set[str] = set()
    others: set[str] = set()
    for path in (PROJECT / "tests" / "hidden").glob("*.py"):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node in ast.parse(source).body:
            marks = [ast.unparse(each) for each in getattr(node, "decorator_list", ())]
            is_hidden = "visibility('after_due_date')" in marks
            own = {line.strip() for line in lines[node.lineno - 1 : node.end_lineno]}
            (hidden if is_hidden else others).update(own)
    return hidden, others


class Listener(Recorder):
    """Records every result of the reference, without telling tests apart."""

    def _keep(self, key: str, name: str, value: Any) -> None:
        self.results[f"{len(self.results)}"] = encode_plain(value)


def collect_numbers(kinds: set[str]) -> set[str]:
    """Return the long numbers that tests of these visibilities ask for, as the handout writes them, unsigned."""
    listeners = [Listener(importlib.import_module(f"reference.{stem}")) for stem in CODE]
    tests = collect_hidden_tests(ASSIGNMENT, stems=CODE)
    with ExitStack() as listening:
        for listener in listeners:
            listening.enter_context(listener.listen())
        for each in tests:
            if each.test.visibility.value in kinds:
                run_on_reference(ASSIGNMENT, each)
    text = json.dumps([listener.results for listener in listeners])
    numbers = {f"{float(number):.12g}" for number in re.findall(r"\d+\.\d{8,}", text)}
    return {number for number in numbers if len(number) >= LEAST_CHARACTERS}


class TestPacking:
    def test_the_command_writes_it(self, handout, tmp_path):
        done = run("package", "handout", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "handout.zip").read_bytes() == handout.as_zip()
        assert f"{handout.checks} public checks" in done.stdout

    def test_its_checks_are_counted_as_the_students_are_told(self, handout):
        """check.py counts the checks with points."""
        questions = json.loads(handout.files["public_checks/questions.json"])
        assert handout.checks == sum(check["points"] > 0 for each in questions for check in each["checks"])

    def test_it_holds_the_templates_and_the_modules_they_import(self, handout):
        assert {question.files[0] for question in ASSIGNMENT.questions} <= handout.files.keys()
        assert {"check.py", "README.md", "utils/gradcheck.py"} <= handout.files.keys()
        require_portable(handout.files)

    @pytest.mark.parametrize(
        "paths", [["a:b.py"], ["sub/aux.py"], ["wörter.py"], ["a b"], ["end."], ["Adam.py", "adam.py"], ["a\\b"]]
    )
    def test_names_that_are_invalid_on_some_system_are_refused(self, paths):
        with pytest.raises(PackagingError, match=r"is not a valid file name|systems that ignore case"):
            require_portable(paths)

    def test_a_visible_test_that_the_solution_fails_is_named(self, copy):  # noqa: F811  (the fixture)
        solution = copy / "reference" / "normalization.py"
        solution.write_text("def normalizeRows(x):\n    return 2 * x\n")
        with pytest.raises(PackagingError, match="test_normalize_rows_matrix fails on the right solution"):
            pack_handout(load_assignment(copy))


class TestRecording:
    @pytest.mark.parametrize(
        "value",
        [None, True, 3, 0.1, "a", [1, (2, "b")], {"k": (1.5,)}, float("inf"), np.arange(6.0).reshape(2, 3) / 7],
        ids=str,
    )
    def test_values_survive_encoding(self, value):
        plain = json.loads(json.dumps(encode_plain(value)))
        assert repr(decode_plain(plain)) == repr(value)

    def test_a_result_that_was_not_recorded_is_reported(self, tmp_path):
        content: dict[str, Any] = {"functions": ["f"], "classes": {}, "results": {}}
        (tmp_path / "toy.json").write_text(json.dumps(content))
        with pytest.raises(NotRecorded, match="the right result of f for these arguments is not part of the handout"):
            load_recorded(tmp_path / "toy.json")["f"](1)


TOY = {
    "toy/__init__.py": '"""Toy."""\nfrom toy.deep import unused\n',
    "toy/top.py": (
        '"""Top: does it."""\nimport os, sys\nfrom toy import deep as d\nfrom toy.deep import LIMIT as most\n\n'
        "# Why.\nA = B = 1\nSECRET = 2\n\ndef wanted(x: unknown) -> int:\n    return d.helper(A) + most\n\n"
        "def other():\n    return SECRET + len(sys.argv)\n"
    ),
    "toy/deep.py": "LIMIT = 3\nHIDDEN = 4\n\ndef helper(x):\n    return x\n\ndef unused():\n    return HIDDEN\n",
}


class TestSlices:
    @pytest.fixture
    def toy(self, tmp_path: Path) -> Path:
        (tmp_path / "toy").mkdir()
        for path, text in TOY.items():
            (tmp_path / path).write_text(text)
        return tmp_path

    def test_only_needed_parts_are_kept(self, toy):
        cut = slice_modules({"toy": toy}, {"toy.top": ["wanted"]})
        assert set(cut) == {"toy/__init__.py", "toy/top.py", "toy/deep.py"}
        everything = "\n".join(cut.values())
        assert not [word for word in ("SECRET", "HIDDEN", "unused", "other", "argv") if word in everything]
        assert "# Why.\nA = B = 1\n" in cut["toy/top.py"]
        done = subprocess.run([sys.executable, "-c", cut["toy/top.py"]], cwd=toy, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr

    def test_a_re_exported_module_is_sliced_too(self, toy):
        (toy / "toy" / "door.py").write_text("from toy import deep, top\nfrom toy.deep import unused\n")
        (toy / "toy" / "user.py").write_text(
            "from toy.door import deep as d, top, unused\n\ndef wanted():\n    return d.helper(1)\n"
        )
        cut = slice_modules({"toy": toy}, {"toy.user": ["wanted"]})
        assert set(cut) == {"toy/__init__.py", "toy/user.py", "toy/door.py", "toy/deep.py"}
        assert "from toy.door import deep as d\n" in cut["toy/user.py"]
        assert "from toy import deep\n" in cut["toy/door.py"]
        assert not [word for word in ("HIDDEN", "unused", "LIMIT") if word in "".join(cut.values())]

    def test_a_name_that_does_not_exist_is_an_error(self, toy):
        with pytest.raises(SliceError, match=r"toy\.top does not bind 'missing' at top level"):
            slice_modules({"toy": toy}, {"toy.top": ["missing"]})
