"""The layout of the project: what may import what, what is named nowhere, and what belongs together."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.selftest.support.grading import ASSIGNMENT, FILES, PROJECT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# A module imports only what stands above it. Data flows down: submission, sandbox, checks, results, emitters.
ORDER = """
    autograder
    autograder.cli.streams
    autograder.cpu_count
    autograder.plain_text
    autograder.atomic_file
    autograder.templates
    autograder.submission.file_tree
    autograder.submission.folder
    autograder.submission.zip_archive
    autograder.assignment.toml_table
    autograder.assignment.policies
    autograder.assignment.assignment
    autograder.submission.source_text
    autograder.submission.source_scan
    autograder.submission.question_files
    autograder.submission.imports
    autograder.submission.submission
    autograder.submission.starter_modules
    autograder.grading.answers

    autograder.sandbox
    autograder.sandbox.limits
    autograder.sandbox.protocol.outcome
    autograder.sandbox.protocol.control
    autograder.sandbox.protocol.wire_format
    autograder.sandbox.protocol.encoder
    autograder.sandbox.protocol.decoder
    autograder.sandbox.protocol.frames
    autograder.sandbox.protocol.wire
    autograder.sandbox.calls.values
    autograder.sandbox.calls.proxies
    autograder.sandbox.calls.exceptions
    autograder.sandbox.calls.requests
    autograder.sandbox.worker.importer
    autograder.sandbox.worker.scratch_files
    autograder.sandbox.worker.formula
    autograder.sandbox.worker.table_text
    autograder.sandbox.worker.answer_file
    autograder.sandbox.preload
    autograder.sandbox.worker.late_imports
    autograder.sandbox.worker.library_imports
    autograder.sandbox.isolation.kernel
    autograder.sandbox.isolation.bound_fork
    autograder.sandbox.protocol.layers
    autograder.sandbox.isolation.landlock
    autograder.sandbox.isolation.seccomp
    autograder.sandbox.isolation.empty_root
    autograder.sandbox.isolation.namespaces
    autograder.sandbox.host.own_uid
    autograder.sandbox.zygote.orphans
    autograder.sandbox.isolation.drop_privileges
    autograder.sandbox.worker.worker
    autograder.sandbox.zygote.warm_up
    autograder.sandbox.zygote.zygote
    autograder.sandbox.zygote.__main__
    autograder.sandbox.host.callback_source
    autograder.sandbox.host.callbacks
    autograder.sandbox.host.connection
    autograder.sandbox.host.launcher
    autograder.sandbox.host.client
    autograder.sandbox.host.attacks
    autograder.sandbox.host.self_check
    autograder.sandbox.host.known_layers
    autograder.doctor

    autograder.sandbox.host.replies
    autograder.grading.reproducer
    autograder.grading.compiled_files
    autograder.grading.student_module
    autograder.grading.attempt
    autograder.student
    autograder.checks.tolerances
    autograder.checks.array_pair
    autograder.checks.array_positions
    autograder.checks.array_relation
    autograder.checks.values
    autograder.checks.list_relation
    tests.selftest.support.numerical_gradient
    autograder.checks.checks
    autograder.checks.gradient_check
    autograder.checks.written_answers
    autograder.results
    autograder.grading.hidden_test
    autograder.grading.explain
    autograder.grading.attempt_result
    autograder.grading.evidence
    autograder.grading.second_process
    autograder.grading.judge
    autograder.diagnosis.likeness
    autograder.diagnosis.replay
    autograder.diagnosis.match
    autograder.diagnosis.diagnosis
    autograder.grading.circular_credit
    autograder.grading.written_questions
    autograder.grading.runnable_test
    autograder.grading.plugin
    autograder.grading.collection
    autograder.grader
    autograder.matrix
    autograder.matrix.catches
    autograder.matrix.bank_run
    autograder.matrix.text
    autograder.matrix.page

    autograder.gradescope.schema
    autograder.gradescope.results_file
    autograder.gradescope.metadata
    autograder.gradescope.results_json
    autograder.gradescope.lint
    autograder.gradescope.submission_policy
    autograder.cli.console
    autograder.cli.rich_console
    autograder.grade
    autograder.packaging
    autograder.packaging.tree
    autograder.packaging.zip_file
    autograder.packaging.gradescope_zip
    autograder.public_checks
    autograder.public_checks.time_limit
    autograder.public_checks.expected
    autograder.public_checks.local_student
    autograder.public_checks.checker
    autograder.public_checks.check
    autograder.packaging.recording
    autograder.packaging.slices
    autograder.packaging.handout
    autograder.docker.engine
    autograder.docker.image
    autograder.docker.run
    autograder.regression
    autograder.regression.record
    autograder.regression.scores
    autograder.regression.gradescope_export
    autograder.regression.packed_submission
    autograder.regression.class_archive
    autograder.regression.roster
    autograder.regression.store
    autograder.regression.grader_process
    autograder.regression.grader_pool
    autograder.regression.executor
    autograder.regression.cluster
    autograder.regression.class_run
    autograder.regression.baseline
    autograder.regression.comparison
    autograder.regression.item_analysis
    autograder.regression.summary
    autograder.regression.findings
    autograder.regression.report
    autograder.regression.gradebook
    autograder.regression.junit
    autograder.regression.regress
    autograder.cli.process
    autograder.cli.package
    autograder.cli.matrix
    autograder.cli.regress
    autograder.cli.main
    autograder.__main__
""".split()  # noqa: SIM905  (a column is read and edited more easily than 50 quoted names)

# What runs in the zygote and the workers, beside numpy and the standard library. A judge has no business there.
WORKER_SIDE = """
    start bound_fork namespaces empty_root strays zygote entry kernel layers landlock seccomp_filter
    worker warming late_imports libraries preload student_modules raised requests served values scratch_files
    formula table_text answer_file
""".split()  # noqa: SIM905  (as above)

NOT_OURS = {".git", ".venv", "__pycache__", "build", "dist", "htmlcov"}
TEXT_FILES = {"", ".cfg", ".lock", ".md", ".py", ".sh", ".toml", ".txt", ".yml"}


def sources() -> Iterator[Path]:
    """The grader's own modules; support/ holds texts for the workers."""
    support = PROJECT / "autograder" / "starter_modules"
    for path in sorted((PROJECT / "autograder").rglob("*.py")):
        if support not in path.parents:
            yield path


def module_name(path: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for path in sources()}


class _Imports(ast.NodeVisitor):
    """What a module imports when it runs, in its functions too; not what it imports for annotations alone."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.names.update(alias.name for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert node.level == 0, "imports are absolute"
        within = [f"{node.module}.{alias.name}" for alias in node.names]
        self.names.update(name if name in SOURCES else str(node.module) for name in within)


def imports(name: str) -> set[str]:
    """What one module imports."""
    visitor = _Imports()
    visitor.visit(ast.parse(SOURCES[name].read_text(encoding="utf-8")))
    return visitor.names


def text_files() -> Iterator[Path]:
    """Every text of the project that is not made by a tool."""
    for path in sorted(PROJECT.rglob("*")):
        parts = path.relative_to(PROJECT).parts
        is_ours = not NOT_OURS.intersection(parts) and not any(part.endswith("_cache") for part in parts)
        if is_ours and path.suffix in TEXT_FILES and path.is_file():
            yield path


def test_every_module_has_its_place_in_the_order() -> None:
    assert sorted(ORDER) == sorted(SOURCES)


@pytest.mark.parametrize("name", ORDER)
def test_imports_go_one_way(name: str) -> None:
    allowed = set(ORDER[: ORDER.index(name)])
    assert {each for each in imports(name) if each.partition(".")[0] == "autograder"} <= allowed


@pytest.mark.parametrize("name", WORKER_SIDE)
def test_what_runs_beside_student_code_knows_nothing_of_the_grader(name: str) -> None:
    ours = {
        each for each in imports(f"autograder.sandbox.{name}") if each.startswith(("autograder", "reference", "tests"))
    }
    assert all(each.startswith("autograder.sandbox.") for each in ours)


@pytest.mark.parametrize("name", [name for name in ORDER if ".sandbox" not in name])
def test_code_is_run_from_text_in_the_sandbox_only(name: str) -> None:
    tree = ast.parse(SOURCES[name].read_text(encoding="utf-8"))
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not calls & {"exec", "eval", "compile", "__import__"}
    assert not imports(name) & {"pickle", "dill", "marshal", "shelve", "runpy"}


@pytest.mark.parametrize("name", ORDER)
def test_the_grader_names_no_question(name: str) -> None:
    """A question is data. Examples in messages and docstrings may name one; nothing that runs may depend on it."""
    names = {function.name for question in ASSIGNMENT.questions for function in question.functions}
    names |= {name for stem in ASSIGNMENT.stems for name in (stem, f"{stem}.py")}
    for node in ast.walk(ast.parse(SOURCES[name].read_text(encoding="utf-8"))):
        words = [getattr(node, field, None) for field in ("id", "attr", "arg", "name", "value")]
        assert not names.intersection(word for word in words if isinstance(word, str)), f"line {node.lineno}"


@pytest.mark.parametrize("stem", ASSIGNMENT.stems)
def test_a_question_is_four_files_of_one_stem(stem: str) -> None:
    for place in ("reference/{}.py", "tests/hidden/test_{}.py", "tests/mistakes/{}.py"):
        assert (PROJECT / place.format(stem)).is_file()
    assert (PROJECT / "student_template" / FILES[stem]).is_file()


@pytest.mark.parametrize("folder", ["autograder", "reference"])
def test_a_module_is_one_noun_of_at_most_300_lines(folder: str) -> None:
    for path in (PROJECT / folder).rglob("*.py"):
        if PROJECT / "autograder" / "starter_modules" not in path.parents:
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
        ):
            wanted = {re.split(r"[<>=]", each)[0] for each in declared}
            assert wanted <= {pin.partition("==")[0] for pin in self.pins(lock)}

    def test_bare_pytest_grades_nobody(self) -> None:
        tool = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
        assert tool["pytest"]["ini_options"]["testpaths"] == ["tests/selftest"]
