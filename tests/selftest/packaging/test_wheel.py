"""The wheel in an empty environment outside of the tree: the command, its data, and the sandbox around submissions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from pathlib import Path

import pytest

from autograder.assignment import PARTS
from autograder.packaging import pack_grader
from tests.selftest.support.grading import ASSIGNMENT, PROJECT

BUILT_FROM = ("autograder", "pyproject.toml", "setup.py", "README.md", "LICENSE")
START_FILES = ("Dockerfile", "requirements.lock", "run_autograder", "setup.sh")

pytestmark = [pytest.mark.slow, pytest.mark.once]


def copy_parts(parts: tuple[str, ...], folder: Path) -> Path:
    """Copy files and folders of the project."""
    for part in parts:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        if (PROJECT / part).is_dir():
            shutil.copytree(PROJECT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(PROJECT / part, folder / part)
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the tree and without the network."""
    source, folder = (
        copy_parts((*BUILT_FROM, *START_FILES), tmp_path_factory.mktemp("tree")),
        tmp_path_factory.mktemp("w"),
    )
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder))
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", *options, str(source)]
    subprocess.run(command, check=True, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed command; the packages that it needs are those of this environment."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, symlinks=True, with_pip=False)
    python = folder / "bin" / "python"
    options = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), "install", *options, str(wheel)], check=True)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin" / "autograder"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The assignment of this course, without the grader."""
    return copy_parts(PARTS, tmp_path_factory.mktemp("course"))


def run(*command: str | Path, folder: Path, status: int = 0) -> str:
    """Run a command in a folder, and return what it prints."""
    line = [str(part) for part in command]
    with tempfile.TemporaryDirectory() as home:  # not the folder, which may be the project: a cache is written there
        environment = {"PATH": os.environ["PATH"], "HOME": home}
        done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_the_wheel_holds_the_grader_with_its_data_and_no_assignment(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = {path.relative_to(PROJECT).as_posix() for path in (PROJECT / "autograder").rglob("*") if path.is_file()}
    ours = {name for name in ours if not name.endswith(".pyc")}
    added = {f"autograder/packaging/start_files/{name}" for name in (*START_FILES, "LICENSE")}
    assert names == ours | added


def test_the_command_and_the_module_start(command: Path, tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise SystemExit('imported from the current folder')\n")
    module = run(command.with_name("python"), "-m", "autograder", "--version", folder=tmp_path)
    assert run(command, "--version", folder=tmp_path) == module != ""
    assert "no assignment was found" in run(command, "grade", ".", folder=tmp_path, status=2)
    assert "in a clone of the project" in run(command, "selftest", folder=tmp_path, status=2)


def test_a_submission_is_graded_in_the_whole_sandbox(command: Path, course: Path, tmp_path: Path) -> None:
    submission = str(PROJECT / "examples" / "wrong" / "sgd.py")
    results = []
    for start, folder in (([command], course), ([sys.executable, "-I", PROJECT / "autograder"], PROJECT)):
        out = tmp_path / str(len(results))
        run(*start, "grade", submission, "--only", "sgd", "--results", out, folder=folder)
        results.append(json.loads((out / "results.json").read_text(encoding="utf-8")))
        del results[-1]["execution_time"]
        for layer in results[-1]["extra_data"]["layers"]:
            del layer["reason"]  # the rights of the files that it could not close
    assert results[0] == results[1]


def test_an_assignment_of_another_field_is_graded(command: Path, tmp_path: Path) -> None:
    root = PROJECT / "examples" / "assignments" / "layers_by_hand"
    for submission, points in (
        (root / "examples" / "right", "40 of 40 points"),
        (root / "student_template", "0 of 40"),
    ):
        options = ("--assignment", root, "--results", tmp_path)
        assert f"\n{points}" in run(command, "grade", submission, *options, folder=tmp_path)


def test_a_class_and_the_bank_are_graded_by_processes_of_the_installed_grader(
    command: Path, course: Path, tmp_path: Path
) -> None:
    (tmp_path / "class" / "ann").mkdir(parents=True)
    shutil.copy(PROJECT / "examples" / "right" / "normalization.py", tmp_path / "class" / "ann")
    options = ("--only", "normalization", "--assignment", course)
    assert "1 submission" in run(command, "regress", "class", "--out", "out", *options, folder=tmp_path)
    assert (tmp_path / "out" / "report.html").exists()
    run(command, "matrix", *options, folder=tmp_path)


def test_a_new_assignment_is_made_and_graded(command: Path, tmp_path: Path) -> None:
    run(command, "new", "assignment", "homework", folder=tmp_path)
    assert "18 of 18 points" in run(command, "grade", "examples/right", folder=tmp_path / "homework")
    assert "0 of 18 points" in run(command, "grade", "student_template", folder=tmp_path / "homework")


def test_it_packs_what_the_clone_packs(command: Path, course: Path, tmp_path: Path) -> None:
    run(command, "package", "gradescope", "--force", "--assignment", course, folder=tmp_path)
    with zipfile.ZipFile(tmp_path / "autograder.zip") as packed:
        found = {name: packed.read(name) for name in packed.namelist()}
    assert found == dict(pack_grader(ASSIGNMENT).files)
