"""Control: defines the fixed-size messages between the grader and the zygote.

Run by both, with the rights of each. Both are trusted: no worker has this socket.
"""

from __future__ import annotations

import struct

READY = b"R"
NO_UID = -1
# b"S", uid or NO_UID, bit mask of omitted layers, the fields of Limits; carries the worker's socket and output pipe
SPAWN = struct.Struct("<cqq4q")
STARTED = struct.Struct("<cq")  # b"P", pid, or the negative errno if no worker was started
END = struct.Struct("<cq")  # b"E", pid
ENDED = struct.Struct("<cqd")  # b"W", wait status, CPU seconds
