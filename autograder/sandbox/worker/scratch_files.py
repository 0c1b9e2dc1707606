"""Scratch files: keeps the files that student code writes in the worker's memory.

Installed by the zygote, with its rights, before it forks workers; run in workers. Trusts nothing. The kernel would
refuse a worker's writes anyway (the file size limit is 0); this makes code that saves its parameters work unchanged. A
file that was not written here is read from the real file system, as far as the process may read it.
"""

from __future__ import annotations

import builtins
import io
import os
import pathlib
from typing import IO, Any

_real_open = open


class ScratchFiles:
    """The files written by one worker, by the path that the code used."""

    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}

    def install(self) -> None:
        """Replace the built-in `open`, `mkdir` and the functions that return the current folder.

        The kernel's current folder is a removed one, which has no name.
        """
        builtins.open = self.open  # type: ignore[assignment]
        io.open = self.open  # type: ignore[assignment]
        os.getcwd = lambda: "/"
        os.getcwdb = lambda: b"/"
        os.mkdir = self.mkdir
        accessor: Any = getattr(pathlib, "_normal_accessor", None)  # Python 3.10 has its own references to both
        if accessor is not None:
            accessor.open, accessor.mkdir = self.open, self.mkdir

    def forget(self) -> None:
        """Forget all files; one that is still open is lost when it is closed."""
        self._contents = {}

    def mkdir(self, path: Any, *arguments: Any, **keywords: Any) -> None:
        """Do nothing in place of `os.mkdir`: files are kept by their whole path, so no folder is needed."""

    def open(self, file: Any, mode: str = "r", *arguments: Any, **keywords: Any) -> IO[Any]:
        """Open a file like the built-in `open`, but keep written files in memory."""
        if isinstance(file, int):
            return _real_open(file, mode, *arguments, **keywords)
        path = os.path.normpath(os.fsdecode(file))
        is_write = any(letter in mode for letter in "wax+")
        if not is_write and path not in self._contents:
            return _real_open(file, mode, *arguments, **keywords)
        if "x" in mode and path in self._contents:
            raise FileExistsError(path)
        raw = _KeptFile(self._contents, path, b"" if "w" in mode else self._contents.get(path, b""))
        if "a" in mode:
            raw.seek(0, os.SEEK_END)
        return raw if "b" in mode else _wrap_text(raw, *arguments[1:], **keywords)


class _KeptFile(io.BytesIO):
    """A file whose bytes are kept under its path when it is closed or flushed."""

    def __init__(self, contents: dict[str, bytes], path: str, initial: bytes) -> None:
        super().__init__(initial)
        self._contents = contents
        self.name = path
        self.flush()

    def flush(self) -> None:
        """Keep the bytes written so far."""
        self._contents[self.name] = self.getvalue()

    def close(self) -> None:
        """Keep the content, then close."""
        if not self.closed:
            self.flush()
        super().close()


def _wrap_text(raw: io.BytesIO, *arguments: Any, **keywords: Any) -> io.TextIOWrapper:
    encoding, errors, newline = [*arguments, None, None, None][:3]
    return io.TextIOWrapper(
        raw,
        encoding=keywords.get("encoding", encoding) or "utf-8",
        errors=keywords.get("errors", errors),
        newline=keywords.get("newline", newline),
        write_through=True,
    )
