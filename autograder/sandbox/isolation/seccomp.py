"""Seccomp filter: turns the list of allowed system calls into a program that the kernel runs at each call.

Run by the zygote, once, with the grader's rights (`build_filter` with libseccomp, `split_at_own_pid`), and by each
worker as the last step before student code (`load_filter`). Trusts libseccomp and the kernel. A call that is not listed
here is refused with EPERM. A path is never looked up: opening a file for reading fails with "no such file" on every
machine, whether or not another layer hides the file.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import errno
import importlib
import os
import struct
from collections.abc import Iterator
from typing import Any

from autograder.sandbox.isolation.kernel import PR_GET_SECCOMP, invoke_syscall, prctl

_ALLOWED = (
    # the connection and the output, on descriptors that are already open
    *("read", "readv", "write", "writev", "pread64", "pwrite64", "close", "close_range", "lseek"),
    *("dup", "dup2", "dup3", "poll", "ppoll", "select", "pselect6"),
    # memory; mmap, mprotect and madvise are below
    *("munmap", "mremap", "brk"),
    # threads, which it may start (see clone below), and signals to itself
    *("futex", "set_robust_list", "set_tid_address", "rseq", "sched_yield", "exit", "exit_group"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "rt_sigpending", "rt_sigtimedwait"),
    *("sigaltstack", "restart_syscall", "pause", "alarm", "setitimer", "getitimer"),
    # time and random numbers; the clocks are below
    *("nanosleep", "gettimeofday", "time", "times", "getrandom"),
    # information about itself
    *("getpid", "getppid", "gettid", "getpgrp", "getuid", "geteuid", "getgid", "getegid"),
    *("getresuid", "getresgid", "getgroups", "getrusage", "getrlimit", "getcpu", "getcwd", "umask", "uname"),
)
# Not allowed, because they tell of others what another worker can influence: sysinfo, which counts all processes of the
# machine, and fstat, whose numbers of pipes and sockets count those that were made before.
# Lookups of a path fail as on an empty disk; programs expect that error, but not a refusal.
_NOTHING_THERE = (
    *("stat", "lstat", "access", "readlink", "chdir", "statfs", "statx"),
    *("faccessat", "faccessat2", "readlinkat"),
)
# The filter cannot see the arguments of these calls, or they bypass it. Libraries fall back to older calls if these do
# not exist. By number, which is the same on every architecture, since an older libseccomp has no names for them.
_UNKNOWN = {"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "clone3": 435, "openat2": 437}

_WRITING = (
    os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | 0o20000000
)  # the last: the bit of O_TMPFILE
_AT_EMPTY_PATH = 0x1000
_OF_PROCESS = ("getpgid", "getsid", "sched_getaffinity")  # their first argument: a process, 0 for the calling one
_CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep")
_LAST_CLOCK = 15  # the clocks above, as unsigned numbers, are the computing times of any process
_PINNED = 0x2000 | 0x40000  # MAP_LOCKED, and MAP_HUGETLB, whose pages the whole machine shares
_EXECUTABLE = 4  # PROT_EXEC: all code is loaded before, so that no memory is both written and run
_CLONE_THREAD = 0x10000
_CLONE_NEW = 0x7E020080  # user, pid, net, ipc, uts, mount, cgroup, time
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
_FCNTLS = (0, 1, 2, 3, 4, 1030)  # F_DUPFD F_GETFD F_SETFD F_GETFL F_SETFL F_DUPFD_CLOEXEC: no locks, owners, leases
# Advice about its own pages alone, and none to merge them with others' or to write a file's pages out: normal, random,
# sequential, will need, do not need, free, huge pages and not, kept out of core dumps and not, guard pages and not.
_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17, 102, 103)
_PRCTLS = (15, 16, PR_GET_SECCOMP, 0x53564D41)  # names of threads; our own check; glibc naming its memory
# Placeholder for the worker's own pid in the program, which is built before the worker exists; no process has this pid.
OWN_PID = 0x7E571D00
_INSTRUCTION = struct.Struct("=HBBI")
_VALUE = struct.Struct("=I")  # the last field of an instruction

_BY_VALUE = (("ioctl", 1, _IOCTLS), ("fcntl", 1, _FCNTLS), ("prctl", 0, _PRCTLS), ("madvise", 2, _ADVICE))
# The error of a call, or _ALLOW; the call; and of arguments, by their positions, the value that each has under a mask.
_Rule = tuple[int, str | int, list[tuple[int, int, int]]]
_ALLOW = 0
_WHOLE = 2**64 - 1

_API_WITH_KILL_PROCESS = 3
_SET_MODE_FILTER = 1
_FILTERED = 2
_TSYNC, _SPEC_ALLOW = 1, 4  # all threads; kernels before 5.16 would slow down numeric code


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def build_filter(architecture: str = "NATIVE") -> bytes:
    """Build the filter as a BPF program; OSError or ImportError if libseccomp or pyseccomp is missing."""
    library = _import_libseccomp()
    library.set_api(_API_WITH_KILL_PROCESS)  # else it asks the kernel; one that does not know the action kills too
    rules = library.SyscallFilter(library.ERRNO(errno.EPERM))
    rules.set_attr(library.Attr.ACT_BADARCH, library.KILL_PROCESS)
    target = getattr(library.Arch, architecture)
    if architecture != "NATIVE" and target != library.system_arch():
        rules.remove_arch(library.Arch.NATIVE)
        rules.add_arch(target)
    for error, call, tests in _list_rules():
        number = library.resolve_syscall(library.Arch.NATIVE, call) if isinstance(call, str) else call
        if number >= 0:  # else not a call of this architecture, or newer than this libseccomp: refused by default
            arguments = [library.Arg(position, library.MASKED_EQ, mask, value) for position, mask, value in tests]
            rules.add_rule(library.ERRNO(error) if error else library.ALLOW, number, *arguments)
    return _export_program(rules)


def split_at_own_pid(program: bytes) -> tuple[bytes, ...]:
    """Split the program at the values that stand for the worker's own pid, and leave them out."""
    found, start = [], 0
    for position, (*_, value) in enumerate(_INSTRUCTION.iter_unpack(program), 1):
        if value == OWN_PID:
            stop = position * _INSTRUCTION.size
            found.append(program[start : stop - _VALUE.size])
            start = stop
    return (*found, program[start:])


def load_filter(pieces: tuple[bytes, ...]) -> None:
    """Load the filter, irreversibly; OSError if the kernel refuses it. Needs "no new privileges"."""
    own = insert_pid(pieces, os.getpid())
    given = _Program(len(own) // _INSTRUCTION.size, own)
    thread = invoke_syscall("seccomp", _SET_MODE_FILTER, _TSYNC | _SPEC_ALLOW, ctypes.byref(given))
    if thread:
        raise OSError(0, f"thread {thread} could not enter the filter")


def is_loaded() -> bool:
    """Return whether the kernel reports an active filter."""
    return prctl(PR_GET_SECCOMP) == _FILTERED


def insert_pid(pieces: tuple[bytes, ...], pid: int) -> bytes:
    """Join the pieces into a program in which the process may signal only itself."""
    return _VALUE.pack(pid).join(pieces)


def _import_libseccomp() -> Any:
    # Give the name: a search starts two programs, 13 ms. Import it here, so that only this layer depends on it.
    search = ctypes.util.find_library
    ctypes.util.find_library = {"seccomp": "libseccomp.so.2"}.get  # type: ignore[assignment]
    try:
        return importlib.import_module("pyseccomp")
    finally:
        ctypes.util.find_library = search


def _list_rules() -> Iterator[_Rule]:
    for name in _ALLOWED:
        yield _ALLOW, name, []
    for name in _NOTHING_THERE:
        yield errno.ENOENT, name, []
    for number in _UNKNOWN.values():
        yield errno.ENOSYS, number, []
    yield errno.ENOENT, "open", [(1, _WRITING, 0)]
    yield errno.ENOENT, "openat", [(2, _WRITING, 0)]
    yield errno.ENOENT, "newfstatat", [(3, _AT_EMPTY_PATH, 0)]
    yield _ALLOW, "clone", [(0, _CLONE_THREAD | _CLONE_NEW, _CLONE_THREAD)]
    for name in ("kill", "tgkill", *_OF_PROCESS):
        yield _ALLOW, name, [(0, _WHOLE, OWN_PID)]
    for name in _OF_PROCESS:
        yield _ALLOW, name, [(0, _WHOLE, 0)]
    for name in _CLOCKS:
        yield _ALLOW, name, [(0, _WHOLE - _LAST_CLOCK, 0)]
    yield _ALLOW, "mmap", [(2, _EXECUTABLE, 0), (3, _PINNED, 0)]
    yield _ALLOW, "mprotect", [(2, _EXECUTABLE, 0)]
    yield _ALLOW, "prlimit64", [(0, _WHOLE, 0), (2, _WHOLE, 0)]  # read its own limits, set none
    for name in ("sendto", "recvfrom"):
        yield _ALLOW, name, [(3, _WHOLE, 0), (4, _WHOLE, 0)]  # no flags, and the connected end only
    for name, position, values in _BY_VALUE:
        for value in values:
            yield _ALLOW, name, [(position, _WHOLE, value)]


def _export_program(rules: Any) -> bytes:
    reader, writer = os.pipe()  # a pipe can buffer the largest program that the kernel accepts
    with os.fdopen(reader, "rb") as exported:
        with os.fdopen(writer, "wb") as export:
            rules.export_bpf(export)
        return exported.read()
