"""run_autograder, the script: finds the project and a Python, makes the environment once, and starts the grader.

A shell script mocks Python and logs its calls, so that nothing is installed and no network is needed.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.once]

PROJECT = Path(__file__).resolve().parents[3]
TOOLS = ("cksum", "cp", "grep", "ls", "mkdir", "mv", "readlink", "rm", "sed", "tail", "tr")
SHELLS = [name for name in ("dash", "bash", "busybox") if shutil.which(name)]

FAKE_PYTHON = """
echo "$(printf '%s' "$*" | tr '\\n' ' ')" >> CALLS
case "$*" in
*version_info*) echo VERSION ;;
*fcntl*) exec REAL "$@" ;;
*'-m venv'*) VENV; mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
*'-m pip'*) PIP ;;
*'import click'*) CHECK ;;
*'import ensurepip'*) ENSUREPIP ;;
*) for argument in "$@"; do echo "<$argument>"; done ;;
esac
"""


class Machine:
    """A machine with the script's project, a PATH of a few tools, and mocked Pythons."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "the project"
        self.tools = folder / "tools"
        self.calls_file = folder / "calls"
        (self.project / "autograder").mkdir(parents=True)
        (self.project / "autograder" / "__main__.py").touch()
        for name in ("requirements.lock", "requirements-dev.lock"):
            (self.project / name).write_text(f"{name} of this year\n")
        shutil.copy(PROJECT / "run_autograder", self.project)
        self.tools.mkdir()
        for tool in ("sh", *TOOLS):
            (self.tools / tool).symlink_to(str(shutil.which(tool)))

    @property
    def script(self) -> Path:
        """The script in its project."""
        return self.project / "run_autograder"

    @property
    def venv(self) -> Path:
        """The environment in its default folder."""
        return self.project / ".venv"

    @property
    def calls(self) -> list[str]:
        """The arguments of every call of a Python, oldest first."""
        return self.calls_file.read_text().splitlines() if self.calls_file.exists() else []

    def install(self, name: str, *, version: str = "3.11", **answers: str) -> Path:
        """Put a mocked Python on the PATH; `answers`: its commands for `venv`, `pip`, `check` and `ensurepip`."""
        text = FAKE_PYTHON.replace("CALLS", f"'{self.calls_file}'").replace("REAL", f"'{sys.executable}'")
        for word in ("ensurepip", "venv", "pip", "check"):  # the longer word before its part
            text = text.replace(word.upper(), answers.get(word, ":"))
        return self.add_tool(name, text.replace("VERSION", version))

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of a start."""
        return {"PATH": str(self.tools), "HOME": str(self.folder)}

    def start(
        self, *arguments: str, words: Sequence[str | Path] = (), cwd: Path | None = None, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the script until it ends; `words`: that start it, if they are not its path."""
        command = [*(words or [self.script]), *arguments]
        environment = self.environment | settings
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)

    def refuse(self, *arguments: str, **options: Any) -> str:
        """Start the script, which ends with a fault; return what it says."""
        done = self.start(*arguments, **options)
        assert done.returncode == 3
        return done.stderr

    def add_tool(self, name: str, text: str) -> Path:
        """Put a program of ours on the PATH."""
        path = self.tools / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with a suitable Python."""
    machine = Machine(tmp_path)
    machine.install("python3")
    return machine


def files_below(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return every file with its size and modification time."""
    return {path: (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*")}


def test_the_first_start_makes_the_environment_and_starts_the_grader(machine: Machine) -> None:
    done = machine.start("grade", "my work", "--only", "a b")
    assert done.returncode == 0
    main = machine.project / "autograder" / "__main__.py"
    assert done.stdout.splitlines() == ["<-I>", f"<{main}>", "<grade>", "<my work>", "<--only>", "<a b>"]
    assert [line.partition(":")[2].partition(":")[0] for line in done.stderr.splitlines()] == [
        f" setting up, step {step} of 3" for step in (1, 2, 3)
    ]


def test_every_later_start_is_silent_and_writes_nothing(machine: Machine) -> None:
    machine.start("grade", "x")
    before, calls = files_below(machine.project), len(machine.calls)
    done = machine.start("grade", "x")
    assert (done.returncode, done.stderr) == (0, "")
    assert files_below(machine.project) == before
    assert machine.calls[calls:] == [f"-I {machine.project}/autograder/__main__.py grade x"]


def test_python_never_looks_into_the_current_folder(machine: Machine) -> None:
    """Without -I, a student's venv.py or click.py would run as the grader."""
    machine.start("selftest")
    assert len(machine.calls) >= 6
    assert all(call.startswith("-I ") for call in machine.calls)


@pytest.mark.parametrize("shell", SHELLS)
def test_it_runs_in_any_posix_shell(machine: Machine, shell: str) -> None:
    (machine.tools / shell).symlink_to(str(shutil.which(shell)))
    words = [shell, *(["sh"] if shell == "busybox" else []), machine.script]
    done = machine.start("grade", "x", words=words)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "<x>"), done.stderr


class TestFindProject:
    def test_through_links_and_from_another_folder(self, machine: Machine, tmp_path: Path) -> None:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "first").symlink_to("../the project/run_autograder")
        (tmp_path / "second").symlink_to(tmp_path / "bin" / "first")
        done = machine.start("x", words=[tmp_path / "second"], cwd=tmp_path / "bin")
        assert f"<{machine.project}/autograder/__main__.py>" in done.stdout

    def test_on_gradescope_where_the_script_is_copied_away(self, machine: Machine, tmp_path: Path) -> None:
        root = tmp_path / "autograder root"
        root.mkdir()
        machine.project.rename(root / "source")
        script = shutil.copy(root / "source" / "run_autograder", root)
        done = machine.start(words=[script], AUTOGRADER_ROOT=str(root))
        assert done.stdout.splitlines() == ["<-I>", f"<{root}/source/autograder/__main__.py>"]

    def test_nowhere(self, machine: Machine, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        script = shutil.copy(machine.script, tmp_path / "elsewhere")
        told = machine.refuse("x", words=[script], AUTOGRADER_ROOT=str(tmp_path))
        assert f"the grader is neither beside this file ({tmp_path}/elsewhere) nor in {tmp_path}/source" in told


class TestFindPython:
    def test_a_suitable_python_is_found_behind_unsuitable_ones(self, machine: Machine) -> None:
        machine.install("python3", version="3.8")
        machine.install("python3.13", version="3.14")
        machine.install("python3.12", version="3.12")
        assert f"making {machine.venv} with Python 3.12" in machine.start("x").stderr

    def test_no_suitable_python(self, machine: Machine) -> None:
        machine.install("python3", version="3.9")
        machine.add_tool("python3.11", "exit 1")
        found = f"{machine.tools}/python3 3.9, {machine.tools}/python3.11 (does not start)"
        assert f"this needs Python 3.10, 3.11, 3.12 or 3.13; found: {found}\n" in machine.refuse("x")
        assert not machine.venv.exists()

    def test_no_python_at_all(self, machine: Machine) -> None:
        (machine.tools / "python3").unlink()
        told = machine.refuse("x")
        assert "found: nothing named python3 python3.13 python3.12 python3.11 python3.10" in told
        assert "AUTOGRADER_PYTHON=/path/to/python3.12" in told

    @pytest.mark.parametrize(("version", "told"), [("3.13", "with Python 3.13"), ("3.6", "my python 3.6")])
    def test_the_requested_python_is_used_or_too_old(self, machine: Machine, version: str, told: str) -> None:
        mine = machine.install("my python", version=version)
        done = machine.start("x", AUTOGRADER_PYTHON=str(mine))
        assert (done.returncode, told in done.stderr) == (0 if version == "3.13" else 3, True)


class TestMakeEnvironmentAgain:
    def test_an_incomplete_environment(self, machine: Machine) -> None:
        machine.install("python3", pip="exit 1")
        machine.refuse("x")
        (machine.venv / "left over").touch()
        machine.install("python3")
        assert machine.start("x").returncode == 0
        assert not (machine.venv / "left over").exists()

    def test_an_environment_whose_packages_do_not_start(self, machine: Machine) -> None:
        machine.install("python3", check="echo 'ImportError: libstdc++.so.6'; exit 1")
        for _ in range(2):
            assert "    ImportError: libstdc++.so.6" in machine.refuse("x")

    @pytest.mark.parametrize("path", ["requirements.lock", "reference/libraries.lock"])
    def test_an_environment_for_another_lock_file(self, machine: Machine, path: str) -> None:
        machine.start("x")
        (machine.project / "reference").mkdir()
        for text in ("torch of this year\n", "torch of next year\n"):
            (machine.project / path).write_text(text)
            assert "step 1 of 3" in machine.start("x").stderr
            assert machine.calls[-3].endswith(f"--requirement {machine.project / path}")
            assert machine.start("x").stderr == ""

    @pytest.mark.parametrize("name", ["gone", "another"])
    def test_an_environment_whose_python_is_gone_or_another(self, machine: Machine, tmp_path: Path, name: str) -> None:
        machine.start("x")
        python = machine.venv / "bin" / "python"
        python.rename(tmp_path / "another")
        python.symlink_to(tmp_path / name)
        assert "step 1 of 3" in machine.start("x").stderr

    def test_a_folder_not_made_by_the_script_is_left_alone(self, machine: Machine, tmp_path: Path) -> None:
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / "thesis.tex").touch()
        told = machine.refuse("x", AUTOGRADER_VENV=str(tmp_path / "home"))
        assert f"{tmp_path}/home exists and was not made by run_autograder" in told
        assert os.listdir(tmp_path / "home") == ["thesis.tex"]


def test_the_packages_of_selftest_are_added_to_an_environment_that_grades(machine: Machine) -> None:
    machine.start("grade", "x")
    assert "installing the packages of requirements-dev.lock" in machine.start("selftest").stderr
    assert sum("-m venv" in call for call in machine.calls) == 1
    assert machine.start("selftest", "-k", "wire").stderr == ""


class TestFailures:
    @pytest.mark.parametrize(
        ("step", "text", "told"),
        [
            ("venv", "ensurepip is not available", "apt-get install python3-venv (or python3.11-venv)"),
            ("venv", "/usr/bin/python3: No module named venv", "apt-get install python3-venv (or python3.11-venv)"),
            ("pip", "[Errno 28] No space left on device", "the disk is full"),
            ("pip", "Failed to establish a new connection: [Errno -3]", "the first start needs the network"),
            ("pip", "THESE PACKAGES DO NOT MATCH THE HASHES", "a package is not the one that was locked"),
            ("pip", "ERROR: No matching distribution found for numpy", "a package is not available for Python 3.11"),
            ("pip", "Segmentation fault", "an incomplete environment is made again from scratch"),
        ],
    )
    def test_are_explained_and_shown(self, machine: Machine, step: str, text: str, told: str) -> None:
        command = f"echo 'a first line'; echo '{text}' >&2; exit 1"
        machine.install("python3", **{step: command})
        shown = machine.refuse("x")
        assert told in shown.splitlines()[-1]
        assert f"    {text}" in shown
        assert f"the full log: {machine.venv}/install.log" in shown
        assert "a first line" in (machine.venv / "install.log").read_text()

    def test_a_folder_that_cannot_be_written(self, machine: Machine) -> None:
        told = machine.refuse("x", AUTOGRADER_VENV=str(machine.script / "venv"))
        assert f"cannot write to {machine.script}: " in told
        assert "AUTOGRADER_VENV=/path/to/folder" in told

    @pytest.mark.parametrize("status", [0, 3], ids=["before the grader starts", "without Python"])
    def test_gradescope_has_a_result_anyway(self, machine: Machine, tmp_path: Path, status: int) -> None:
        if status:
            (machine.tools / "python3").unlink()
        (tmp_path / "results").mkdir()
        assert machine.start(AUTOGRADER_ROOT=str(tmp_path)).returncode == status
        assert os.listdir(tmp_path / "results") == ["results.json"]
        result = json.loads((tmp_path / "results" / "results.json").read_text())
        assert (result["score"], result["extra_data"]) == (0, {"state": "unfinished"})
        assert "This is not your fault" in result["output"]


class TestSetupForGradescope:
    """setup.sh runs when the image is built."""

    @staticmethod
    def set_up(machine: Machine) -> subprocess.CompletedProcess[str]:
        """Run setup.sh in the project."""
        script = shutil.copy(PROJECT / "autograder" / "packaging" / "setup.sh", machine.project)
        return machine.start(words=[script], cwd=machine.folder)

    def test_it_makes_the_environment(self, machine: Machine) -> None:
        done = self.set_up(machine)
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "<--version>")
        assert (machine.venv / "bin" / "python").exists()

    def test_it_installs_the_modules_that_ubuntu_lacks(self, machine: Machine) -> None:
        machine.install("python3", ensurepip="exit 1")
        machine.add_tool("apt-get", f"echo apt-get $* >> '{machine.calls_file}'")
        assert self.set_up(machine).returncode == 0
        assert machine.calls[1:3] == ["apt-get update -q", "apt-get install -y -q python3-venv"]


def test_two_first_starts_make_one_environment(machine: Machine, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    machine.install("python3", venv=f"read line < '{tmp_path}/gate'")
    pipes = {"env": machine.environment, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([machine.script, "one"], **pipes) as first:
        assert first.stderr is not None
        assert "step 1 of 3" in first.stderr.readline()
        with subprocess.Popen([machine.script, "two"], **pipes) as second:
            assert second.stderr is not None
            assert "waiting for another start" in second.stderr.readline()
            (tmp_path / "gate").write_text("go\n")
            assert "<one>" in first.communicate()[0]
            assert "<two>" in second.communicate()[0]
    assert sum("-m venv" in call for call in machine.calls) == 1
