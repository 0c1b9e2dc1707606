"""package handout: students check their work with numpy alone, read Gradescope's messages, and learn no more."""

from __future__ import annotations

import ast
import importlib
import json
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.grading.collection import collect_hidden_tests
from autograder.packaging import Handout, PackagingError, pack_handout
from autograder.packaging.handout import require_portable, run_on_reference
from autograder.packaging.recording import Recorder
from autograder.packaging.slices import SliceError, slices
from autograder.public_checks.expected import NotRecorded, as_plain, from_plain, recorded
from tests.selftest.cli.test_main import run
from tests.selftest.golden.regenerate import golden_path
from tests.selftest.packaging.test_gradescope_zip import copy  # noqa: F401  (a fixture)
from tests.selftest.support.grading import ASSIGNMENT, PROJECT

CODE = [question.stem for question in ASSIGNMENT.questions if not question.answers]  # answers are checked by the grader

# What students do not have: the grader's packages, and the modules that Windows lacks.
MISSING = ("click", "docker", "fcntl", "gradescope_utils", "pydantic", "pytest", "resource", "rich", "tomli")
START = f"""
import runpy, sys
sys.modules.update(dict.fromkeys({MISSING!r}))
sys.argv = sys.argv[1:]
sys.path.insert(0, "the folder of the script")
runpy.run_path(sys.argv[0], run_name="__main__")
"""
LEAST_CHARACTERS = 10  # shorter lines, such as `else:`, say nothing
# Lines of the reference that visible tests have as well.
SAID_BY_TESTS = {"parse.parse_step(transition)", "return h_drop, mask", "step: float,", "iterations: int,"}


@pytest.fixture(scope="module")
def handout() -> Handout:
    return pack_handout(PROJECT)


@pytest.fixture
def folder(handout: Handout, tmp_path: Path) -> Path:
    """The handout unpacked, in a folder with a space and an umlaut in its name."""
    for path, content in handout.files.items():
        (tmp_path / "my wörk" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "my wörk" / path).write_bytes(content)
    return tmp_path / "my wörk"


def hand_in(folder: Path, example: Path) -> None:
    """Put an example's files in the place of the templates."""
    for template in folder.glob("*.py"):
        if template.name != "check.py":
            template.unlink()
    shutil.copytree(example, folder, dirs_exist_ok=True)


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run check.py from another folder, with numpy and nothing else."""
    command = [sys.executable, "-c", START, str(folder / "check.py"), *arguments]
    return subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False, encoding="utf-8")


def outputs_in(text: str) -> dict[str, str]:
    """By number what is said of each check."""
    heads = list(re.finditer(r"^  (?:PASS|FAIL) ([\d.]+) .*$", text, re.MULTILINE))
    said = {}
    for head, following in zip(heads, [*heads[1:], None], strict=False):
        body = text[head.end() : following.start() if following else len(text)]
        said[head[1]] = "\n".join(line[6:] for line in body.splitlines() if line.startswith("      ")) or "Passed."
    return said


def comparable(output: str) -> list[str]:
    """The lines that do not depend on what students do not have."""
    before, shown, after = output.partition("To see it yourself, beside your file:\n")
    printed = after[after.index("Printed by your code:") :] if shown and "Printed by your code:" in after else ""
    return [line for line in (before + printed).splitlines() if not line.startswith(("  hint: ", "  gradient: "))]


def lines_of(*folders: str) -> set[str]:
    paths = [path for folder in folders for path in (PROJECT / folder).rglob("*.py")]
    return {line.strip() for path in paths for line in path.read_text(encoding="utf-8").splitlines()}


@pytest.fixture(scope="module")
def everything(handout: Handout) -> str:
    """Every byte that is handed out, as text."""
    return "\n".join(content.decode() for content in handout.files.values())


class TestSecrets:
    """Nothing that is handed out tells of solutions, mistakes or hidden tests."""

    def test_no_line_of_a_solution_is_in_it(self, everything):
        templates = "\n".join(path.read_text(encoding="utf-8") for path in (PROJECT / "student_template").glob("*.py"))
        secret = lines_of("reference") - lines_of("autograder") - SAID_BY_TESTS
        secret = {line for line in secret if len(line) >= LEAST_CHARACTERS and line not in templates}
        assert len(secret) > 400
        assert [line for line in secret if line in everything] == []

    def test_no_line_of_a_mistake_is_in_it(self, everything):
        told = lines_of("autograder", "student_template", "tests/hidden") | SAID_BY_TESTS
        stories = {line for line in lines_of("tests/mistakes") - told if len(line) > 30 and '"test_' not in line}
        assert len(stories) > 400
        assert [line for line in stories if line in everything] == []

    def test_no_line_of_a_hidden_test_is_in_it(self, everything):
        hidden, others = hidden_and_other_lines()
        secret = {line for line in hidden - others if len(line) >= LEAST_CHARACTERS} - {'"sigmoid(x)",'}
        assert len(secret) > 300
        assert [line for line in secret if line in everything] == []

    def test_no_right_value_of_a_hidden_test_is_in_it(self, everything):
        visible, hidden = (numbers_asked_for(kinds) for kinds in ({"visible"}, {"after_due_date"}))
        assert len(visible) > 200
        assert len([number for number in visible if number in everything]) > 200
        assert len(hidden - visible) > 1000
        assert [number for number in hidden - visible if number in everything] == []


def hidden_and_other_lines() -> tuple[set[str], set[str]]:
    """The lines of hidden tests that students do not see, and those of the rest of their files."""
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
    """Keeps whatever the reference answers; no test need be told from another."""

    def _keep(self, key: str, name: str, value: Any) -> None:
        self.results[f"{len(self.results)}"] = as_plain(value)


def numbers_asked_for(kinds: set[str]) -> set[str]:
    """The numbers of many digits that tests of these visibilities ask for, as the handout writes them, unsigned."""
    listeners = [Listener(importlib.import_module(f"reference.{stem}")) for stem in CODE]
    tests = collect_hidden_tests(PROJECT / "tests" / "hidden", ASSIGNMENT, stems=CODE)
    with ExitStack() as listening:
        for listener in listeners:
            listening.enter_context(listener.listening())
        for each in tests:
            if each.test.visibility.value in kinds:
                run_on_reference(PROJECT, ASSIGNMENT, each)
    text = json.dumps([listener.results for listener in listeners])
    numbers = {f"{float(number):.12g}" for number in re.findall(r"\d+\.\d{8,}", text)}
    return {number for number in numbers if len(number) >= LEAST_CHARACTERS}


class TestChecking:
    def test_right_answers_pass(self, folder):
        hand_in(folder, PROJECT / "examples" / "right")
        done = check(folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert "FAIL" not in done.stdout
        assert re.search(r"\n(\d+) of \1 public checks passed, ([\d.]+) of \2 points\n\Z", done.stdout)

    @pytest.mark.parametrize("example", ["half_done", "wrong"])
    def test_the_messages_are_those_of_gradescope(self, folder, example):
        """But for what needs known mistakes, or the grader's functions in place of the student's other ones."""
        hand_in(folder, PROJECT / "examples" / example)
        said = outputs_in(check(folder).stdout)
        tests = json.loads(golden_path(example).read_bytes())["tests"]
        graded = {test["number"]: test for test in tests if test["visibility"] == "visible" and test["tags"][0] in CODE}
        assert said.keys() == graded.keys()
        for number, test in graded.items():
            if "Full credit: this passes with the grader's" not in test["output"]:
                assert comparable(said[number]) == comparable(test["output"]), number
        assert ("It was stopped because it took too long." in "\n".join(said.values())) == (example == "wrong")

    def test_what_is_not_written_yet_says_so(self, folder):
        done = check(folder, "sgd")
        assert done.returncode == 1
        assert set(outputs_in(done.stdout).values()) == {"Not written yet"}

    @pytest.mark.parametrize("word", ["normalization", "normalization.py", "./Normalization.py"])
    def test_one_question_is_chosen_by_its_name_or_its_file(self, folder, word):
        assert set(outputs_in(check(folder, word).stdout)) == {"3.1"}

    def test_an_unknown_question_is_answered_with_the_list(self, folder):
        done = check(folder, "sudoku")
        assert done.returncode == 2
        assert done.stderr.startswith("there is no question 'sudoku'; there are: word2vec, sgd, ")

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                b"def normalizeRows(x):\r\n    return x\r\n",
                "FAIL normalizeRows(x)\n  expected: the right values, shape",
            ),
            (
                b"def normalizeRows(x):\n    1 / 0\n",
                "a ZeroDivisionError: division by zero\n  where:    normalization.py",
            ),
            (b"def normalizeRows(x) return x\n", "FAIL The file could not be loaded.\n  found:    a SyntaxError"),
            (b"raise SystemExit\n", "FAIL The file could not be loaded.\n  found:    a SystemExit"),
            (b"x = 1\n", "Not written yet: the file does not define normalizeRows"),
            (b"def normalizeRows(x):\n    print('here')\n", "Printed by your code:\n  | here"),
            (None, "Not written yet: no file of this question was found (normalization.py"),
        ],
        ids=["wrong", "raises", "syntax", "exit", "undefined", "prints", "missing"],
    )
    def test_each_way_to_fail_has_its_message(self, folder, text, told):
        (folder / "normalization.py").unlink()
        if text is not None:
            (folder / "normalization.py").write_bytes(text)
        assert told in outputs_in(check(folder, "normalization").stdout)["3.1"]

    def test_files_named_like_modules_of_python_do_no_harm(self, folder):
        hand_in(folder, PROJECT / "examples" / "right")
        for name in ("random.py", "json.py", "numpy.py"):
            (folder / name).write_text("raise ValueError('not meant')\n")
        assert check(folder, "normalization").returncode == 0


class TestPacking:
    def test_the_command_writes_it(self, handout, tmp_path):
        done = run("package", "handout", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "handout.zip").read_bytes() == handout.as_zip()
        assert f"{handout.checks} public checks" in done.stdout

    def test_it_holds_what_students_write_and_what_that_imports(self, handout):
        assert {question.files[0] for question in ASSIGNMENT.questions} <= handout.files.keys()
        assert {"check.py", "README.md", "utils/gradcheck.py"} <= handout.files.keys()
        require_portable(handout.files)

    @pytest.mark.parametrize(
        "paths", [["a:b.py"], ["sub/aux.py"], ["wörter.py"], ["a b"], ["end."], ["Adam.py", "adam.py"], ["a\\b"]]
    )
    def test_names_that_some_system_cannot_have_are_refused(self, paths):
        with pytest.raises(PackagingError, match=r"cannot be the name of a file|where case does not count"):
            require_portable(paths)

    def test_a_visible_test_that_the_solution_fails_is_named(self, copy):  # noqa: F811  (the fixture)
        solution = copy / "reference" / "normalization.py"
        solution.write_text("def normalizeRows(x):\n    return 2 * x\n")
        with pytest.raises(PackagingError, match="test_normalize_rows_matrix fails on the right solution"):
            pack_handout(copy)


class TestRecording:
    @pytest.mark.parametrize(
        "value",
        [None, True, 3, 0.1, "a", [1, (2, "b")], {"k": (1.5,)}, float("inf"), np.arange(6.0).reshape(2, 3) / 7],
        ids=str,
    )
    def test_values_come_back_as_they_were(self, value):
        plain = json.loads(json.dumps(as_plain(value)))
        assert repr(from_plain(plain)) == repr(value)

    def test_what_was_not_recorded_is_said_to_be_missing(self, tmp_path):
        content: dict[str, Any] = {"functions": ["f"], "classes": {}, "results": {}}
        (tmp_path / "toy.json").write_text(json.dumps(content))
        with pytest.raises(NotRecorded, match="the right result of f for these arguments is not part of the handout"):
            recorded(tmp_path / "toy.json")["f"](1)


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

    def test_only_what_is_needed_is_kept(self, toy):
        cut = slices(toy, {"toy.top": ["wanted"]}, packages=["toy"])
        assert set(cut) == {"toy/__init__.py", "toy/top.py", "toy/deep.py"}
        everything = "\n".join(cut.values())
        assert not [word for word in ("SECRET", "HIDDEN", "unused", "other", "argv") if word in everything]
        assert "# Why.\nA = B = 1\n" in cut["toy/top.py"]
        done = subprocess.run([sys.executable, "-c", cut["toy/top.py"]], cwd=toy, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr

    def test_a_module_that_another_one_re_exports_is_cut_too(self, toy):
        (toy / "toy" / "door.py").write_text("from toy import deep, top\nfrom toy.deep import unused\n")
        (toy / "toy" / "user.py").write_text(
            "from toy.door import deep as d, top, unused\n\ndef wanted():\n    return d.helper(1)\n"
        )
        cut = slices(toy, {"toy.user": ["wanted"]}, packages=["toy"])
        assert set(cut) == {"toy/__init__.py", "toy/user.py", "toy/door.py", "toy/deep.py"}
        assert "from toy.door import deep as d\n" in cut["toy/user.py"]
        assert "from toy import deep\n" in cut["toy/door.py"]
        assert not [word for word in ("HIDDEN", "unused", "LIMIT") if word in "".join(cut.values())]

    def test_a_name_that_does_not_exist_is_an_error(self, toy):
        with pytest.raises(SliceError, match=r"toy\.top binds no 'missing' at its top"):
            slices(toy, {"toy.top": ["missing"]}, packages=["toy"])
