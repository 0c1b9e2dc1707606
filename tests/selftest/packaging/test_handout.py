"""package handout: the zip has what students need to check their work, with names that every system allows."""

import ast
import gzip
import json
import re
import sys
import zipfile

import pytest

from autograder import ENGINE
from autograder.assignment import load_assignment
from autograder.packaging.handout import Handout, pack_handout, read_home_modules
from autograder.packaging.tree import PackagingError
from tests.selftest.cli.test_main import run
from tests.selftest.support.handout import get_handout, list_texts
from tests.selftest.support.toy_at_home import ASSIGNMENT, TOY_AT_HOME, make_toy_at_home

pytestmark = [pytest.mark.slow, pytest.mark.once]


def test_the_command_writes_it_and_counts_the_checks_with_points_as_students_do(tmp_path):
    handout = get_handout()
    done = run("package", "handout", cwd=tmp_path, AUTOGRADER_ASSIGNMENT=str(TOY_AT_HOME))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "handout.zip").read_bytes() == handout.as_zip()
    questions = [json.loads(text) for path, text in list_texts(handout).items() if path.startswith("checks/")]
    counted = sum("data" in check for each in questions for check in each["checks"])
    assert f"{counted} visible checks" in done.stdout


def test_the_handout_is_the_templates_and_a_file_for_each_question():
    """`check.py`, and in one zip the modules of the grader that it needs."""
    files = get_handout().files.keys()
    questions = {f"checks/{question_id}.json.gz" for question_id in ASSIGNMENT.question_ids if question_id != "quiz"}
    assert {path for path in files if path.startswith("checks/")} == questions | {"checks/grader.zip"}
    templates = {question.files[0] for question in ASSIGNMENT.questions}
    assert templates | {"check.py", "README.md", "kit/slopes.py", "assignment.md", "assignment.html"} <= files


def test_a_visible_check_that_the_solution_fails_is_named():
    root = make_toy_at_home()
    (root / "reference" / "rows.py").write_text("def unit_rows(x):\n    return 2 * x\n")
    with pytest.raises(PackagingError, match="test_unit_rows fails on the right solution"):
        pack_handout(load_assignment(root))


@pytest.mark.ci
def test_a_check_by_hand_has_no_data_and_is_named(tmp_path):
    done = run("package", "handout", "--force", cwd=tmp_path, AUTOGRADER_ASSIGNMENT=str(TOY_AT_HOME))
    assert done.returncode == 0, done.stderr
    assert "\nwritten by hand, so that they run on Gradescope alone: 1.8, 4.1, " in done.stdout
    with zipfile.ZipFile(tmp_path / "handout.zip") as packed:
        described = json.loads(gzip.decompress(packed.read("checks/machine.json.gz")))
    assert len(described["checks"]) == 4
    assert not [check for check in described["checks"] if "data" in check]


class TestTaskSheet:
    def test_a_text_becomes_part_of_it_and_is_no_file_of_its_own(self):
        files = pack_toy("Each row is divided by $\\lVert x \\rVert$.").files
        assert b"\nEach row is divided by $\\lVert x \\rVert$.\n" in files["assignment.md"]
        assert b"Each row is divided by <span" in files["assignment.html"]
        assert [path for path in files if path.startswith("tasks")] == []

    def test_html_in_a_text_is_shown_as_it_is(self):
        assert b"&lt;script&gt;" in pack_toy("<script>").files["assignment.html"]

    @pytest.mark.parametrize("formula", ["\\left( a", "\\lft( a"])
    def test_a_formula_that_is_not_tex_is_named(self, formula):
        with pytest.raises(PackagingError, match=f"a formula below student_template is not TeX: {re.escape(formula)}"):
            pack_toy(f"It is ${formula}$.")


def pack_toy(text: str) -> Handout:
    """Pack the toy with this text for its question `rows`."""
    root = make_toy_at_home()
    (root / "student_template" / "tasks").mkdir()
    (root / "student_template" / "tasks" / "rows.md").write_text(text, encoding="utf-8")
    return pack_handout(load_assignment(root))


class TestModules:
    """The grader's modules in the handout are copied whole."""

    @pytest.fixture
    def modules(self) -> dict[str, str]:
        return {path: content.decode() for path, content in read_home_modules().items() if content}

    def test_they_are_those_of_the_grader(self, modules):
        assert {path: (ENGINE / path).read_text(encoding="utf-8") for path in modules} == modules

    def test_they_import_numpy_alone_and_nothing_of_linux_or_of_the_staffs_side(self, modules):
        nodes = [node for text in modules.values() for node in ast.walk(ast.parse(text))]
        froms = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        outside = {name.partition(".")[0] for name in froms | plain} - {"autograder", "numpy"}
        assert outside <= sys.stdlib_module_names - {"fcntl", "resource", "pwd", "grp", "select", "socket"}
        theirs = ("case_maker", "case_design", "drawing", "contract", "mistakes", "assignment", "diagnosis")
        assert [path for path in modules if path.removesuffix(".py").endswith(theirs)] == []
