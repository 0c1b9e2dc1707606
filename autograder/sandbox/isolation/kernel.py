"""Kernel: calls the system calls that Python's own library lacks, and raises their errors as OSError.

Run by the zygote, by workers before any student byte is read, and by the grader; with the rights of each.
Trusts the kernel and the C library.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
from typing import NoReturn

PR_SET_PDEATHSIG, PR_GET_PDEATHSIG = 1, 2
PR_GET_DUMPABLE, PR_SET_DUMPABLE = 3, 4
PR_GET_SECCOMP = 21
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS = 38, 39

_MALLOC_THRESHOLDS = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of malloc.h
_LARGE_BYTES = 128 << 10
_LIBC = ctypes.CDLL(None, use_errno=True)
# Numbers below 424 differ between architectures, later ones do not.
_OLDER_NUMBERS = {
    "x86_64": {"seccomp": 317, "capget": 125, "capset": 126},
    "aarch64": {"seccomp": 277, "capget": 90, "capset": 91},
}
_NUMBERS = {
    **_OLDER_NUMBERS.get(platform.machine(), {}),
    "mount_setattr": 442,
    "landlock_create_ruleset": 444,
    "landlock_restrict_self": 446,
}


def invoke_syscall(name: str, *arguments: object) -> int:
    """Invoke a system call and return its value; arguments are integers, None or ctypes values. OSError if it fails."""
    number = _NUMBERS.get(name)
    if number is None:
        raise OSError(0, f"the number of {name} is not known on {platform.machine()}")
    passed = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _raise_on_error(_LIBC.syscall(ctypes.c_long(number), *passed), name)


def prctl(option: int, argument: object = 0) -> int:
    """Call prctl with one argument and return its value."""
    passed = ctypes.c_ulong(argument) if isinstance(argument, int) else argument
    return _raise_on_error(
        _LIBC.prctl(option, passed, ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)), "prctl"
    )


def return_large_memory() -> None:
    """Have large blocks returned to the system when they are freed; by default, malloc keeps as much as the largest."""
    for option in _MALLOC_THRESHOLDS:
        _LIBC.mallopt(option, _LARGE_BYTES)


def unshare(flags: int) -> None:
    """Enter new namespaces; `os.unshare` is newer than Python 3.10."""
    _raise_on_error(_LIBC.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: bytes, target: bytes, flags: int) -> None:
    """Change a mount."""
    _raise_on_error(_LIBC.mount(source, target, None, ctypes.c_ulong(flags), None), "mount")


def end_with_parent(parent: int) -> None:
    """Have this process killed when its parent, which has that pid, ends; exit if it has ended before."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def exit_with_child(control: int) -> NoReturn:
    """Exit when the only child has ended, as it did."""
    os.close(control)  # only the child keeps it open, so that its end is noticed
    _, status = os.wait()
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _raise_on_error(value: int, name: str) -> int:
    if value < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return value
