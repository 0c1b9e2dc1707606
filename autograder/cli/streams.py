"""Streams: makes standard input, output and errors such that they can be used, whatever the caller did to them."""

from __future__ import annotations

import os
import sys

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def open_all() -> None:
    """Have all three open, and none of them fail at a letter that its encoding lacks."""
    for descriptor, (name, mode) in enumerate(_MODES.items()):
        try:
            os.fstat(descriptor)
        except OSError:  # closed by the caller: the next socket would get its number
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the processes started next would lack it
        if getattr(sys, name) is None:
            stream = open(descriptor, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  (open to the end)
            setattr(sys, name, stream)
        getattr(sys, name).reconfigure(errors="backslashreplace")


def discard(descriptor: int) -> None:
    """Have what is still to be written there go nowhere; Python would fail at it once more at its end, and say so."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
