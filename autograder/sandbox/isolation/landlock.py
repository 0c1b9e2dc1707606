"""Landlock: forbids a worker to open files, use TCP ports, signal other processes and connect to abstract sockets.

Run by the worker, with its remaining rights, before any student byte is read. Trusts the kernel. No rule is ever added:
everything that a worker needs is loaded before, so nothing is granted. An older kernel restricts less; the report names
the coverage.
"""

from __future__ import annotations

import ctypes
import os

from autograder.sandbox.isolation.kernel import invoke_syscall

_VERSION_FLAG = 1
# The number of kinds of file access of each version, counted from the lowest bit.
_FILE_ACCESSES = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_TCP_SINCE, _BIND_TCP, _CONNECT_TCP = 4, 1, 2
_SCOPES_SINCE, _ABSTRACT_SOCKETS, _SIGNALS = 6, 1, 2


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


def read_version() -> int:
    """Read the kernel's Landlock version; OSError if it has none."""
    return invoke_syscall("landlock_create_ruleset", None, 0, _VERSION_FLAG)


def restrict() -> str:
    """Forbid everything that this kernel can forbid, irreversibly; return the coverage. Needs "no new privileges"."""
    known = read_version()
    rules = _Ruleset(files=(1 << _FILE_ACCESSES.get(known, max(_FILE_ACCESSES.values()))) - 1)
    coverage, size = ["files"], 8  # of the fields that the kernel knows: it rejects newer ones
    if known >= _TCP_SINCE:
        rules.tcp = _BIND_TCP | _CONNECT_TCP
        coverage, size = [*coverage, "TCP"], 16
    if known >= _SCOPES_SINCE:
        rules.scopes = _ABSTRACT_SOCKETS | _SIGNALS
        coverage, size = [*coverage, "signals", "abstract sockets"], 24
    ruleset = invoke_syscall("landlock_create_ruleset", ctypes.byref(rules), size, 0)
    try:
        invoke_syscall("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)
    return f"version {known}: {', '.join(coverage)}"
