"""The staff's files that each question depends on: which questions a change of one file concerns."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.grading import identity
from autograder.regression.staff_files import StaffFiles, hash_staff_files
from tests.selftest.support.toy_assignment import ASSIGNMENT

pytestmark = pytest.mark.once

QUESTION = """
[[questions]]
stem = "{stem}"
title = "{stem}"
points = 2
files = ["{stem}.py"]

  [[questions.functions]]
  name = "{function}"
"""
STEMS = ("algebra", "botany", "chess")
ALL = set(STEMS)
TEXTS = {
    "autograder/grade.py": "import numpy\n",
    "autograder/report.html.jinja": "<p>",
    "reference/__init__.py": "",
    "reference/algebra.py": "from .shared_sums import add\n",
    "reference/shared_sums.py": "",
    "reference/botany.py": "",
    "reference/chess.py": "",
    "student_template/utils/helper.py": "",
    "tests/__init__.py": "",
    "tests/hidden/test_algebra.py": "from reference import algebra as reference\nfrom tests.hidden import inputs\n",
    "tests/hidden/test_botany.py": "def test_b(student):\n    from tests.hidden.inputs import x\n",
    "tests/hidden/test_chess.py": "import tests.hidden.boards\n@tags('algebra')\ndef test_c(student): ...\n",
    "tests/hidden/inputs.py": "",
    "tests/hidden/boards.py": "from tests.hidden.boards_of_old import y\n",
    "tests/hidden/boards_of_old.py": "",
    "tests/hidden/words.txt": "a\n",
    "tests/hidden/nobodys.py": "",
    "tests/mistakes/__init__.py": "import importlib\nimport tests.mistakes.files\n",
    "tests/mistakes/files.py": "import importlib\n",
    **{f"tests/mistakes/{stem}.py": "from tests.mistakes import mistake\n" for stem in STEMS},
}


class Project:
    """A project with three questions; `hash` hashes its files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for path, text in TEXTS.items():
            self.write(path, text)
        self.write_assignment(algebra="add", botany="grow", chess="move")

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def write_assignment(self, title: str = "Toy", **functions: str) -> None:
        """Write an assignment with one function for each question."""
        tables = (QUESTION.format(stem=stem, function=function) for stem, function in functions.items())
        self.write("reference/assignment.toml", f'title = "{title}"\n' + "".join(tables))

    def declare(self, text: str) -> None:
        """Add a section or a line to the assignment."""
        path = self.folder / "reference" / "assignment.toml"
        path.write_text(path.read_text() + text if text.startswith("[") else text + path.read_text())

    def hash(self) -> StaffFiles:
        """Hash the files."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(identity, "ENGINE", self.folder)
            return hash_staff_files(load_assignment(self.folder))

    def find_concerned(self, before: StaffFiles) -> set[str]:
        """Return the questions whose hash is another than before."""
        after = self.hash().hashes
        return {stem for stem in STEMS if after[stem] != before.hashes[stem]}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project in a folder of its own."""
    return Project(tmp_path)


CHANGES = {
    "tests/hidden/test_algebra.py": {"algebra"},
    "reference/botany.py": {"botany"},
    "tests/mistakes/chess.py": {"chess"},
    "tests/hidden/inputs.py": {"algebra", "botany"},
    "reference/shared_sums.py": {"algebra"},
    "tests/hidden/boards_of_old.py": {"chess"},
    "tests/mistakes/__init__.py": ALL,
    "tests/mistakes/files.py": ALL,
    "reference/__init__.py": ALL,
    "tests/__init__.py": ALL,
    "autograder/grade.py": ALL,
    "autograder/report.html.jinja": ALL,
    "student_template/utils/helper.py": ALL,
    "tests/hidden/words.txt": ALL,
    "tests/hidden/nobodys.py": ALL,
    "autograder/more.py": ALL,
    "tests/hidden/more.json": ALL,
}


@pytest.mark.parametrize(("path", "concerned"), CHANGES.items(), ids=list(CHANGES))
def test_a_change_concerns_the_questions_that_use_the_file(project: Project, path: str, concerned: set[str]) -> None:
    before = project.hash()
    project.write(path, TEXTS.get(path, "a new file") + "\n# changed\n")
    assert project.find_concerned(before) == concerned


def test_nothing_changes_with_bytecode_or_the_folder(project: Project, tmp_path: Path) -> None:
    before = project.hash()
    project.write("autograder/__pycache__/grade.cpython-311.pyc", "x")
    assert project.find_concerned(before) == set()
    assert Project(tmp_path / "elsewhere").hash() == before


@pytest.mark.parametrize(
    "text",
    [
        "[limits]\nmemory_mib = 500\n",
        'libraries = ["torch"]\n',
    ],
    ids=["limits of workers", "libraries"],
)
def test_all_questions_depend_on_what_is_declared_for_all(project: Project, text: str) -> None:
    before = project.hash()
    project.declare(text)
    assert project.find_concerned(before) == ALL


def test_all_questions_depend_on_the_versions_of_libraries(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    project.declare('libraries = ["madelib"]\n')
    _install(tmp_path, version="1.0")
    before = project.hash()
    _install(tmp_path, version="1.1")
    assert project.find_concerned(before) == ALL


def _install(folder: Path, *, version: str) -> None:
    """Write what a package manager writes for a library."""
    described = folder / "madelib.dist-info"
    described.mkdir(exist_ok=True)
    (described / "METADATA").write_text(f"Name: madelib\nVersion: {version}\n")
    (described / "RECORD").write_text("madelib.py,,\n")
    (folder / "madelib.py").touch()


def test_a_question_depends_on_its_own_table_or_all_of_the_assignment_that_its_tests_read(project: Project) -> None:
    project.write("tests/hidden/test_chess.py", "from autograder.authoring import read_assignment\n")
    before = project.hash()
    project.write_assignment("Another title", algebra="add", botany="grow_up", chess="move")
    assert project.find_concerned(before) == {"botany", "chess"}


@pytest.mark.parametrize("line", ["import importlib", "x = __import__('sys')", "exec('x = 1')"])
def test_tests_that_import_by_name_depend_on_all_files(project: Project, line: str) -> None:
    project.write("tests/hidden/boards_of_old.py", line)
    before = project.hash()
    project.write("tests/hidden/test_algebra.py", "")
    assert project.find_concerned(before) == {"algebra", "chess"}


def test_questions_stand_alone(project: Project) -> None:
    assert project.hash().groups == (("algebra",), ("botany",), ("chess",))


@pytest.mark.parametrize("text", ["student.chess.move()", "getattr(student, 'chess').move()"])
def test_questions_of_which_one_calls_functions_of_the_other_are_a_group(project: Project, text: str) -> None:
    project.write("tests/hidden/inputs.py", f"def ask(student): {text}\n")  # imported by algebra and botany
    assert project.hash().groups == (("algebra", "botany", "chess"),)


def test_questions_with_functions_of_one_name_stand_alone(project: Project) -> None:
    project.write_assignment(algebra="add", botany="grow", chess="add")
    assert project.hash().groups == (("algebra",), ("botany",), ("chess",))


def test_questions_that_share_a_module_of_their_tests_stand_alone() -> None:
    assert hash_staff_files(ASSIGNMENT).groups == tuple((stem,) for stem in ASSIGNMENT.stems)


@pytest.mark.parametrize(
    "text",
    [
        "if True:\n    pass\nelse:\n    from tests.hidden import nobodys\n",
        "try:\n    pass\nexcept ValueError:\n    import tests.hidden.nobodys\nfinally:\n    pass\n",
        "class A:\n    def f(self):\n        for _ in ():\n            from . import nobodys\n",
        "with open('x') as f:\n    from tests.hidden.nobodys import (\n        x,\n    )\n",
    ],
)
def test_an_import_is_found_wherever_it_stands(project: Project, text: str) -> None:
    project.write("tests/hidden/test_chess.py", text)
    before = project.hash()
    project.write("tests/hidden/nobodys.py", "# changed")
    assert project.find_concerned(before) == {"chess"}
