"""The layout of the project: what may import what, what is named nowhere, what belongs together, and what is locked."""

import ast
import graphlib
import re
from functools import cache
from pathlib import Path

import pytest

from tests.selftest.support.project_sources import (
    GRADER,
    PROJECT,
    assert_none,
    find_matches,
    get_relative,
    list_files,
    list_grader_sources,
    locate,
    parse_toml,
    read_nodes,
    read_text,
)

pytestmark = pytest.mark.once

# Rooms: the modules of the top floor and the packages. Each imports only from rooms above it, for annotations too. Data
# flows down: assignment, submission, sandbox, checks, grading, results, emitters, commands.
ROOMS = """
    autograder
    autograder.plain_text
    autograder.machine
    autograder.atomic_file
    autograder.templates
    autograder.assignment
    autograder.mistakes
    autograder.submission

    autograder.programs
    autograder.sandbox.protocol
    autograder.sandbox
    autograder.results
    autograder.sandbox.worker
    autograder.sandbox.isolation
    autograder.sandbox.host
    autograder.doctor

    autograder.student
    autograder.checks
    autograder.contracts
    autograder.authoring
    autograder.grading
    autograder.diagnosis
    autograder.grader

    autograder.gradescope
    autograder.grade
    autograder.matrix
    autograder.questions
    autograder.explanation
    autograder.public_checks
    autograder.packaging
    autograder.regression
    autograder.cli
    autograder.__main__
""".split()  # noqa: SIM905  (a column is read and edited more easily than 30 quoted names)

AUTHORING = "autograder.authoring"  # for hidden tests: their one import of the grader
HIDDEN = [path for path in list_files(PROJECT / "tests" / "hidden", ".py") if path.name != "conftest.py"]
# Rooms whose modules run in the zygote and the workers, beside numpy and the standard library.
WORKER_SIDE = ("autograder.sandbox", "autograder.sandbox.isolation", "autograder.sandbox.worker")
MAY_IMPORT_WORKER = ("autograder.sandbox.worker", "autograder.sandbox.isolation")

# Modules whose data runs when it is read.
RUN_PICKLES = {"pickle", "dill", "marshal", "shelve", "runpy"}
COURSE_WORDS = ("word2vec", "parser_transitions", "parser_network", "PartialParse", "minibatch", "adam", "glove")
COURSE_WORDS += ("treebank", "cs224n")


def module_name(path: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for path in list_grader_sources()}


@cache
def imported_names(path: Path) -> set[str]:
    """What a file imports, in functions and for annotations too: modules, and names with their module before them."""
    found = set()
    for node in read_nodes(path):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            assert not getattr(node, "level", 0), f"{get_relative(path)}:{node.lineno}: imports are absolute"
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            found.update(module + alias.name for alias in node.names)
    return found


@cache
def imports(name: str) -> set[str]:
    """The modules that one module imports."""
    found = imported_names(SOURCES[name])
    return {each if each in SOURCES or "." not in each else each.rpartition(".")[0] for each in found}


def room_of(name: str) -> str:
    """The package of a module, or the module itself where it is on the top floor."""
    package = name if SOURCES[name].name == "__init__.py" else name.rpartition(".")[0]
    return name if package == "autograder" else package


@cache
def imported_rooms(room: str) -> set[str]:
    """What the modules of a room import from other rooms; the root package, which has the version, is nobody's."""
    found = {room_of(each) for name in SOURCES if room_of(name) == room for each in imports(name) if each in SOURCES}
    return found - {room, "autograder"}


def test_every_room_has_its_place_in_the_order() -> None:
    assert sorted(ROOMS) == sorted({room_of(name) for name in SOURCES})


def test_imports_between_rooms_go_one_way() -> None:
    later = {room: imported_rooms(room) - set(ROOMS[: ROOMS.index(room)]) for room in ROOMS}
    assert_none(f"{room} imports {each}, which stands below it" for room in ROOMS for each in sorted(later[room]))


def test_hidden_tests_import_of_the_grader_authoring_alone() -> None:
    ours = [(path, name) for path in HIDDEN for name in sorted(imported_names(path)) if name.startswith("autograder")]
    assert_none(f"{path.name} imports {name}" for path, name in ours if name.rpartition(".")[0] != AUTHORING)


def find_circle(room: str) -> list[str]:
    """Find modules of a room that import each other in a circle."""
    within = {name: imports(name) for name in SOURCES if room_of(name) == room and name != room}
    graph = {name: names & within.keys() for name, names in within.items()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_of_a_room_import_each_other_in_a_circle() -> None:
    assert_none(" imports ".join(reversed(circle)) for circle in map(find_circle, ROOMS) if circle)


def may_be_beside_student_code(name: str) -> bool:
    """Whether what runs beside student code may import a module."""
    is_ours = name.startswith(("autograder", "reference", "tests"))
    is_shared = name.startswith(("autograder.programs.", "autograder.sandbox."))
    return not is_ours or (is_shared and not name.startswith("autograder.sandbox.host"))


def test_what_runs_beside_student_code_knows_nothing_of_the_grader() -> None:
    pairs = [(name, each) for name in SOURCES if room_of(name) in WORKER_SIDE for each in sorted(imports(name))]
    assert_none(f"{name} imports {each}" for name, each in pairs if not may_be_beside_student_code(each))


def test_nothing_on_the_trusted_side_imports_what_runs_beside_student_code() -> None:
    importing = [room for room in ROOMS if "autograder.sandbox.worker" in imported_rooms(room)]
    assert_none(f"{room} imports it" for room in importing if room not in MAY_IMPORT_WORKER)


def test_modules_that_run_data_are_imported_in_the_sandbox_only() -> None:
    """And on a student's computer, where the code is their own."""
    apart = (".sandbox", "public_checks.student_file")
    outside = [name for name in SOURCES if not any(each in name for each in apart)]
    imported = [f"{name} imports {each}" for name in outside for each in sorted(imports(name) & RUN_PICKLES)]
    assert_none(imported)


def test_the_grader_speaks_of_no_course() -> None:
    pattern = re.compile(rf"\b(?:{'|'.join(COURSE_WORDS)})\b", re.IGNORECASE)
    assert_none(locate(list_files(GRADER), lambda path: find_matches(read_text(path), pattern)))


DECLARED = parse_toml(read_text(PROJECT / "pyproject.toml"))


def pins(name: str) -> set[str]:
    """The packages of a lock file, each with its version and condition."""
    lines = read_text(PROJECT / name).splitlines()
    return {line.rstrip(" \\") for line in lines if line[:1].isalnum()}


def test_the_self_tests_run_on_what_grades() -> None:
    assert pins("requirements.lock") < pins("requirements-dev.lock")


def test_what_is_declared_is_locked() -> None:
    project = DECLARED["project"]
    extras = [each for extra in project["optional-dependencies"].values() for each in extra]
    for lock, declared in {"requirements.lock": project["dependencies"], "requirements-dev.lock": extras}.items():
        locked = {pin.partition("==")[0] for pin in pins(lock)}
        assert {re.split(r"[<>=]", each)[0] for each in declared} <= locked
