"""The wheel in an empty environment outside of the tree: the command, its data, and the sandbox around submissions."""

import json
import os
import re
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
from tests.selftest.support.toy_assignment import EXAMPLES, PROJECT, TOY

FIRST_ASSIGNMENT = PROJECT / "docs" / "first_assignment.md"
PROGRESS = re.compile(r"^autograder: \d+ of \d+, .* left\n", re.MULTILINE)  # after half a minute, on a busy machine
START_FILES = ("Dockerfile", "LICENSE", "requirements.lock", "run_autograder")
BUILT_FROM = ("autograder", "pyproject.toml", "README.md", *START_FILES)

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.ci]


def copy_parts(parts: tuple[str, ...], folder: Path, root: Path = PROJECT) -> Path:
    """Copy files and folders of the project, or of an assignment."""
    for part in parts:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        if (root / part).is_dir():
            shutil.copytree(root / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(root / part, folder / part)
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the tree and without the network."""
    source, folder = copy_parts(BUILT_FROM, tmp_path_factory.mktemp("tree")), tmp_path_factory.mktemp("w")
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
    """The toy, without the grader."""
    return copy_parts(PARTS, tmp_path_factory.mktemp("course"), TOY)


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
    assert names == ours
    assert ours >= {f"autograder/packaging/start_files/{name}" for name in START_FILES}


def test_the_command_and_the_module_start(command: Path, tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise SystemExit('imported from the current folder')\n")
    module = run(command.with_name("python"), "-m", "autograder", "--version", folder=tmp_path)
    assert run(command, "--version", folder=tmp_path) == module != ""
    told = run(command, "grade", ".", folder=tmp_path, status=2)
    assert "Usage: autograder grade [OPTIONS] PATH" in told
    assert "no assignment was found" in told
    assert "`autograder new assignment DIR` makes one" in told
    assert "in a clone of the project" in run(command, "selftest", folder=tmp_path, status=2)


def test_a_submission_is_graded_in_the_whole_sandbox(command: Path, course: Path, tmp_path: Path) -> None:
    submission = str(EXAMPLES / "wrong" / "descent.py")
    results = []
    clone = [sys.executable, "-I", PROJECT / "autograder"]
    for start, options, folder in (([command], (), course), (clone, ("--assignment", course), PROJECT)):
        out = tmp_path / str(len(results))
        run(*start, "grade", submission, "--only", "descent", "--results", out, *options, folder=folder)
        results.append(json.loads((out / "results.json").read_text(encoding="utf-8")))
        del results[-1]["execution_time"]
        for layer in results[-1]["extra_data"]["layers"]:
            del layer["reason"]  # the rights of the files that it could not close
    assert results[0] == results[1]


class Reader:
    """A reader of docs/first_assignment.md, who does what it says, block after block, in an empty folder."""

    def __init__(self, folder: Path, commands: Path) -> None:
        self.folder, self.shown = folder, ""
        self.environment = {"PATH": f"{commands}:{os.environ['PATH']}", "HOME": str(folder)}

    def follow(self, kind: str, text: str) -> None:
        """Run the lines of a block of commands, write a file, or look for lines in what was shown last."""
        if kind == "sh":
            self.shown = "".join(self.run(line) for line in text.splitlines())
        elif kind == "text" and not text.startswith("# "):
            assert [line for line in text.splitlines() if line not in self.shown] == []
        elif kind:
            self.edit(*text.split("\n", 1))

    def run(self, line: str) -> str:
        """Run a line of a shell; a comment says the exit status that is expected where it is not 0."""
        if line.startswith("cd "):
            self.folder /= line.removeprefix("cd ")
            return ""
        command, _, status = line.partition("  # status ")
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, PROGRESS.sub("", done.stderr)) == (int(status or 0), ""), command
        return done.stdout

    def edit(self, title: str, text: str) -> None:
        """Write a file, or change it as its title says."""
        path, _, how = title.removeprefix("# ").partition(", ")
        file = self.folder / path
        is_new = how == "a new file"
        assert file.exists() is not is_new
        if how == "at the end":
            text = file.read_text(encoding="utf-8") + text
        elif how and not is_new:
            old = file.read_text(encoding="utf-8")
            replaced = how.removeprefix("in place of ")
            assert old.count(replaced) == 1
            text = old.replace(replaced, text.rstrip("\n"))
        file.write_text(text, encoding="utf-8")

    def remove_written_answers(self) -> None:
        """Delete the table of a question, as the page describes it."""
        declared = self.folder / "reference/assignment.toml"
        tables = declared.read_text(encoding="utf-8").split("[[questions]]\n")
        kept = [table for table in tables if '"written_answers"' not in table]
        declared.write_text("[[questions]]\n".join(kept), encoding="utf-8")


def test_the_page_on_a_first_assignment_works_word_by_word(command: Path, tmp_path: Path) -> None:
    page = FIRST_ASSIGNMENT.read_text(encoding="utf-8")
    before, after = page.split("Delete in `reference/assignment.toml` the table")
    reader = Reader(tmp_path, command.parent)
    for part in (before, after):
        for kind, text in re.findall(r"^```(\w*)\n(.*?)^```$", part, re.MULTILINE | re.DOTALL):
            reader.follow(kind, text)
        if part is before:
            reader.remove_written_answers()
    assert {path.name for path in reader.folder.glob("*.zip")} == {"handout.zip", "autograder.zip"}
    assert "4.2 affine_forward: other sizes" in reader.run("autograder explain examples/right 4.2")
