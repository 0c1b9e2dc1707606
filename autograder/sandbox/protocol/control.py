"""Control: the four fixed-size messages between the grader and the zygote.

Run by both; both are trusted, no worker holds this socket.
"""

from __future__ import annotations

import struct

READY = b"R"
NO_UID = -1
# b"S", uid or NO_UID, mask of layers left out, the fields of Limits; carries the worker's socket and output pipe
SPAWN = struct.Struct("<cqq4q")
STARTED = struct.Struct("<cq")  # b"P", pid, or the negative number of the error where there is no worker
END = struct.Struct("<cq")  # b"E", pid
ENDED = struct.Struct("<cqd")  # b"W", wait status, CPU seconds
