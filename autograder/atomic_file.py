"""Atomic file: writes a file so that at any moment the path holds the old or the new one, and removes old ones."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


def remove_oldest(folder: Path, pattern: str, *, keep: int) -> None:
    """Remove all but the files of a pattern that were written, or marked as used, last; OSError where that fails."""
    for old in sorted(folder.glob(pattern), key=lambda each: each.stat().st_mtime)[:-keep]:
        old.unlink(missing_ok=True)


def write_atomically(path: Path, pieces: Iterable[bytes], *, mode: int | None = None) -> None:
    """Write the pieces to a file atomically; a link at `path` is replaced, never followed.

    Creates the folder if it is missing. `mode`: permissions; by default only the owner can read the file. Raises
    OSError, or any exception of the iterator `pieces`; no file is left behind then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            file.writelines(pieces)
            file.flush()
            os.fsync(descriptor)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
