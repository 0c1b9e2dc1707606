"""Whole file: puts a file in its place in one step; at every moment there is a whole one, the old or the new."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, pieces: Iterable[bytes], *, mode: int | None = None) -> None:
    """Write the pieces, one after another; a link at `path` is replaced, never followed.

    Its folder is made where it is missing. `mode`: the file's, which else is for its owner alone. OSError where that is
    not possible, and whatever making the pieces raises; nothing is left behind then.
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
