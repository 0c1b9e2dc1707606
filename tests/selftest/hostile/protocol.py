"""Attacks by replies: messages that are forged, broken, endless or late."""

import errno
import os
import socket
import sys
import threading
import time
from encodings.aliases import aliases

import numpy as np

from attacker import attack, send, wire

DECODER = "the grader's decoder, which accepts plain values only"


@attack(
    "G20",
    "the grader's deadline",
    "timed out: deadline",
    no_control="the grader enforces it, and no worker can switch it off",
    seconds="0.7",
)
def replies_too_late(target):
    """Reply with the right value after the deadline."""
    time.sleep(1.5)
    return "right"


@attack(
    "T1",
    DECODER,
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def claims_four_gigabytes(target):
    """Send the header of a message of four gigabytes."""
    os.write(3, b"\xff\xff\xff\xff")
    time.sleep(60)


@attack("T3", outcome="forged", not_defended="it is equivalent to returning that value; the check judges it")
def sends_a_reply_early(target):
    """Send a reply before the function has returned."""
    send(wire().encode(("returned", "forged")))
    time.sleep(60)


@attack(
    "T4",
    "the grader's list of its exports",
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def asks_a_callback_for_its_class(target):
    """Ask a grader's function for its class, through which all objects could be reached."""
    send(wire().encode(("callback", 0, "__class__", wire().encode(((), {})))))
    time.sleep(60)


@attack(
    "T5",
    "the protocol has no verdict",
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def sends_a_verdict(target):
    """Send a message that the test passed."""
    send(wire().encode(("verdict", "passed")))
    time.sleep(60)


@attack(
    "T7",
    DECODER,
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def sends_an_array_of_pointers(target):
    """Send an array whose type is Python objects, so that its numbers become addresses."""
    payload = bytearray(wire().encode(("returned", np.zeros(1))))
    payload[payload.rindex(b"a") + 1] = 17
    send(bytes(payload))
    time.sleep(60)


@attack(
    "T8",
    DECODER,
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def nests_a_hundred_thousand_lists(target):
    """Send a list nested a hundred thousand deep."""
    send(b"l\x01\x00\x00\x00" * 100_000 + b"N")
    time.sleep(60)


@attack(
    "T10",
    DECODER,
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def returns_something_of_the_graders(target):
    """Return a function of the grader, so that the grader confuses it with student code."""
    return target["callback"]


class Command:
    def __reduce__(self):
        return os.getpid, ()  # stands for any command


def unpickles(value):
    import pickle

    return "ran its command" if pickle.loads(pickle.dumps(value)) == os.getpid() else "an object"


@attack(
    "T11",
    "the grader unpickles nothing of a worker; objects stay there",
    "<Command of the student>",
    in_one_process="ran its command",
    judge=unpickles,
)
def returns_an_object_that_unpickles_into_a_command(target):
    """Return an object that would run a command when it is unpickled."""
    return Command()


@attack(
    "T15",
    "the grader's deadline",
    "timed out: deadline",
    no_control="the grader enforces it, and no worker can switch it off",
    seconds="0.7",
)
def drips(target):
    """Send a message byte by byte, so that data always arrives before a timeout."""
    os.write(3, (10**6).to_bytes(4, "little"))
    while True:
        os.write(3, b"N")
        time.sleep(0.02)


@attack("T25", "seccomp filter EPERM", "EPERM", without_them="died: gone")
def hangs_up(target):
    """Close one direction of the connection and keep reading the other."""
    try:
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=os.dup(3)).shutdown(socket.SHUT_WR)
    except OSError as error:
        return errno.errorcode[error.errno]
    time.sleep(60)


def forge():
    for number in range(3):
        send(wire().encode(("returned", f"forged {number}")))


@attack(
    "T29",
    outcome="garbled or forged 0",
    not_defended="it is equivalent to returning that value; a second reply ends the worker",
)
def replies_from_a_thread(target):
    """Have a thread send replies while the function computes."""
    threading.Thread(target=forge).start()
    time.sleep(60)


PROGRAM = "this"  # it prints a poem when it is imported


@attack(
    "T32",
    "the grader's list of library modules",
    "raised ModuleNotFoundError",
    no_control="test_hostile has a test without the list",
)
def asks_for_a_program_as_a_module(target):
    """Request a worker that has imported a module that is a program, with full rights."""
    if PROGRAM in sys.modules:
        return "it ran"
    send(wire().encode(("wants_library", PROGRAM)))
    time.sleep(60)


@attack(
    "T33",
    "the grader's count",
    "raised ModuleNotFoundError",
    without_limit="LATE_MODULES: wants too many modules",
)
def asks_for_module_after_module(target):
    """Request a worker with another library module, again and again."""
    names = (f"encodings.{name}" for name in sorted(set(aliases.values())))
    send(wire().encode(("wants_library", next(name for name in names if name not in sys.modules))))
    time.sleep(60)
