"""Attacks: defines the attacks that a real worker tries before student code runs; the text below is all of them.

Run in workers, like a submission: with all layers, and with a single layer to test that layer. Trusts nothing. A
stopped attack returns the name of the error; the attacks read and write no data: they only open a file and create an
empty one.
"""

from __future__ import annotations

from enum import Enum

PRELOAD = ("errno", "mmap", "os", "signal", "socket")


class Attack(str, Enum):
    """Each attack in the words of the report; its name is that of the function below."""

    READ = "read a file of the grader"
    CREATE = "make a file in the results folder"
    OVERWRITE = "open a file of the results folder for writing"
    CONNECT = "connect to the network"
    START = "start a process"
    SIGNAL = "signal the grader"
    ALLOCATE = "take 3 GiB of memory"
    BECOME_ROOT = "become root"


SOURCE = """
import errno, mmap, os, signal, socket

def attack(name, source, bait, new, port, pid):
    try:
        ATTACKS[name](source, bait, new, port, pid)
    except OSError as error:
        return errno.errorcode.get(error.errno, "an error")
    return ""

def READ(source, bait, new, port, pid):
    os.close(os.open(source, os.O_RDONLY))

def CREATE(source, bait, new, port, pid):
    os.close(os.open(new, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))

def OVERWRITE(source, bait, new, port, pid):
    os.close(os.open(bait, os.O_WRONLY))

def CONNECT(source, bait, new, port, pid):
    with socket.socket() as connection:
        connection.settimeout(2)
        connection.connect(("127.0.0.1", port))

def START(source, bait, new, port, pid):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)

def SIGNAL(source, bait, new, port, pid):
    os.kill(pid, signal.SIGURG)

def ALLOCATE(source, bait, new, port, pid):
    mmap.mmap(-1, 3 << 30).close()

def BECOME_ROOT(source, bait, new, port, pid):
    os.setuid(0)

ATTACKS = dict(READ=READ, CREATE=CREATE, OVERWRITE=OVERWRITE, CONNECT=CONNECT, START=START, SIGNAL=SIGNAL,
               ALLOCATE=ALLOCATE, BECOME_ROOT=BECOME_ROOT)
"""
