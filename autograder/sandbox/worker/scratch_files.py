"""Scratch files: gives student code a place to write files that exists in its worker's memory only.

Run in the zygote before it forks workers, so that each has it; the kernel would refuse a worker's write anyway (the
file size limit is 0), this makes code that saves its parameters work unchanged. What is opened for reading and was not
written here comes from the real file system, as far as the process may read it. Trusts nothing.
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
        """Take the place of the built-in `open`, and have a current folder in which folders can be made.

        The kernel's current folder is one that was removed, of which it does not tell the name.
        """
        builtins.open = self.open  # type: ignore[assignment]
        io.open = self.open  # type: ignore[assignment]
        os.getcwd = lambda: "/"
        os.getcwdb = lambda: b"/"
        os.mkdir = self.mkdir
        accessor: Any = getattr(pathlib, "_normal_accessor", None)  # Python 3.10 keeps both under names of its own
        if accessor is not None:
            accessor.open, accessor.mkdir = self.open, self.mkdir

    def mkdir(self, path: Any, *arguments: Any, **keywords: Any) -> None:
        """As `os.mkdir`, for folders that need not exist: files are kept by their whole path."""

    def open(self, file: Any, mode: str = "r", *arguments: Any, **keywords: Any) -> IO[Any]:
        """As the built-in `open`, with the written files kept in memory."""
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
    """Bytes that are kept under their path when the file is closed or flushed."""

    def __init__(self, contents: dict[str, bytes], path: str, initial: bytes) -> None:
        super().__init__(initial)
        self._contents = contents
        self.name = path
        self.flush()

    def flush(self) -> None:
        """Keep what was written so far."""
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
