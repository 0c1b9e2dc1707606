"""Runs: applies an edit in a copy of the project, and runs the copy's self-tests until one of them fails."""

from __future__ import annotations

import ast
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.strength.edits import EngineEdit

_HANG_S = 240  # no test of these tiers takes so long: the slowest ones take 30 s on two busy cores
_FAILED = re.compile(r"^(?:FAILED|ERROR) ([^\[\n]*?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
_PASSED = (0, 5)  # 5: no test of these files is in the tier
_UNKNOWN = "ERROR: not found: "  # a test that caught an edit before has another name since
_HANGS, _BREAKS = "a test that hangs", "the tests do not start"


class Settings(NamedTuple):
    """What is run for each edit: `tests` is package, fast or second; `marks` is pytest's -m; a limit in seconds."""

    tests: str
    marks: str
    limit_s: float


class Outcome(NamedTuple):
    """What a run of tests found: the test that failed, or why there is none."""

    caught_by: str | None
    is_finished: bool = True


@dataclass
class Copy:
    """A copy of the project in which one edit at a time is applied. `broken`: tests that fail without any edit."""

    root: Path
    settings: Settings
    sound: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)

    def measure(self, edit: EngineEdit, known: str | None) -> Outcome:
        """Run tests until one fails with the edit that passes without it, or all passed, or the time is over."""
        end = time.monotonic() + self.settings.limit_s
        for arguments in self._list_stages(edit, known):
            while (outcome := self._run_edited(edit, arguments, end)).caught_by is not None:
                if self._is_sound(outcome.caught_by):
                    return outcome
            if not outcome.is_finished:
                return outcome
        return Outcome(None)

    def _list_stages(self, edit: EngineEdit, known: str | None) -> Iterator[Sequence[str]]:
        if known is not None and (self.root / known.partition("::")[0]).is_file():
            yield [known]
        stages = find_tests(self.root, edit)
        if not any(stages):
            raise RuntimeError(f"no test in {self.root} is near {edit.path}")
        yield from filter(None, stages)
        if self.settings.tests != "package":
            tier = ["--fast"] if self.settings.tests == "fast" else []
            yield [*tier, *(f"--ignore={path}" for paths in stages for path in paths)]

    def _run_edited(self, edit: EngineEdit, arguments: Sequence[str], end: float) -> Outcome:
        with _write_text(self.root / edit.path, edit.after):
            return self._run(arguments, end - time.monotonic())

    def _is_sound(self, test: str) -> bool:
        """Whether a test passes without the edit; one that does not is left out from now on."""
        if test in self.broken:
            raise RuntimeError(f"{test} fails without an edit and cannot be left out")
        if test not in (self.sound | {_HANGS, _BREAKS}):
            outcome = self._run([test] if "::" in test else [test, "--collect-only"], _HANG_S)
            (self.sound if outcome == Outcome(None) else self.broken).add(test)
        return test not in self.broken

    def _run(self, arguments: Sequence[str], limit_s: float) -> Outcome:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider"]
        command += ["-o", f"faulthandler_timeout={_HANG_S}", "-o", "faulthandler_exit_on_timeout=true"]
        command += [f"--deselect={each}" for each in sorted(self.broken)]
        command += ["-m", self.settings.marks] if self.settings.marks else []
        process = subprocess.Popen(
            [*command, *arguments],
            cwd=self.root,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=max(limit_s, 1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Outcome(None, is_finished=False)
        is_passed = process.returncode in _PASSED or _UNKNOWN in output
        return Outcome(None if is_passed else _find_failure(output))


def _find_failure(output: str) -> str:
    failed = _FAILED.search(output)
    return failed[1] if failed else _HANGS if "Timeout (" in output else _BREAKS


@contextlib.contextmanager
def _write_text(path: Path, text: str) -> Iterator[None]:
    before, written = path.read_text(encoding="utf-8"), path.stat().st_mtime
    path.write_text(text, encoding="utf-8")
    os.utime(path, (written, written - 2))  # or code is taken that was compiled from a file of the same second and size
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")
        os.utime(path, (written, written))


def copy_project(project: Path, root: Path) -> None:
    """Copy a project without its history; its environment is this program's."""
    shutil.copytree(project, root, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__"))
    (root / ".venv").symlink_to(sys.prefix)


def find_tests(root: Path, edit: EngineEdit) -> tuple[list[str], list[str], list[str]]:
    """Find the files of tests that import the edited module, the others of its package, and all that import that."""
    package = "autograder." + edit.package.replace("/", ".")
    module = edit.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    mirrored = root / "tests" / "selftest" / edit.package.partition("/")[0]
    stages: tuple[list[str], list[str], list[str]] = ([], [], [])
    near, own, far = stages
    for path in sorted((root / "tests" / "selftest").rglob("test_*.py")):
        imported, name = _list_imports(path), str(path.relative_to(root))
        if module in imported:
            near.append(name)
        elif path.is_relative_to(mirrored):
            own.append(name)
        elif any(f"{each}.".startswith(f"{package}.") for each in imported):
            far.append(name)
    return stages


def _list_imports(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
