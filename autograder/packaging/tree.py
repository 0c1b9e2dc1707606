"""Tree: turns named parts of a folder into the files of a package, and these into a zip.

The parts are an allowlist, so that no self-tests, examples, results or secrets next to the sources get in. In a clone,
only files that git tracks are packed; a folder without git is packed as it is. The same files give the same bytes of a
zip on every machine.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograder import GraderError

Files = Mapping[str, bytes]  # contents by path, with '/' as separator

_LEFT_BEHIND = {"__pycache__", "start_files"}
_FIRST_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest date of the zip format
_UNIX = 3
_SCRIPT, _FILE = 0o100755, 0o100644
_START_FILES = Path(__file__).with_name("start_files")  # links to the top of a clone; files in a wheel


class PackagingError(GraderError):
    """A package cannot be built; the text says what is missing and what to do."""


def read_files_below(root: Path, parts: Iterable[str]) -> tuple[Files, tuple[str, ...]]:
    """Read the files below the parts of a folder, and return the paths that git does not track too.

    Line ends become LF, even in a clone on Windows: a script with CRLF does not start. PackagingError if a part is
    missing.
    """
    tracked = _list_tracked(root)
    files = {}
    left_out = []
    for part in parts:
        for path in _list_below(root, part):
            if tracked is None or path in tracked:
                files[path] = normalize_line_ends((root / path).read_bytes())
            else:
                left_out.append(path)
    return files, tuple(sorted(left_out))


def find_start_files(engine: Path) -> Path:
    """Find the folder of run_autograder, lock and Dockerfile: next to the grader in a clone, in it where installed."""
    return engine if (engine / "requirements.lock").exists() else _START_FILES


def normalize_line_ends(content: bytes) -> bytes:
    """Replace CRLF by LF, unless the content is binary."""
    return content if b"\0" in content else content.replace(b"\r\n", b"\n")


def build_zip(files: Files, *, compressed: bool = False) -> bytes:
    """Build a zip of the files, sorted by path; scripts are executable.

    A compressed one differs between versions of zlib.
    """
    buffer = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for path, content in sorted(files.items()):
            member = zipfile.ZipInfo(path, _FIRST_DATE)
            member.create_system = _UNIX
            member.external_attr = choose_mode(content) << 16
            member.compress_type = method
            archive.writestr(member, content)
    return buffer.getvalue()


def choose_mode(content: bytes) -> int:
    """Choose the `st_mode` of a file with this content."""
    return _SCRIPT if content.startswith(b"#!") else _FILE


def _list_below(root: Path, part: str) -> list[str]:
    whole = root / part
    if not whole.exists():
        raise PackagingError(f"{whole} does not exist; this copy is not complete")
    if whole.is_file():
        return [part]
    below = [path.relative_to(whole) for path in whole.rglob("*") if not path.is_dir()]
    return [f"{part}/{path.as_posix()}" for path in below if not any(map(_is_left_behind, path.parts))]


def _is_left_behind(name: str) -> bool:
    return name.startswith(".") or name.endswith(".pyc") or name in _LEFT_BEHIND


def _list_tracked(root: Path) -> set[str] | None:
    """List the files that git tracks in the root; None if it is in no clone or git is not installed."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return None
    command = [git, "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout
    except subprocess.CalledProcessError:
        return None
    return set(listed.decode("utf-8", "surrogateescape").split("\0"))
