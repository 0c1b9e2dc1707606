"""Limits: sets the numbers that bound a worker, each with the attack that it stops.

Run by the grader, which sends them, and by the worker, which applies them to itself before it loads student code; with
the rights of each. Trusts the kernel.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

CPU_S = 10  # an endless loop; the hard limit, one second later, ends a process that ignores SIGXCPU
FIRST_CPU_S = 0.1  # an endless loop in a file, or in a program of unknown need, when a check is first tried
CPU_PER_NEEDED = 300  # an endless loop in a program: this many times what the right solution needs, ...
FEWEST_CPU_S = 1  # ... but never fewer than these
FIRST_SHARE = 0.1  # an endless loop when a check is first tried: this share of a program's time
WALL_PER_CPU = 3  # sleep(100) in a step of it: enough for a busy machine with half a core, ...
WALL_MORE_S = 1.0  # ... and for a function that waits a little
PROGRAM_S = 20.0  # the same in all steps, even where code switches off the timer of its process
ENDING_PROGRAMS = 3  # a function that ends its worker in each case: a fresh worker takes the others, this many times
LATE_CHECKS = 2  # the same in all checks of a function: after this many late ones in a pass it is not called again
NAMED_ERRORS = 20  # by type and place, in the hidden rows of a submission: code can choose each by its inputs
DEADLINE_S = 480.0  # sleep(100) in every test: Gradescope ends a run after ten minutes
ADDRESS_SPACE_BYTES = 384 * 2**20  # one 10 GB array; right code needs 115 MiB, and two workers fit in 768 MiB
OPEN_FILES = 64  # opening files until the descriptor table is full
CONTAINER_MIB = 768  # Gradescope's default, for two workers at a time
PROCESSES = 32  # a fork bomb, 5000 threads, if the worker has its own uid: the kernel counts by uid ...
PROCESSES_OF_USER = 2048  # ... else others may count, too; 20,000 threads without a stack, until no pid is left
SIGNALS = 64  # queueing signals to itself, which take memory of the kernel, up to a number that each uid has
FILE_SIZE_BYTES = 0  # filling up the disk
MEMORY_SCORE = 1000  # using up the machine's memory: the kernel ends the largest process with this score
CORE_BYTES = 0  # core dumps of a worker that crashes

OUTPUT_KEPT_BYTES = 64 * 2**10  # printing in a loop: the grader keeps this much ...
OUTPUT_KILL_BYTES = 8 * 2**20  # ... and kills the worker at this much
MESSAGE_CHARACTERS = 2_000  # an exception whose text is a megabyte
FRAMES_KEPT = 8  # a traceback of a thousand recursive calls
REPLIES_BYTES = 32 * 2**20  # the largest reply again and again, of which a check keeps each, where its need is unknown,
REPLIES_PER_NEEDED = 20  # ... and where it is known, this many times the bytes of the right solution's ...
FEWEST_REPLIES_BYTES = 2**20  # ... but never fewer than these: a wrong axis in one call should not end the others
NODE_BYTES = 32  # a list of a million None, of a byte each, which takes long to read and to compare
HANDLE_BYTES = 1000  # a list of thousands of objects that stay in the worker, each of which takes as long to read
EVIDENCE_BYTES = 4 * 2**20  # the same in one check that failed, whose replies are kept for the diagnosis ...
QUESTION_EVIDENCE_BYTES = 8 * 2**20  # ... and in every check of a question
WHOLE_LOAD_CPU_S = 0.25  # a file with an endless loop at its top level; what takes longer is loaded by its statements
LOAD_CPU_S = 1  # one such statement, in each test
ENDING_STATEMENTS = 2  # a file of endless loops, or of statements that end the process: each costs a worker
KILLS_AT_LOAD = 2  # one that kills itself, which the machine may have done: it is loaded again so often
STATEMENTS = 2_000  # a file of a million statements: each costs a request where the file is loaded one by one
LEFT_OUT = 100  # a file of thousands of statements that fail, each of which would be recorded
LATE_MODULES = 32  # importing one library module after another: each import costs a new worker
MODULE_NAME_CHARACTERS = 100  # a module name of megabytes, which would be part of each later request
HANDLES = 100_000  # a reply with a million objects, each kept alive in the worker
CALLBACKS = 250_000  # calling a callback for ever, where it is not known how many calls the right solution makes ...
CALLBACKS_PER_NEEDED = 20  # ... and where it is, this many times as many ...
FEWEST_CALLBACKS = 200  # ... but never fewer than these
REFUSED_CALLBACKS = 1_000  # the same, going on after each refusal: the worker is ended
CALLBACK_BYTES = 2**20  # large arguments that make a callback slow or large in the grader
CALLBACK_S = 5.0  # a callback argument that makes the grader itself loop ...
JUDGING_S = 5.0  # ... and a reply
CALLBACK_MEMORY_BYTES = 2**27  # arrays of a few bytes that broadcast to all of Gradescope's 768 MB in the grader, ...
BODY_MEMORY_BYTES = 2**28  # ... or that a test written by hand makes of them, ...
JUDGING_MEMORY_BYTES = 2**27  # ... and a long text among many short ones, each of which numpy makes as long
WORKER_SEED = 0  # of numpy.random and random in every worker: equal submissions get equal results
ZYGOTE_REPLY_S = 20.0  # a zygote that hangs or was stopped: our fault, not the student's
ZYGOTE_END_S = 2.0  # a zygote that does not exit: it is killed after this time
GRADER_ADDRESS_SPACE_BYTES = 2 * 2**30  # of the grader itself, which with less may hang while it loads numpy


@dataclass(frozen=True)
class Limits:
    """The limits of one worker that an assignment or a test may choose; the kernel enforces them, and those above."""

    cpu_s: int = CPU_S
    address_space_bytes: int = ADDRESS_SPACE_BYTES


STANDARD = Limits()


class Need(NamedTuple):
    """What the right solution needs of a check: the number of calls of the check's functions, and the bytes of replies.

    `cpu_s`: the computing time that one program has because of it, 0 for no limit of its own.
    """

    callbacks: int
    cpu_s: float
    replies_bytes: int = 0


@dataclass(frozen=True)
class CallbackLimit:
    """The calls of the grader's functions that a check has; `needed`: of the right solution, None if unknown."""

    most: int = CALLBACKS
    needed: int | None = None

    def describe(self) -> str:
        """Describe the limit; empty where nothing is known."""
        if self.needed is None:
            return ""
        what = "too many calls of a function of the check"
        return f"{what}: this check has {self.most:,}, and a right solution makes {self.needed:,}"


UNKNOWN_NEED = CallbackLimit()


def limit_callbacks(need: Need | None) -> CallbackLimit:
    """Return the limit of a check in which the right solution has this need; None: it is not known."""
    if need is None:
        return UNKNOWN_NEED
    most = max(FEWEST_CALLBACKS, CALLBACKS_PER_NEEDED * need.callbacks)
    return CallbackLimit(min(most, CALLBACKS), need.callbacks)


def limit_replies(need: Need | None) -> int:
    """Return the bytes that the replies of a check may take together, if the right solution has this need."""
    if need is None:
        return REPLIES_BYTES
    return min(max(FEWEST_REPLIES_BYTES, REPLIES_PER_NEEDED * need.replies_bytes), REPLIES_BYTES)


def choose_cpu_s(longest_s: float) -> int:
    """Return the computing time of a program where the longest one of the right solution takes `longest_s`."""
    return min(CPU_S, max(FEWEST_CPU_S, math.ceil(CPU_PER_NEEDED * longest_s)))


class Clock(NamedTuple):
    """The seconds that student code has in a program: computing, by the clock in one step, and by the clock in all."""

    cpu_s: float
    step_s: float
    program_s: float


def choose_first_clock(need: Need | None) -> Clock:
    """Choose the clock of a check that is first tried, with others in one worker."""
    return _make_clock(FIRST_SHARE * need.cpu_s if need and need.cpu_s else FIRST_CPU_S)


def shorten(need: Need | None) -> Need | None:
    """Return the need with the computing time of a first try, for code that did not end before."""
    if need and need.cpu_s:
        return need._replace(cpu_s=choose_first_clock(need).cpu_s)
    return need


def choose_clock(need: Need | None, limits: Limits) -> Clock:
    """Choose the clock of a check; the limit of the worker where the need is unknown or the assignment raises it."""
    cpu_s = float(limits.cpu_s)
    if need and need.cpu_s and limits.cpu_s <= CPU_S:
        cpu_s = need.cpu_s
    return _make_clock(cpu_s, PROGRAM_S)


def _make_clock(cpu_s: float, least_program_s: float = 0.0) -> Clock:
    step_s = WALL_PER_CPU * cpu_s + WALL_MORE_S
    return Clock(cpu_s, step_s, max(least_program_s, step_s))


def choose_limits(cpu_s: int | None = None, memory_mib: int | None = None) -> Limits:
    """Choose the limits of a worker: those that an assignment declares, and the grader's own in place of None."""
    return Limits(cpu_s or CPU_S, memory_mib << 20 if memory_mib else ADDRESS_SPACE_BYTES)


def choose_container_mib(memory_mib: int | None) -> int:
    """Choose the memory of a container in MiB: Gradescope's default, or what the workers need that run at a time."""
    return max(CONTAINER_MIB, 2 * (memory_mib or 0))


def measure_address_space() -> int:
    """Measure the address space of this process in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
