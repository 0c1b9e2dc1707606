"""Attacks on processes: signals, new programs, other rights, namespaces and machine code."""

import ctypes
import errno
import fcntl
import mmap
import os
import resource
import signal
import struct
import subprocess
import time

from attacker import CODE, attack, attempt, libc, raw_call, run_code, system_call, write_code

FILTER = "seccomp filter EPERM"
UNPRIVILEGED = "own user EPERM; no capabilities EPERM; seccomp filter EPERM"
UNSEEN = "pid namespace ESRCH; own user EPERM; Landlock EPERM; seccomp filter EPERM"


@attack("G6", FILTER, "EPERM")
def leaves_a_daemon(target):
    """Leave a daemon behind: fork, leave the session, fork again."""
    def leave():
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
        os.waitpid(child, 0)

    return attempt(leave)


@attack(
    "G12",
    "pid namespace ESRCH; own user EPERM; memory closed to others EPERM; Landlock EPERM; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user=(
        "user namespace EPERM; pid namespace ESRCH; memory closed to others EPERM; Landlock EPERM; seccomp filter EPERM"
    ),
    besides="no capabilities",
)
def traces_a_neighbour(target):
    """Take control of a worker of another submission that runs at the same time."""
    return attempt(system_call, "ptrace", 0x4206, target["sibling"], 0, 0)


@attack("P1", UNSEEN, "EPERM")
def kills_the_grader(target):
    """End a process of the grader's user."""
    return attempt(os.kill, target["grader"], signal.SIGKILL)


@attack("P2", "own user EPERM; Landlock EPERM; seccomp filter EPERM", "EPERM")
def signals_the_zygote(target):
    """Signal the process that it was forked from, with signal 0, which only checks the permission."""
    return attempt(os.kill, os.getppid(), 0)


@attack("P3", "pid namespace ESRCH; seccomp filter EPERM", "EPERM")
def signals_everybody(target):
    """Signal every process that it may, with signal 0, which only checks the permission."""
    return attempt(os.kill, -1, 0)


@attack("P4", FILTER, "EPERM")
def forks_a_child_that_stays(target):
    """Fork a child that lives on after the test."""
    def fork():
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)

    return attempt(fork)


@attack("P5", "empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM", "EPERM")
def runs_a_shell(target):
    """Run a shell command."""
    return attempt(subprocess.run, ["/bin/sh", "-c", "true"])


@attack(
    "P7",
    "empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM",
    "EPERM",
    without_them="died: exit status 0",
)
def becomes_a_program(target):
    """Execute another program, to run without the filter."""
    return attempt(os.execv, "/bin/true", ["true"])


@attack(
    "P8",
    "resource limits EAGAIN; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user="seccomp filter EPERM",
    without_them="40 children",
    besides="own user",
    besides_as_user="nothing",
)
def drops_a_fork_bomb(target):
    """Fork as often as it can; it stops at 40 here."""
    children, word = [], "40 children"
    for _ in range(40):
        try:
            child = os.fork()
        except OSError as error:
            word = errno.errorcode[error.errno]
            break
        if child == 0:
            signal.pause()
        children.append(child)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return word


@attack(
    "P9",
    "pid namespace ESRCH; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user="user namespace EPERM; pid namespace ESRCH; Landlock EPERM; seccomp filter EPERM",
)
def traces_the_grader(target):
    """Take control of a process of the grader's user, as a debugger does."""
    return attempt(system_call, "ptrace", 0x4206, target["grader"], 0, 0)


@attack(
    "P10",
    "own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM",
    "EPERM",
    besides_as_user="user namespace",
)
def traces_the_zygote(target):
    """Take control of the zygote, as a debugger does."""
    return attempt(system_call, "ptrace", 0x4206, os.getppid(), 0, 0)


@attack("P12", "resource limits EPERM; seccomp filter EPERM", "EPERM")
def raises_its_time_limit(target):
    """Raise the limit of its own computing time."""
    def lift():
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except ValueError as error:  # the module's form of EPERM
            raise PermissionError(1, "") from error

    return attempt(lift)


@attack(
    "P14",
    "own user EPERM; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user="the kernel reserves it for root",
    no_control_as_user="the kernel reserves it for root",
)
def becomes_root(target):
    """Become root."""
    return attempt(os.setuid, 0)


@attack("P15", "empty root folder EPERM; seccomp filter EPERM", "EPERM")
def unshares_a_user_namespace(target):
    """Create its own user namespace, in which it has every capability."""
    return attempt(system_call, "unshare", 0x10000000)


@attack("P17", "empty root folder EPERM; seccomp filter EPERM", "EPERM")
def clones_into_a_user_namespace(target):
    """Fork a child into a new user namespace."""
    def clone():
        child = system_call("clone", 0x10000000 | 17, 0, 0, 0, 0)
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    return attempt(clone)


@attack("P18", "seccomp filter ENOSYS", "ENOSYS")
def forks_by_clone3(target):
    """Fork by clone3, whose flags a filter cannot see."""
    def clone():
        arguments = struct.pack("8Q", 0, 0, 0, 0, 17, 0, 0, 0)
        child = system_call("clone3", arguments, len(arguments))
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    return attempt(clone)


@attack(
    "P20",
    "pid namespace ESRCH; own user EPERM; no capabilities EPERM; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user="pid namespace ESRCH; seccomp filter EPERM",
)
def moves_the_grader_to_one_processor(target):
    """Set the processors on which a process of the grader's user may run."""
    return attempt(os.sched_setaffinity, target["grader"], {0})


@attack("P22", UNPRIVILEGED, "EPERM", besides_as_user="user namespace")
def changes_its_root(target):
    """Change its root folder, the first step out of one."""
    return attempt(os.chroot, ".")


@attack("P23", FILTER, "EPERM")
def counts_events_of_the_processor(target):
    """Count events of the processor, which reveal the computations of other processes."""
    attributes = struct.pack("IIQQQQQ", 1, 112, 0, 0, 0, 0, 1 << 5 | 1 << 6) + bytes(64)
    return attempt(system_call, "perf_event_open", attributes, 0, -1, -1, 0)


@attack(
    "P24",
    UNPRIVILEGED,
    "EPERM",
    stopped_by_as_user="the kernel reserves it for root",
    no_control_as_user="the kernel reserves it for root",
)
def loads_a_program_into_the_kernel(target):
    """Create a map for the kernel's own programs (bpf)."""
    attributes = struct.pack("IIIII", 2, 4, 4, 1, 0) + bytes(100)
    return attempt(system_call, "bpf", 0, attributes, len(attributes))


@attack("P34", "pid namespace ESRCH; own user EPERM; seccomp filter EPERM", "EPERM")
def limits_the_grader(target):
    """Set a limit of a process of the grader's user."""
    return attempt(resource.prlimit, target["grader"], resource.RLIMIT_CORE, (0, 0))


@attack(
    "P35",
    "own user EACCES; no capabilities EACCES; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user="the kernel reserves it for root",
    no_control_as_user="the kernel reserves it for root",
)
def goes_before_everybody(target):
    """Raise its own priority."""
    return attempt(os.setpriority, os.PRIO_PROCESS, 0, -5)


@attack("P36", FILTER, "EPERM")
def opens_its_memory_to_others(target):
    """Make its own memory readable to other processes again."""
    return attempt(system_call, "prctl", 4, 1, 0, 0, 0)


@attack(
    "P42",
    "empty root folder ENOENT; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM",
    "EPERM",
    without_them="ENODEV",
    besides_as_user="user namespace; pid namespace; network namespace; ipc namespace; read-only mounts",
)
def mounts(target):
    """Mount a file system over a folder; ENODEV, since its type does not exist, means that permission was granted."""
    return attempt(system_call, "mount", None, target["scratch"].encode(), b"nothing", 0, None)


@attack("P45", "seccomp filter died: SIGSYS", "died: SIGSYS", without_them="ENOSYS or done", machine="x86_64")
def calls_by_the_x32_table(target):
    """Call the kernel by the numbers of another table (x32), which a careless filter does not check."""
    return attempt(raw_call, 0x40000000 | 39)


# push rbx; mov eax, 20 (getpid); int 0x80; pop rbx; ret
GATE_CALL = b"\x53\xb8\x14\x00\x00\x00\xcd\x80\x5b\xc3"
INT_80 = GATE_CALL[6:8]


def find_gate():
    """Find the bytes of the entry in the C library or in Python, where they are part of other instructions."""
    for library, names in ((libc, ("abort", "wordexp")), (ctypes.pythonapi, ("PyList_New", "Py_BytesMain"))):
        start, end = sorted(ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in names)
        position = ctypes.string_at(start, end - start).find(INT_80)
        if position >= 0:
            return start + position
    raise LookupError("no code that calls the kernel by this entry")


@attack("P46", "seccomp filter died: SIGSYS", "died: SIGSYS", machine="x86_64")
def calls_by_the_32_bit_gate(target):
    """Call the kernel by the entry for 32-bit programs, from its own machine code or else from a library's."""
    try:
        memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError:
        return run_code(find_gate())
    memory.write(GATE_CALL)
    return "done" if run_code(ctypes.addressof(ctypes.c_char.from_buffer(memory))) == os.getpid() else "nothing"


@attack(
    "P51",
    (
        "read-only mounts its own user; empty root folder ENOENT; no new privileges its own user; Landlock EACCES; "
        "seccomp filter EPERM"
    ),
    "EPERM",
    stopped_by_as_user="the kernel reserves it for root",
    without_them="root",
    no_control_as_user="the kernel reserves it for root",
    besides="own user",
    besides_as_user="nothing",
)
def runs_a_program_with_root_rights(target):
    """Run a program that has root's rights by its set-user-id bit."""
    try:
        user = subprocess.check_output([target["setuid"], "-u"], text=True).strip()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "root" if user == "0" else "its own user"


@attack(
    "P53",
    UNPRIVILEGED,
    "EPERM",
    stopped_by_as_user="the kernel reserves it for root",
    no_control_as_user="the kernel reserves it for root",
)
def becomes_the_neighbour(target):
    """Become the user under which another submission is graded."""
    return attempt(os.setresuid, 65499, 65499, 65499)


@attack("P62", "pid namespace ESRCH; seccomp filter EPERM", "EPERM")
def has_the_kernel_signal_the_grader(target):
    """Make the kernel signal a process of the grader's user when its own connection has data."""
    return attempt(fcntl.fcntl, 3, fcntl.F_SETOWN, target["grader"])


@attack("P77", FILTER, "EPERM", without_them="42")
def runs_machine_code_of_its_own(target):
    """Run machine code of its own, from memory that is writable and executable."""
    made = []

    def make():
        made.append(mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC))

    word = attempt(make)
    return word if not made else str(run_code(write_code(made[0])))


@attack("P79", "seccomp filter out of memory", "out of memory", without_them="42")
def overwrites_a_function_of_c(target):
    """Write machine code over the code that ctypes makes for a function that C may call, and run it."""
    function = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)
    address = ctypes.cast(function, ctypes.c_void_p).value
    ctypes.memmove(address, CODE, len(CODE))
    return str(run_code(address))
