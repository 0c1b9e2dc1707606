"""Attacks by replies: messages that are forged, broken, endless or late."""

import errno
import os
import socket
import threading
import time

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
    "T12",
    DECODER,
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def floods_the_grader_with_messages(target):
    """Send empty messages endlessly."""
    while True:
        os.write(3, bytes(4 * 10_000))


@attack(
    "T14",
    "the grader's deadline",
    "timed out: deadline",
    no_control="the grader enforces it, and no worker can switch it off",
    seconds="0.7",
)
def sends_half_a_message(target):
    """Send half a message and wait."""
    os.write(3, b"\x10\x00\x00\x00l")
    time.sleep(60)


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


@attack(
    "T16",
    "the size of a message",
    "cannot be sent",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def returns_more_than_a_message_holds(target):
    """Return a text over the size limit of messages."""
    return bytes(65 * 2**20)


@attack(
    "T19",
    DECODER,
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def calls_back_with_half_a_message(target):
    """Call a grader's function with a message that lacks its arguments."""
    send(wire().encode(("callback",)))
    time.sleep(60)


@attack(
    "T20",
    "an object that stays in the worker is only a handle",
    "<Solution of the student>",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def hands_back_an_object_it_never_had(target):
    """Return a handle with an unknown number."""
    send(wire().encode(("returned", wire().Handle(10**6, "Solution", True, {}))))
    time.sleep(60)


@attack(
    "T22",
    DECODER,
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def hides_bytes_behind_the_reply(target):
    """Send a message with extra bytes after its value."""
    send(wire().encode(("returned", 1)) + b"N")
    time.sleep(60)


@attack(
    "T24",
    "the number of parts of a message",
    "cannot be sent",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def returns_a_million_things(target):
    """Return a list of a million items."""
    return [None] * 1_000_000


@attack("T25", "seccomp filter EPERM", "EPERM", without_them="died: gone")
def hangs_up(target):
    """Close one direction of the connection and keep reading the other."""
    try:
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=os.dup(3)).shutdown(socket.SHUT_WR)
    except OSError as error:
        return errno.errorcode[error.errno]
    time.sleep(60)


class Nameless(type):
    @property
    def __name__(self):
        raise RuntimeError("no name")


class Failure(Exception, metaclass=Nameless):
    pass


@attack(
    "T27",
    "a separate process for each test",
    "died: exit status 1",
    no_control="the grader enforces it, and no worker can switch it off",
)
def raises_an_error_without_a_name(target):
    """Raise an exception whose class fails when it is asked for its name."""
    raise Failure


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


@attack(
    "T30",
    DECODER,
    "garbled",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def claims_a_huge_number(target):
    """Send an integer of a megabyte, which takes long to print."""
    send(b"t\x02\x00\x00\x00s\x08\x00\x00\x00returnedI" + (2**20).to_bytes(4, "little") + b"\x7f" * 2**20)
    time.sleep(60)


@attack(
    "T31",
    "the size of a dictionary in a message",
    "cannot be sent",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def collides_dictionary_keys(target):
    """Return a dictionary of a hundred thousand keys chosen to collide."""
    return {str(number): None for number in range(100_000)}


@attack(
    "T32",
    "the grader's list of library modules",
    "raised ModuleNotFoundError",
    no_control="the grader enforces it, and no worker can switch it off",
)
def asks_for_a_program_as_a_module(target):
    """Request a worker that has imported a module that is a program, with full rights."""
    send(wire().encode(("wants_library", "idlelib.idle")))
    time.sleep(60)


@attack(
    "T33",
    "the grader's count",
    "raised ModuleNotFoundError",
    no_control="the grader enforces it, and no worker can switch it off",
)
def asks_for_module_after_module(target):
    """Request a worker with another library module, again and again, under unknown names."""
    send(wire().encode(("wants_library", "numpy.core.x" + os.urandom(8).hex())))
    time.sleep(60)
