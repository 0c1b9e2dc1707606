"""Own uid: reserves a user id for the workers of one zygote that no other process on this machine has.

Run by the grader, with effect as root only. Trusts the kernel. Two workers with the same user id can kill each other
and share one process count, even across containers. The id is drawn at random from 268 million unassigned ids, which
separates containers that cannot see each other, and is locked against graders that can.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from pathlib import Path

# Above the ids that systemd and containers assign, below the end of signed numbers. A container with fewer ids has its
# own process counts, and the id is drawn from the upper end of its range.
_FREE = range(0x70000000, 0x7FFFFFF0)
_FEWER = 5000
_RESERVED_AT_END = 10  # `nobody`, and ids that mean "no id"
_TRIES = 100


def claim_uid() -> tuple[int, socket.socket] | None:
    """Reserve a user id; return it with the socket that locks it until it is closed, or None if none is available."""
    map_of_ids = Path("/proc/self/uid_map").read_text(encoding="ascii")
    free = find_free_uids(map_of_ids) if os.getuid() == 0 else range(0)
    if not free:
        return None
    for _ in range(_TRIES):
        uid = free[secrets.randbelow(len(free))]
        lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        with contextlib.suppress(OSError):
            # An abstract name is a lock that the kernel releases however this process ends.
            lock.bind(f"\0autograder-worker-{uid}")
            return uid, lock
        lock.close()
    return None


def find_free_uids(map_of_ids: str) -> range:
    """Find the range of ids to draw from; `map_of_ids` as in /proc/self/uid_map."""
    ranges = [(int(first), int(count)) for first, _, count in map(str.split, map_of_ids.splitlines())]
    if any(first <= _FREE.start and _FREE.stop <= first + count for first, count in ranges):
        return _FREE
    first, count = max(ranges, key=lambda each: each[1])
    last = first + count - _RESERVED_AT_END
    return range(max(first + count // 2, last - _FEWER), last)
