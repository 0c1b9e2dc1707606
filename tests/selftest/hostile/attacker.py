"""Attacker: helps attacks, as a file of each submission: system calls by name, and a word for their outcome."""

import ctypes
import errno
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)

# name: number on x86-64, on aarch64
NUMBERS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "clone": (56, 220),
    "clone3": (435, 435),
    "inotify_add_watch": (254, 27),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "openat2": (437, 437),
    "perf_event_open": (298, 241),
    "prctl": (157, 167),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "shmctl": (31, 195),
    "shmget": (29, 194),
    "unshare": (272, 97),
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
