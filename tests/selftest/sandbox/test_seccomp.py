"""The filter decides as intended on both architectures: the test interprets its program."""

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
TO_WRITE = (os.O_RDWR, os.O_RDONLY | os.O_CREAT, os.O_RDONLY | os.O_TRUNC, O_TMPFILE, os.O_RDWR | 2**40)
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
    "a_call_of_the_future": 999,
}
# What is answered by the arguments.
CALLS: dict[str, dict[int, list[tuple[int, ...]]]] = {
    "mmap": {
        ALLOW: [(0, 4096, 3), (0, 4096, 3, 0x22)],
        EPERM: [(0, 4096, 5), (0, 4096, 7), (0, 4096, 3, 0x2022), (0, 4096, 3, 0x40022)],
    },
    "mprotect": {ALLOW: [(0, 4096, 3)], EPERM: [(0, 4096, 4)]},
    "madvise": {ALLOW: [(0, 4096, 4)], EPERM: [(0, 4096, 12), (0, 4096, 21)]},
    "recvfrom": {ALLOW: [(3, 0, 9, 0, 0, 0)], EPERM: [(3, 0, 9, 1, 0, 0), (3, 0, 9, 0, 4096, 4096)]},
    "sendto": {
        ALLOW: [(3, 0, 9, 0, 0, 0)],
        EPERM: [(3, 0, 9, 0, 4096, 16), (3, 0, 9, 1, 0, 0), (3, 0, 9, 2**32, 0, 0)],
    },
    **{name: {ALLOW: [(0,), (OWN_PID,)], EPERM: [(1,)]} for name in ("getpgid", "getsid", "sched_getaffinity")},
    "fstat": {EPERM: [(1,)]},
    "clock_gettime": {ALLOW: [(1,), (11,)], EPERM: [(~OWN_PID << 3 | 2,)]},
    "clock_nanosleep": {ALLOW: [(1, 0)], EPERM: [(~1 << 3 | 2, 0)]},
    "open": {ENOENT: [(0, os.O_RDONLY), (0, os.O_RDONLY | os.O_CLOEXEC)], EPERM: [(0, os.O_WRONLY)]},
    "openat": {ENOENT: [(AT_FDCWD, 0, os.O_RDONLY)], EPERM: [(AT_FDCWD, 0, flags) for flags in TO_WRITE]},
    "stat": {ENOENT: [()]},
    "newfstatat": {ENOENT: [(AT_FDCWD, 0, 0, 0)], EPERM: [(1, 0, 0, 0x1000)]},
    "clone": {ALLOW: [(THREAD,)], EPERM: [(17,), (0x4111,), (THREAD | 0x10000000,), (THREAD & ~0x10000,)]},
    "kill": {
        ALLOW: [(OWN_PID, 9)],
        EPERM: [(pid, 9) for pid in (OWN_PID + 1, 0, -1, -OWN_PID, OWN_PID | 2**32, seccomp.OWN_PID)],
    },
    "tgkill": {ALLOW: [(OWN_PID, OWN_PID, 6)], EPERM: [(1, 1, 6)]},
    "tkill": {EPERM: [(OWN_PID, 6)]},
    "prlimit64": {ALLOW: [(0, 7, 0, 4096)], EPERM: [(0, 7, 4096, 0), (1, 7, 0, 4096)]},
    "fcntl": {ALLOW: [(1, 3)], EPERM: [(1, 6), (1, 37), (1, 8)]},
    "ioctl": {ALLOW: [(1, 0x5401)], EPERM: [(1, 0x5412)]},
    "prctl": {ALLOW: [(15,)], EPERM: [(4, 1), (1,), (22,), (36,)]},
}
# What is answered whatever the arguments are.
NAMES = {
    ALLOW: "read write mmap gettid",
    ENOSYS: "io_uring_setup clone3 openat2",
    EPERM: """
        socket socketpair connect bind shutdown sendmsg pipe flock mknodat mkdirat setxattr fchmod
        fork vfork execve execveat ptrace process_vm_readv process_vm_writev pidfd_getfd pidfd_send_signal kcmp
        setuid setgroups setresuid capset personality chroot pivot_root unshare setns seccomp landlock_restrict_self
        shmget msgget semget mq_open memfd_create memfd_secret add_key keyctl mlock move_pages modify_ldt
        io_submit bpf perf_event_open userfaultfd fanotify_init open_tree uretprobe uprobe a_call_of_the_future
        setpriority ioprio_set sched_setscheduler rt_sigqueueinfo
        sysinfo syslog acct reboot sethostname swapon
    """,
}


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


def list_calls() -> Iterator[tuple[str, tuple[int, ...], int]]:
    """List calls by name and arguments, each with its answer."""
    for expected, names in NAMES.items():
        yield from ((name, (), expected) for name in names.split())
    for name, answers in CALLS.items():
        for expected, listed in answers.items():
            yield from ((name, arguments, expected) for arguments in listed)


def find_other_answers(architecture: str, code: int) -> Iterator[str]:
    """Yield the calls that the filter of an architecture answers otherwise than said above.

    A call that the architecture has not has a negative number.
    """
    library = importlib.import_module("pyseccomp")
    for name, arguments, expected in list_calls():
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
