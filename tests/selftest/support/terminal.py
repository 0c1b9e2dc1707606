"""Terminal: runs a command whose standard error is a terminal, and returns what that shows."""

import contextlib


def read_to_the_end(reader: int) -> str:
    """Read all that processes write to a terminal, until the last of them ends, and close it."""
    shown = b""
    with contextlib.suppress(OSError), open(reader, "rb", buffering=0) as opened:  # Linux tells the end by an error
        while piece := opened.read(1 << 16):
            shown += piece
    return shown.decode()
