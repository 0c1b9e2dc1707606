"""The layout of the project: what may import what, what is named nowhere, and what belongs together."""

from __future__ import annotations

import ast
import graphlib
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.selftest.support.grading import ASSIGNMENT, FILES, PROJECT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# Rooms: the modules of the top floor and the packages. Each imports only from rooms above it, for annotations too. Data
# flows down: assignment, submission, sandbox, checks, grading, results, emitters, commands.
ROOMS = """
    autograder
    autograder.cpu_count
    autograder.plain_text
    autograder.machine_paths
    autograder.atomic_file
    autograder.templates
    autograder.results
    autograder.assignment
    autograder.mistakes
    autograder.submission

    autograder.sandbox
    autograder.sandbox.protocol
    autograder.sandbox.calls
    autograder.sandbox.isolation
    autograder.sandbox.worker
    autograder.sandbox.zygote
    autograder.sandbox.host
    autograder.doctor

    autograder.student
    autograder.checks
    autograder.authoring
    autograder.grading
    autograder.mutation
    autograder.diagnosis
    autograder.grader

    autograder.gradescope
    autograder.grade
    autograder.platforms
    autograder.questions
    autograder.explanation
    autograder.public_checks
    autograder.matrix
    autograder.packaging
    autograder.docker
    autograder.similarity
    autograder.regression
    autograder.cli
    autograder.__main__
""".split()  # noqa: SIM905  (a column is read and edited more easily than 30 quoted names)

AUTHORING = "autograder.authoring"  # for hidden tests: their one import of the grader
HIDDEN = sorted(path for path in (PROJECT / "tests" / "hidden").glob("*.py") if path.name != "conftest.py")
MODULES_ON_TOP = 12
FLOORS = 10
# Rooms whose modules run in the zygote and the workers, beside numpy and the standard library.
WORKER_SIDE = tuple(f"autograder.sandbox.{name}" for name in ("calls", "isolation", "worker", "zygote"))
# A student's computer runs their own code in the checker's process, as a worker does.
MAY_IMPORT_WORKER = ("autograder.sandbox.worker", "autograder.sandbox.zygote", "autograder.public_checks")

# The record of an assignment's folder; and a student's computer, where a folder of the handout has that name.
KNOWS_PATHS = ("autograder.assignment.assignment", "autograder.public_checks.")
COURSE_WORDS = ("word2vec", "parser_transitions", "parser_network", "PartialParse", "minibatch", "adam", "glove")
COURSE_WORDS += ("treebank", "cs224n")

NOT_OURS = {".git", ".venv", "__pycache__", "build", "dist", "htmlcov"}
TEXT_FILES = {"", ".cfg", ".lock", ".md", ".py", ".sh", ".toml", ".txt", ".yml"}


def sources() -> Iterator[Path]:
    """The modules of the grader."""
    yield from sorted((PROJECT / "autograder").rglob("*.py"))


def module_name(path: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for path in sources()}


class _Imports(ast.NodeVisitor):
    """What a module imports, in its functions and for annotations too."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_Import(self, node: ast.Import) -> None:
        self.names.update(alias.name for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert node.level == 0, "imports are absolute"
        self.names.update(f"{node.module}.{alias.name}" for alias in node.names)


@cache
def imported_names(path: Path) -> set[str]:
    """What a file imports: modules, and names with their module before them."""
    visitor = _Imports()
    visitor.visit(ast.parse(path.read_text(encoding="utf-8")))
    return visitor.names


def imports(name: str) -> set[str]:
    """The modules that one module imports."""
    found = imported_names(SOURCES[name])
    return {each if each in SOURCES or "." not in each else each.rpartition(".")[0] for each in found}


def text_files() -> Iterator[Path]:
    """Every text of the project that is not made by a tool."""
    for path in sorted(PROJECT.rglob("*")):
        parts = path.relative_to(PROJECT).parts
        is_ours = not NOT_OURS.intersection(parts) and not any(part.endswith("_cache") for part in parts)
        if is_ours and path.suffix in TEXT_FILES and path.is_file():
            yield path


def room_of(name: str) -> str:
    """The package of a module, or the module itself where it is on the top floor."""
    package = name if SOURCES[name].name == "__init__.py" else name.rpartition(".")[0]
    return name if package == "autograder" else package


def imported_rooms(room: str) -> set[str]:
    """What the modules of a room import from other rooms; the root package, which has the version, is nobody's."""
    found = {room_of(each) for name in SOURCES if room_of(name) == room for each in imports(name) if each in SOURCES}
    return found - {room, "autograder"}


def test_every_room_has_its_place_in_the_order() -> None:
    assert sorted(ROOMS) == sorted({room_of(name) for name in SOURCES})


def test_few_modules_stand_beside_the_packages() -> None:
    beside = [room for room in ROOMS if SOURCES[room].name != "__init__.py"]
    assert len(beside) <= MODULES_ON_TOP


@pytest.mark.parametrize("room", ROOMS)
def test_imports_between_rooms_go_one_way(room: str) -> None:
    assert imported_rooms(room) <= set(ROOMS[: ROOMS.index(room)])


def test_the_drawing_of_imports_has_few_floors() -> None:
    floors: dict[str, int] = {}
    for room in ROOMS:
        floors[room] = 1 + max((floors[each] for each in imported_rooms(room)), default=0)
    assert max(floors.values()) <= FLOORS


@pytest.mark.parametrize("path", HIDDEN, ids=lambda path: path.stem)
def test_hidden_tests_import_of_the_grader_authoring_alone(path: Path) -> None:
    ours = {name for name in imported_names(path) if name.partition(".")[0] == "autograder"}
    assert {name.rpartition(".")[0] for name in ours} <= {AUTHORING}


def test_no_module_of_the_grader_imports_authoring() -> None:
    assert [name for name in SOURCES if AUTHORING in imports(name)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_modules_of_a_room_import_each_other_in_a_circle(room: str) -> None:
    within = {name: imports(name) for name in SOURCES if room_of(name) == room and name != room}
    graph = {name: names & within.keys() for name, names in within.items()}
    graphlib.TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("room", WORKER_SIDE)
def test_what_runs_beside_student_code_knows_nothing_of_the_grader(room: str) -> None:
    names = [name for name in SOURCES if room_of(name) == room]
    ours = {each for name in names for each in imports(name) if each.startswith(("autograder", "reference", "tests"))}
    assert all(each.startswith("autograder.sandbox.") for each in ours)
    assert not any(each.startswith("autograder.sandbox.host") for each in ours)


def test_nothing_on_the_trusted_side_imports_what_runs_beside_student_code() -> None:
    importing = {room for room in ROOMS if "autograder.sandbox.worker" in imported_rooms(room)}
    assert importing <= set(MAY_IMPORT_WORKER)


@pytest.mark.parametrize("name", [name for name in SOURCES if ".sandbox" not in name])
def test_code_is_run_from_text_in_the_sandbox_only(name: str) -> None:
    tree = ast.parse(SOURCES[name].read_text(encoding="utf-8"))
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not calls & {"exec", "eval", "compile", "__import__"}
    assert not imports(name) & {"pickle", "dill", "marshal", "shelve", "runpy"}


@pytest.mark.parametrize("name", SOURCES)
def test_the_grader_names_no_question(name: str) -> None:
    """A question is data. Examples in messages and docstrings may name one; nothing that runs may depend on it."""
    names = {function.name for question in ASSIGNMENT.questions for function in question.functions}
    names |= {name for stem in ASSIGNMENT.stems for name in (stem, f"{stem}.py")}
    for node in ast.walk(ast.parse(SOURCES[name].read_text(encoding="utf-8"))):
        words = [getattr(node, field, None) for field in ("id", "attr", "arg", "name", "value")]
        assert not names.intersection(word for word in words if isinstance(word, str)), f"line {node.lineno}"


@pytest.mark.parametrize("name", [name for name in SOURCES if not name.startswith(KNOWS_PATHS)])
def test_no_other_module_makes_a_path_or_an_import_of_an_assignment(name: str) -> None:
    tree = ast.parse(SOURCES[name].read_text(encoding="utf-8"))
    paths = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    imports_by_name = [node for node in calls if ast.unparse(node.func) == "importlib.import_module"]
    parts = {each for node in (*paths, *imports_by_name) for each in ast.walk(node) if isinstance(each, ast.Constant)}
    named = {word for each in parts if isinstance(each.value, str) for word in re.split(r"[./]", each.value)}
    assert not named & {"reference", "starter_modules", "student_template", "tests", "hidden", "mistakes", "contracts"}


@pytest.mark.parametrize("word", COURSE_WORDS)
def test_the_grader_speaks_of_no_course(word: str) -> None:
    pattern = re.compile(rf"\b{word}\b", re.IGNORECASE)
    texts = [path for path in sorted((PROJECT / "autograder").rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    assert [path for path in texts if pattern.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("stem", ASSIGNMENT.stems)
def test_a_question_is_four_files_of_one_stem(stem: str) -> None:
    for place in ("reference/{}.py", "tests/hidden/test_{}.py", "tests/mistakes/{}.py"):
        assert (PROJECT / place.format(stem)).is_file()
    assert (PROJECT / "student_template" / FILES[stem]).is_file()


@pytest.mark.parametrize("folder", ["autograder", "reference"])
def test_a_module_is_one_noun_of_at_most_300_lines(folder: str) -> None:
    for path in (PROJECT / folder).rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, path
        assert path.stem not in {"utils", "helpers", "misc", "common"}, path


def test_no_file_names_a_host_of_packages_or_leaves_work_undone() -> None:
    hosts = [
        ".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("debian", "org"), ("npmjs", "org"))
    ]
    marks = ["".join(parts) for parts in (("TO", "DO"), ("FIX", "ME"))]
    pattern = re.compile("|".join([*map(re.escape, hosts), *(rf"\b{mark}\b" for mark in marks)]))
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in text_files()}
    assert [path for path, text in texts.items() if pattern.search(text)] == []


class TestPackages:
    @staticmethod
    def pins(name: str) -> set[str]:
        """The packages of a lock file, each with its version and condition."""
        lines = (PROJECT / name).read_text(encoding="utf-8").splitlines()
        return {line.rstrip(" \\") for line in lines if line[:1].isalnum()}

    def test_the_self_tests_run_on_what_grades(self) -> None:
        assert self.pins("requirements.lock") < self.pins("requirements-dev.lock")

    def test_what_is_declared_is_locked(self) -> None:
        project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for declared, lock in (
            (project["dependencies"], "requirements.lock"),
            (project["optional-dependencies"]["cluster"], "requirements-cluster.lock"),
            (project["optional-dependencies"]["dev"], "requirements-dev.lock"),
            (project["optional-dependencies"]["docs"], "requirements-docs.lock"),
        ):
            wanted = {re.split(r"[<>=]", each)[0] for each in declared}
            assert wanted <= {pin.partition("==")[0] for pin in self.pins(lock)}

    def test_bare_pytest_grades_nobody(self) -> None:
        tool = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
        assert tool["pytest"]["ini_options"]["testpaths"] == ["tests/selftest"]
