"""Attacks that use up time, memory, output, threads and descriptors, or end their process."""

import atexit
import ctypes
import mmap
import os
import resource
import signal
import struct
import sys
import threading
import time

import numpy as np

from attacker import attack, attempt, libc, system_call

OWN_PROCESS = "a separate process for each test"
COMPUTING_TIME = "resource limits timed out: computing time"
DEADLINE = "the grader's deadline"
HANGS = "ended by SIGALRM"  # the test's own alarm, since such a grader never ends


@attack("C1", COMPUTING_TIME, "timed out: computing time", without_them="timed out: deadline")
def loops_for_ever(target):
    """Loop for ever."""
    while True:
        pass


@attack("C2", DEADLINE, "timed out: deadline", in_one_process=HANGS, seconds="0.7")
def sleeps(target):
    """Sleep for a hundred seconds."""
    time.sleep(100)


def more(*_):
    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@attack(
    "C3",
    COMPUTING_TIME,
    "timed out: computing time",
    without_them="timed out: deadline",
    besides="no capabilities",
)
def loops_past_the_first_warning(target):
    """Loop, ignore the warning that the computing time is over, and ask for more each time."""
    signal.signal(signal.SIGXCPU, more)
    while True:
        try:
            while True:
                pass
        except ValueError:
            continue


@attack("C4", "resource limits out of memory", "out of memory", without_them="3 GiB")
def asks_for_all_memory(target):
    """Ask for an array larger than the memory that it may have."""
    return f"{np.empty(3 * 2**30, dtype=np.uint8).size >> 30} GiB"


@attack(
    "C5",
    "the grader's count",
    "output limit",
    without_limit="OUTPUT_KILL_BYTES: timed out: deadline",
)
def prints_for_ever(target):
    """Print for ever."""
    while True:
        print("x" * 10_000)


@attack(
    "C6",
    "the grader's count",
    "output limit",
    without_limit="OUTPUT_KILL_BYTES: timed out: deadline",
)
def complains_for_ever(target):
    """Write to the error output for ever, past Python's own buffers."""
    while True:
        os.write(2, b"x" * 60_000)


@attack("C7", "resource limits can't start new thread", "can't start new thread", without_them="400 threads")
def starts_thread_after_thread(target):
    """Start threads until there are 400, each with the usual 8 MiB of stack."""
    stop, word = threading.Event(), "400 threads"
    threading.stack_size(8 * 2**20)
    for _ in range(400):
        try:
            threading.Thread(target=stop.wait, daemon=True).start()
        except (RuntimeError, MemoryError):
            word = "can't start new thread"
            break
    stop.set()
    return word


@attack("C8", "resource limits EMFILE", "EMFILE")
def opens_descriptor_after_descriptor(target):
    """Copy descriptors until there are 500."""
    return attempt(lambda: [os.dup(0) for _ in range(500)])


@attack("C9", OWN_PROCESS, "died: SIGSEGV", in_one_process="ended by SIGSEGV")
def reads_address_zero(target):
    """Read from address zero."""
    ctypes.string_at(0)


@attack(
    "C10",
    "a separate process for each test; only a reply counts",
    "died: exit status 0",
    in_one_process="exit status 0",
)
def leaves_with_status_zero(target):
    """Leave the process with the status that means success."""
    os._exit(0)


@attack(
    "C11",
    "a separate process for each test; only a reply counts",
    "raised SystemExit",
    in_one_process="exit status 0",
)
def exits_by_an_exception(target):
    """Exit with the status that means success, by exception."""
    sys.exit(0)


@attack("C13", OWN_PROCESS, "died: SIGABRT", in_one_process="ended by SIGABRT")
def aborts(target):
    """Abort the process."""
    os.abort()


ACTED = []


def act():
    time.sleep(0.3)
    ACTED.append(True)
    print("after the end")


def waits(value):
    time.sleep(0.5)
    return "acted" if ACTED else value


@attack(
    "C14",
    "a separate process for each test, which is killed when the test is over",
    "returned",
    in_one_process="acted",
    judge=waits,
)
def acts_after_its_return(target):
    """Start a thread that acts after the function has returned."""
    threading.Thread(target=act).start()
    return "returned"


@attack("C16", OWN_PROCESS, "died: gone", no_control="the grader enforces it, and no worker can switch it off")
def closes_its_connection(target):
    """Close the connection to the grader and continue."""
    os.close(3)
    while True:
        pass


@attack("C18", DEADLINE, "timed out: deadline", in_one_process="stopped", seconds="0.7")
def stops_itself(target):
    """Stop itself, as a terminal does, and never continue."""
    os.kill(os.getpid(), signal.SIGSTOP)


def deeper(item):
    return sorted([1], key=deeper)


@attack(
    "C19",
    OWN_PROCESS,
    "died: SIGSEGV or raised RecursionError",
    in_one_process="ended by SIGSEGV or raised RecursionError",
)
def runs_out_of_stack(target):
    """Raise Python's recursion limit and recurse through C functions until the stack overflows."""
    sys.setrecursionlimit(10**9)
    return deeper(1)


@attack("C21", COMPUTING_TIME, "timed out: computing time", without_them="timed out: deadline")
def computes_a_huge_number(target):
    """Compute a number of a billion digits, inside one operation that Python cannot interrupt."""
    return 7 ** (10**9) == 3


def linger():
    if os.fork() == 0:
        time.sleep(60)


@attack(
    "C23",
    "a separate process for each test, which is killed and never exits normally",
    "returned",
    no_control="a killed process runs no exit code",
)
def forks_at_its_exit(target):
    """Fork when the interpreter ends."""
    atexit.register(linger)
    return "returned"


class EndlessText(Exception):
    def __str__(self):
        while True:
            pass


@attack("C31", COMPUTING_TIME, "timed out: computing time", without_them="timed out: deadline")
def raises_an_error_whose_text_never_ends(target):
    """Raise an exception whose text takes for ever to build."""
    raise EndlessText


class EndlessList(list):
    def __iter__(self):
        while True:
            time.sleep(0.01)
            yield 1


def adds_up(value):
    return str(sum(value))


@attack("C33", DEADLINE, "timed out: deadline", in_one_process=HANGS, judge=adds_up, seconds="0.7")
def returns_a_list_that_never_ends(target):
    """Return a list whose iteration never ends."""
    return EndlessList()


@attack("C45", OWN_PROCESS, "timed out: deadline", in_one_process="ended by SIGALRM")
def sets_an_alarm(target):
    """Set an alarm clock that ends the process."""
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    time.sleep(100)


THREADS, PAGE = 5000, 4096
STACKS = mmap.mmap(-1, THREADS * PAGE)  # as long as the threads
SHARED = 0x10000 | 0x800 | 0x400 | 0x200 | 0x100  # CLONE_THREAD, _SIGHAND, _FILES, _FS and _VM


@attack("C46", "resource limits EAGAIN", "EAGAIN", besides="own user", machine="x86_64")
def starts_threads_without_a_stack(target):
    """Start 5000 threads that have a page of stack each and only wait, so that the machine has no number left for
    others."""
    first = ctypes.addressof(ctypes.c_char.from_buffer(STACKS))
    # Each return from the call, and then from the wait, finds the address of the wait.
    wait = ctypes.cast(libc.pause, ctypes.c_void_p).value
    STACKS.write((bytes(PAGE // 2) + struct.pack("<Q", wait) * 256) * THREADS)

    def start():
        for number in range(THREADS):
            system_call("clone", SHARED, first + number * PAGE + PAGE // 2, 0, 0, 0)

    return attempt(start)


@attack("C47", "resource limits few", "few", without_them="5000 signals")
def queues_signals_to_itself(target):
    """Queue 5000 signals to itself, which the kernel keeps in memory of its own, up to a number that each user has."""
    number = signal.SIGRTMAX - 1
    signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    for _ in range(5000):
        os.kill(os.getpid(), number)
    queued = 0
    while signal.sigtimedwait({number}, 0):
        queued += 1
    return f"{queued} signals" if queued > 100 else "few"


@attack(
    "G17",
    "one thread for numpy, set before numpy is loaded",
    "one thread",
    no_control="whether a fork hangs is random",
)
def multiplies_with_one_thread(target):
    """Multiply large matrices after the fork, which hangs if numpy had started threads before it."""
    product = np.ones((300, 300)) @ np.ones((300, 300))
    threads = {os.environ.get(name) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
    return "one thread" if threads == {"1"} and product[0, 0] == 300 else "others"
