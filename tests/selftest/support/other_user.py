"""Other user: runs a program as an unnamed user, in a copy of the project that belongs to that user.

A Python in a private home and a private checkout are made readable for this program only: in its own mount namespace,
each private folder on the path is covered by a public one that contains only the necessary files.

Started as a program: python -m tests.selftest.support.other_user FOLDER COMMAND... It runs COMMAND as the user.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox.isolation import kernel

PROJECT = Path(__file__).resolve().parents[3]
USER = 54_321  # unassigned; workers' ids are drawn from a much higher range
_PARTS = ("autograder", "examples", "reference", "student_template", "tests", "pyproject.toml")
_NEW_MOUNTS = 0x00020000
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 1 << 18


class NoOtherUserError(Exception):
    """No program can be run as another user here; the text gives the reason."""


@dataclass(frozen=True)
class OtherUser:
    """A folder of the user that contains the project."""

    folder: Path

    @property
    def project(self) -> Path:
        """The copy of the project."""
        return self.folder / "project"

    def run(self, *arguments: str, timeout_s: float = 60.0) -> subprocess.CompletedProcess[str]:
        """Run this Python as the user and wait for it."""
        become = [sys.executable, "-m", "tests.selftest.support.other_user", str(self.folder)]
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [*become, sys.executable, *arguments],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )


@contextmanager
def other_user() -> Iterator[OtherUser]:
    """Yield the user's folder and remove it at the end; NoOtherUserError if there is no other user."""
    if os.getuid() != 0:
        raise NoOtherUserError("only root can be another user")
    folder = Path(tempfile.mkdtemp(prefix="autograder-user-", dir="/tmp"))
    try:
        user = OtherUser(folder)
        _copy_project(user.project)
        (folder / "cover").mkdir()
        _give(folder)
        tried = user.run("-c", "import numpy, os; print(os.getuid())")
        if tried.stdout != f"{USER}\n":
            raise NoOtherUserError((tried.stderr.strip().splitlines() or ["it does not start"])[-1])
        yield user
    finally:
        shutil.rmtree(folder)


def _copy_project(to: Path) -> None:
    to.mkdir()
    for name in _PARTS:
        path = PROJECT / name
        if path.is_dir():
            shutil.copytree(path, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif path.exists():  # the grader's tests need no course
            shutil.copy(path, to)


def _give(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, USER, USER)


def main() -> None:
    """Become the user, then execute the command."""
    folder, *command = sys.argv[1:]
    _open_the_way((Path(sys.base_prefix), Path(sys.prefix)), Path(folder, "cover"))
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    os.chdir(Path(folder, "project"))
    os.execv(command[0], command)


def _open_the_way(needed: tuple[Path, ...], cover: Path) -> None:
    """Cover private folders above the necessary files, for this process and the program that it executes."""
    below: dict[Path, list[Path]] = {}
    for path in sorted({*needed, *(each.resolve() for each in needed)}):
        closed = [parent for parent in reversed(path.parents) if not parent.stat().st_mode & 0o001]
        if closed:
            below.setdefault(closed[0], []).append(path)
    if below:
        kernel.unshare(_NEW_MOUNTS)
        kernel.mount(b"none", b"/", _RECURSIVE | _PRIVATE)
    for number, (barrier, paths) in enumerate(below.items()):
        _cover(barrier, cover / str(number), paths)


def _cover(barrier: Path, cover: Path, paths: list[Path]) -> None:
    opened = {path: os.open(path, os.O_PATH) for path in paths}
    for path in paths:
        (cover / path.relative_to(barrier)).mkdir(parents=True, exist_ok=True)
    kernel.mount(os.fsencode(cover), os.fsencode(barrier), _BIND)
    for path, descriptor in opened.items():
        kernel.mount(f"/proc/self/fd/{descriptor}".encode(), os.fsencode(path), _BIND)
        os.close(descriptor)


if __name__ == "__main__":
    main()
