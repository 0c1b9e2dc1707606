"""Tree: lists the files of the project that belong into a package, and reads them.

What belongs into it is named, so that nothing else can slip in: no self-tests, no examples, no results, no secrets
beside the sources. In a clone only files that git tracks count; a folder without git is taken as it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

Files = Mapping[str, bytes]  # by path, parts joined by '/'

_LEFT_BEHIND = {"__pycache__"}


class PackagingError(Exception):
    """A package cannot be made; the text says what is missing and what to do."""


def project_files(project: Path, parts: Iterable[str]) -> tuple[Files, tuple[str, ...]]:
    """The files below the parts of the project, sorted by path, and the paths that git does not know.

    Texts have LF at the end of lines, whatever a clone on Windows made of them: a script with CRLF does not start.
    PackagingError where a part is missing.
    """
    found = [path for part in parts for path in _below(project, part)]
    tracked = _tracked(project)
    kept = [path for path in found if tracked is None or path in tracked]
    left_out = tuple(sorted(set(found) - set(kept)))
    return {path: as_text_with_lf((project / path).read_bytes()) for path in sorted(kept)}, left_out


def as_text_with_lf(content: bytes) -> bytes:
    """The content with LF at the end of lines, unless it is no text."""
    return content if b"\0" in content else content.replace(b"\r\n", b"\n")


def _below(project: Path, part: str) -> list[str]:
    whole = project / part
    if not whole.exists():
        raise PackagingError(f"{whole} does not exist; this copy of the project is not complete")
    if whole.is_file():
        return [part]
    paths = []
    for folder, folders, names in os.walk(whole):
        folders[:] = [name for name in folders if not _is_left_behind(name)]
        paths += [Path(folder, name).relative_to(project).as_posix() for name in names if not _is_left_behind(name)]
    return paths


def _is_left_behind(name: str) -> bool:
    return name.startswith(".") or name.endswith(".pyc") or name in _LEFT_BEHIND


def _tracked(project: Path) -> set[str] | None:
    """What git tracks in the project's folder; None where it is no clone of the project or there is no git."""
    git = shutil.which("git")
    if git is None or not (project / ".git").exists():
        return None
    command = [git, "-c", "safe.directory=*", "-C", str(project), "ls-files", "-z"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout
    except subprocess.CalledProcessError:
        return None
    return set(listed.decode("utf-8", "surrogateescape").split("\0"))
