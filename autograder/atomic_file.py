"""Atomic file: writes a file so that at any moment the path holds the old or the new one; reads what is kept so.

What the grader keeps from one start to the next decides later results: whoever can write to it, or to its folder, could
have written it, so it is private to the grader's user, and read only while it is.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

_UNFINISHED = re.compile(r"\..+\.(json|html|csv|svg)-[a-z0-9_]{8}")


def write_atomically(path: Path, pieces: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write the pieces to a file atomically; a link at `path` is replaced, never followed.

    Creates the folder if it is missing. `mode`: permissions; by default only the owner can read the file. The file is
    complete after a crash of the machine too. Raises OSError, or any exception of the iterator `pieces`; no file is
    left behind then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.writelines(pieces)
            file.flush()
            os.fsync(descriptor)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def remove_unfinished(folder: Path) -> None:
    """Remove the files that a killed run left unfinished: they are written under hidden names first."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _UNFINISHED.fullmatch(path.name) and path.is_file():
                path.unlink()


def remember(path: Path, data: bytes, *, keep: int) -> None:
    """Write a file that `read_private` reads, if possible, and keep the last `keep` of its kind.

    A name is a kind, a hyphen and what the file was made of. Without the file, its content is found out again.
    """
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, [data])
        kind = path.parent.glob(f"{path.stem.rpartition('-')[0]}-*{path.suffix}")
        for old in sorted(kind, key=lambda each: each.stat().st_mtime)[:-keep]:
            old.unlink(missing_ok=True)


def read_private(path: Path, most_bytes: int, *, is_link_refused: bool = False) -> bytes:
    """Read a file that only its owner, this user, can write to, as to its folder; OSError for any other.

    `is_link_refused`: a file with a second hard link is none. FileNotFoundError if there is no file.
    """
    _require_private(os.lstat(path.parent), stat.S_ISDIR)
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        _require_private(status, stat.S_ISREG)
        if is_link_refused and status.st_nlink > 1:
            raise OSError("it has a second hard link")
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise OSError(f"it is larger than {most_bytes >> 20} MiB")
    return data


def _require_private(status: os.stat_result, is_kind: Callable[[int], bool]) -> None:
    if not is_kind(status.st_mode):
        raise OSError("it is not a regular file in a folder")
    if status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise OSError("another user owns it or can write to it")
