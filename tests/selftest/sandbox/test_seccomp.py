"""The filter decides as intended on both architectures: the test interprets its program."""

from __future__ import annotations

import errno
import importlib
import os
import struct
from collections.abc import Iterator
from functools import cache

import pytest

from autograder.sandbox.isolation import seccomp
from tests.selftest.support.project_sources import assert_none

X86_64, AARCH64, I386 = 0xC000003E, 0xC00000B7, 0x40000003
ALLOW, KILL, EPERM = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
ENOENT, ENOSYS = 0x00050000 | errno.ENOENT, 0x00050000 | errno.ENOSYS
OWN_PID = 4321
AT_FDCWD = -100
ANY = 2**64 - 1
O_TMPFILE = 0o20200000
THREAD = 0x3D0F00  # like the C library
# Calls that an older libseccomp has no name for; their numbers are the same on every architecture.
LATER = {
    "uretprobe": 335,  # of x86-64 alone; newer kernels let both pass by the filter, but from probes of theirs alone
    "uprobe": 336,
    "pidfd_send_signal": 424,
    "open_tree": 428,
    "io_uring_setup": 425,
    "clone3": 435,
    "openat2": 437,
    "pidfd_getfd": 438,
    "landlock_restrict_self": 446,
    "memfd_secret": 447,
    "a call of the future": 999,
}
CALLS = [
    *((name, (), ALLOW) for name in ("read", "write", "mmap", "gettid")),
    ("mmap", (0, 4096, 3), ALLOW),
    ("mmap", (0, 4096, 5), EPERM),
    ("mmap", (0, 4096, 7), EPERM),
    ("mmap", (0, 4096, 3, 0x22), ALLOW),
    ("mmap", (0, 4096, 3, 0x2022), EPERM),
    ("mmap", (0, 4096, 3, 0x40022), EPERM),
    ("mprotect", (0, 4096, 3), ALLOW),
    ("mprotect", (0, 4096, 4), EPERM),
    ("madvise", (0, 4096, 4), ALLOW),
    ("madvise", (0, 4096, 12), EPERM),
    ("madvise", (0, 4096, 21), EPERM),
    ("recvfrom", (3, 0, 9, 0, 0, 0), ALLOW),
    ("recvfrom", (3, 0, 9, 1, 0, 0), EPERM),
    ("recvfrom", (3, 0, 9, 0, 4096, 4096), EPERM),
    ("sendto", (3, 0, 9, 0, 0, 0), ALLOW),
    ("sendto", (3, 0, 9, 0, 4096, 16), EPERM),
    ("sendto", (3, 0, 9, 1, 0, 0), EPERM),
    ("sendto", (3, 0, 9, 2**32, 0, 0), EPERM),
    *((name, (process,), ALLOW) for name in ("getpgid", "getsid", "sched_getaffinity") for process in (0, OWN_PID)),
    *((name, (1,), EPERM) for name in ("getpgid", "getsid", "sched_getaffinity")),
    ("fstat", (1,), EPERM),
    ("clock_gettime", (1,), ALLOW),
    ("clock_gettime", (11,), ALLOW),
    ("clock_gettime", (~OWN_PID << 3 | 2,), EPERM),
    ("clock_nanosleep", (1, 0), ALLOW),
    ("clock_nanosleep", (~1 << 3 | 2, 0), EPERM),
    ("open", (0, os.O_RDONLY), ENOENT),
    ("open", (0, os.O_RDONLY | os.O_CLOEXEC), ENOENT),
    ("open", (0, os.O_WRONLY), EPERM),
    ("openat", (AT_FDCWD, 0, os.O_RDONLY), ENOENT),
    ("openat", (AT_FDCWD, 0, os.O_RDWR), EPERM),
    ("openat", (AT_FDCWD, 0, os.O_RDONLY | os.O_CREAT), EPERM),
    ("openat", (AT_FDCWD, 0, os.O_RDONLY | os.O_TRUNC), EPERM),
    ("openat", (AT_FDCWD, 0, O_TMPFILE), EPERM),
    ("openat", (AT_FDCWD, 0, os.O_RDWR | 2**40), EPERM),
    ("stat", (), ENOENT),
    ("newfstatat", (AT_FDCWD, 0, 0, 0), ENOENT),
    ("newfstatat", (1, 0, 0, 0x1000), EPERM),
    ("clone", (THREAD,), ALLOW),
    ("clone", (17,), EPERM),
    ("clone", (0x4111,), EPERM),
    ("clone", (THREAD | 0x10000000,), EPERM),
    ("clone", (THREAD & ~0x10000,), EPERM),
    ("kill", (OWN_PID, 9), ALLOW),
    ("kill", (OWN_PID + 1, 9), EPERM),
    ("kill", (0, 9), EPERM),
    ("kill", (-1, 9), EPERM),
    ("kill", (-OWN_PID, 9), EPERM),
    ("kill", (OWN_PID | 2**32, 9), EPERM),
    ("kill", (seccomp.OWN_PID, 9), EPERM),
    ("tgkill", (OWN_PID, OWN_PID, 6), ALLOW),
    ("tgkill", (1, 1, 6), EPERM),
    ("tkill", (OWN_PID, 6), EPERM),
    ("prlimit64", (0, 7, 0, 4096), ALLOW),
    ("prlimit64", (0, 7, 4096, 0), EPERM),
    ("prlimit64", (1, 7, 0, 4096), EPERM),
    ("fcntl", (1, 3), ALLOW),
    ("fcntl", (1, 6), EPERM),
    ("fcntl", (1, 37), EPERM),
    ("fcntl", (1, 8), EPERM),
    ("ioctl", (1, 0x5401), ALLOW),
    ("ioctl", (1, 0x5412), EPERM),
    ("prctl", (15,), ALLOW),
    ("prctl", (4, 1), EPERM),
    *(("prctl", (option,), EPERM) for option in (1, 22, 36)),
    *((name, (), EPERM) for name in ("socket", "socketpair", "connect", "pipe", "flock", "ptrace", "setuid", "chroot")),
    *((name, (), EPERM) for name in ("shmget", "mq_open", "keyctl", "io_submit", "unshare", "seccomp", "memfd_create")),
    *((name, (), EPERM) for name in ("bpf", "perf_event_open", "userfaultfd", "process_vm_readv", "pidfd_getfd")),
    *((name, (), EPERM) for name in ("landlock_restrict_self", "a call of the future", "sysinfo", "sendmsg")),
    *((name, (), EPERM) for name in ("uretprobe", "uprobe", "memfd_secret", "personality", "mlock", "modify_ldt")),
    *((name, (), EPERM) for name in ("acct", "capset", "pivot_root", "reboot", "sethostname", "setns", "swapon")),
    *((name, (), EPERM) for name in ("setgroups", "setresuid", "setpriority", "ioprio_set", "sched_setscheduler")),
    *((name, (), EPERM) for name in ("kcmp", "move_pages", "process_vm_writev", "execveat", "rt_sigqueueinfo")),
    *((name, (), EPERM) for name in ("msgget", "semget", "add_key", "syslog", "fanotify_init", "open_tree")),
    *((name, (), EPERM) for name in ("bind", "shutdown", "mknodat", "setxattr", "fchmod")),
    *((name, (), EPERM) for name in ("mkdirat", "fork", "vfork", "execve", "pidfd_send_signal")),
    *((name, (), ENOSYS) for name in ("io_uring_setup", "clone3", "openat2")),
]


@cache
def program(architecture: str) -> tuple[tuple[int, int, int, int], ...]:
    """Build the filter's instructions for a worker with that pid."""
    text = seccomp.insert_pid(seccomp.split_at_own_pid(seccomp.build_filter(architecture)), OWN_PID)
    return tuple(struct.iter_unpack("=HBBI", text))


def answer(instructions: tuple[tuple[int, int, int, int], ...], architecture: int, number: int, *arguments: int) -> int:
    """Interpret the program for a system call; return the kernel's action."""
    passed = [value & ANY for value in (*arguments, *[0] * 6)][:6]
    data = struct.pack("=iIQ6Q", number, architecture, 0, *passed)
    position = accumulator = 0
    while True:
        code, if_true, if_false, constant = instructions[position]
        position += 1
        if code == 0x20:  # load
            (accumulator,) = struct.unpack_from("=I", data, constant)
        elif code == 0x54:  # and
            accumulator &= constant
        elif code == 0x06:  # return
            return constant
        elif code == 0x05:  # jump
            position += constant
        else:
            holds = {0x15: accumulator == constant, 0x25: accumulator > constant, 0x35: accumulator >= constant}[code]
            position += if_true if holds else if_false


def find_other_answers(architecture: str, code: int) -> Iterator[str]:
    """Yield the calls that the filter of an architecture answers otherwise than `CALLS` says.

    A call that the architecture has not has a negative number.
    """
    library = importlib.import_module("pyseccomp")
    for name, arguments, expected in CALLS:
        number = LATER.get(name) or library.resolve_syscall(getattr(library.Arch, architecture), name)
        assert number != -1, f"libseccomp knows no call {name}"
        if number >= 0 and (found := answer(program(architecture), code, number, *arguments)) != expected:
            yield f"{architecture}: {name}{arguments} is answered {found:#x}, not {expected:#x}"


def test_a_call_is_answered_alike_on_both_architectures() -> None:
    assert_none([*find_other_answers("X86_64", X86_64), *find_other_answers("AARCH64", AARCH64)])


@pytest.mark.parametrize("number", [0, 1, 39, 231])
def test_calls_of_other_architectures_end_the_worker(number: int) -> None:
    assert answer(program("X86_64"), I386, number) == KILL
    assert answer(program("X86_64"), AARCH64, number) == KILL
    assert answer(program("X86_64"), X86_64, number | 0x40000000) == KILL  # x32
    assert answer(program("AARCH64"), X86_64, number) == KILL


@pytest.mark.parametrize("architecture", ["X86_64", "AARCH64"])
def test_the_program_fits_the_kernel_and_only_names_its_worker(architecture: str) -> None:
    built, own = struct.iter_unpack("=HBBI", seccomp.build_filter(architecture)), program(architecture)
    changed = [(before, after) for before, after in zip(built, own, strict=True) if before != after]
    assert len(own) <= 4096
    assert changed
    assert all(before == (*after[:3], seccomp.OWN_PID) and after[3] == OWN_PID for before, after in changed)
    assert not any(instruction[3] == seccomp.OWN_PID for instruction in own)
