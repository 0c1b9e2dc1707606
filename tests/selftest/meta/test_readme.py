"""The README: its commands run, and print what it shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.selftest.support.grading import PROJECT

README = PROJECT / "README.md"
BLOCK = re.compile(r"^```console\n\$ (?P<command>.*)\n(?P<output>(?:.*\n)*?)```$", re.MULTILINE)
GRADES = {block["command"]: block["output"] for block in BLOCK.finditer(README.read_text(encoding="utf-8"))}
SELFTEST = GRADES.pop("./run_autograder selftest")
assert SELFTEST == ""


def printed(command: str, cwd: Path) -> str:
    """What a command of the README prints, without what differs from machine to machine."""
    (cwd / "examples").symlink_to(PROJECT / "examples")
    script, *arguments = shlex.split(command)
    assert script == "./run_autograder"
    start = [sys.executable, "-I", str(PROJECT / "autograder" / "__main__.py"), *arguments]
    done = subprocess.run(start, cwd=cwd, capture_output=True, text=True, check=True)
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    return re.sub(r"\nLayers of the sandbox that were not active: (?:[^\n]+\n)+", "", "\n".join(lines) + "\n")


def without_seconds(text: str) -> str:
    """The text with every time blotted out, and every size of a file."""
    return re.sub(r"\d+(\.\d s|( KiB))$", r"...\2", text, flags=re.MULTILINE)


@pytest.mark.parametrize("command", GRADES)
def test_a_command_prints_what_the_readme_shows(command: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    output = printed(command, tmp_path)
    if pytestconfig.getoption("--update-readme"):
        text = README.read_text(encoding="utf-8")
        block = f"```console\n$ {command}\n"
        README.write_text(text.replace(block + GRADES[command], block + output), encoding="utf-8")
    else:
        assert without_seconds(output) == without_seconds(GRADES[command])


def test_the_right_example_has_full_marks() -> None:
    assert "156 of 156 points, 146 of 146 checks passed" in GRADES["./run_autograder grade examples/right"]
    assert "Ten questions, 146 checks, 156 points." in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["./run_autograder grade examples/right", "./run_autograder selftest"])
def test_what_sets_the_project_up_is_what_ci_runs(command: str) -> None:
    assert f"run {command}\n" in (PROJECT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_files_that_are_named_exist(name: str) -> None:
    text = (PROJECT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?|\w+\.(?:py|md|toml|lock|sh))`", text))
    assert {each for each in named if not (PROJECT / each).exists()} <= {"results/results.json"}
    assert len(named) >= 3


def test_messages_that_are_explained_are_ones_that_are_said() -> None:
    sources = [PROJECT / "run_autograder", *(PROJECT / "autograder").rglob("*.py")]
    said = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    section = README.read_text(encoding="utf-8").partition("## When something goes wrong")[2].partition("\n## ")[0]
    messages = [message for row in section.splitlines() for message in re.findall("`(.*?)`", row.partition(" | ")[0])]
    parts = [part.strip() for message in messages for part in message.split("...") if part.strip()]
    assert [part for part in parts if part not in said] == []
    assert len(messages) >= 15
