"""Streams: makes standard input, output and error usable, whatever state the caller left them in."""

from __future__ import annotations

import os
import sys

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def open_all() -> None:
    """Open all three streams, and let none of them fail on a character that its encoding lacks."""
    for descriptor, (name, mode) in enumerate(_MODES.items()):
        try:
            os.fstat(descriptor)
        except OSError:  # closed by the caller: the next socket would get its descriptor
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # child processes would lack it too
        if getattr(sys, name) is None:
            stream = open(descriptor, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  (stays open)
            setattr(sys, name, stream)
        getattr(sys, name).reconfigure(errors="backslashreplace")


def discard(descriptor: int) -> None:
    """Redirect a stream to /dev/null; otherwise Python would fail on its unwritten data again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
