"""Own uid: a user id for the workers of one zygote that no other process on this machine has.

Run by the grader as root. Two workers under one user id can end each other, and share one count of processes, even from
one container to another. The id is drawn by chance from 268 million that nothing gives out, which keeps containers
apart that cannot see each other, and is locked for those that can. Trusts the kernel.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from pathlib import Path

# Above what systemd and containers give to users, below the end of signed numbers; a container that has fewer ids
# counts its processes apart from everybody else's, and takes them from its own upper end.
_FREE = range(0x70000000, 0x7FFFFFF0)
_FEWER = 5000
_RESERVED_AT_END = 10  # nobody, and ids that mean "no id"
_TRIES = 100


def claim_uid() -> tuple[int, socket.socket] | None:
    """A user id and what holds it until it is closed or this process ends; None where there is none to be had."""
    map_of_ids = Path("/proc/self/uid_map").read_text(encoding="ascii")
    free = find_free_uids(map_of_ids) if os.getuid() == 0 else range(0)
    if not free:
        return None
    for _ in range(_TRIES):
        uid = free[secrets.randbelow(len(free))]
        lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        with contextlib.suppress(OSError):
            # An abstract name is a lock that the kernel gives back however this process ends.
            lock.bind(f"\0autograder-worker-{uid}")
            return uid, lock
        lock.close()
    return None


def find_free_uids(map_of_ids: str) -> range:
    """The ids to draw from, of those that this place has; `map_of_ids` as in /proc/self/uid_map."""
    ranges = [(int(first), int(count)) for first, _, count in map(str.split, map_of_ids.splitlines())]
    if any(first <= _FREE.start and _FREE.stop <= first + count for first, count in ranges):
        return _FREE
    first, count = max(ranges, key=lambda each: each[1])
    last = first + count - _RESERVED_AT_END
    return range(max(first + count // 2, last - _FEWER), last)
