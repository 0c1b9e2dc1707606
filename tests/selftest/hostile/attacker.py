"""Attacker: helps attacks, as a file of each submission: system calls by name, and a word for their outcome."""

import ctypes
import errno
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)

# name: number on x86-64, on aarch64
NUMBERS = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "capset": (126, 91),
    "clone": (56, 220),
    "clone3": (435, 435),
    "execveat": (322, 281),
    "fanotify_init": (300, 262),
    "inotify_add_watch": (254, 27),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mkdirat": (258, 34),
    "mlock": (149, 228),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "move_pages": (279, 239),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mprotect": (10, 226),
    "msgctl": (71, 187),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "openat2": (437, 437),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "reboot": (169, 142),
    "rt_sigqueueinfo": (129, 138),
    "seccomp": (317, 277),
    "semctl": (66, 191),
    "semget": (64, 190),
    "setgroups": (116, 159),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "shmctl": (31, 195),
    "shmget": (29, 194),
    "swapon": (167, 224),
    "sysinfo": (99, 179),
    "syslog": (103, 116),
    "tgkill": (234, 131),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}

# Machine code of a function without arguments that returns 42.
CODE = bytes.fromhex("40058052c0035fd6" if platform.machine() == "aarch64" else "b82a000000c3")


def attack(*fields, **more):
    """Decorator: declares an attack. `hostile_attack` has another one, which reads the fields."""
    return lambda function: function


def system_call(name, *arguments):
    """Invoke a system call without the functions of Python and the C library; OSError if it fails."""
    number = NUMBERS[name][platform.machine() == "aarch64"]
    return raw_call(number, *arguments)


def raw_call(number, *arguments):
    """Invoke a system call by number."""
    passed = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    value = libc.syscall(ctypes.c_long(number), *passed)
    if value == -1:
        raise OSError(ctypes.get_errno(), "")
    return value


def attempt(action, *arguments):
    """Run an action; return 'done' or the name of the error."""
    try:
        action(*arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno, repr(error))
    return "done"


def steal(target, action, *arguments):
    """Run an action; return 'secret' if its value contains the secret, else 'nothing', or the name of the error."""
    try:
        found = action(*arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno, repr(error))
    return "secret" if holds(target, found) else "nothing"


def holds(target, found):
    """Tell whether a value contains the secret."""
    if isinstance(found, (bytes, bytearray)):
        return target["secret"].encode() in found
    return target["secret"] in str(found)


def read(path):
    """Read a file's bytes without the built-in open."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 100_000)
    finally:
        os.close(descriptor)


def write_code(memory):
    """Write CODE to mapped memory; return its address."""
    memory.write(CODE)
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def run_code(address):
    """Run the machine code at an address; return its value."""
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()


def send(payload):
    """Send a frame over the worker's own connection, as the worker would."""
    os.write(3, len(payload).to_bytes(4, "little") + payload)


def wire():
    """Return the worker's module that encodes messages."""
    import sys

    return sys.modules["autograder.sandbox.protocol.wire"]
