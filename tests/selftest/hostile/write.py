"""Attacks that write: results, files, shared memory, queues, keys and devices."""

import ctypes
import fcntl
import mmap
import os
import resource
import stat

from attacker import attack, attempt, libc, steal, system_call

FILTER = "seccomp filter EPERM"
READ_ONLY = "read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM"


@attack(
    "W1",
    (
        "read-only mounts EROFS; resource limits EFBIG; empty root folder ENOENT; own user EACCES; Landlock EACCES; "
        "seccomp filter EPERM"
    ),
    "EPERM",
)
def writes_the_results(target):
    """Write a result of 100 points."""
    return attempt(lambda: os.write(os.open(target["results"], os.O_WRONLY), b'{"score": 100}'))


@attack(
    "W2",
    "the built-in open of a worker keeps files in memory",
    "written to memory only",
    no_control="W1 is the same without the built-in open",
)
def writes_the_results_by_open(target):
    """Write a result of 100 points with the built-in open, which a worker keeps in memory."""
    with open(target["results"], "w") as file:
        file.write('{"score": 100}')
    return "written to memory only"


@attack(
    "W3",
    "read-only mounts EROFS; empty root folder ENOENT; own user EPERM; seccomp filter EPERM",
    "EPERM",
)
def opens_the_results_folder_to_all(target):
    """Change the mode of the results folder."""
    return attempt(os.chmod, target["results_dir"], 0o777)


@attack(
    "W5",
    "read-only mounts EROFS; empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM",
    "EPERM",
)
def writes_to_shared_memory(target):
    """Leave a file in /dev/shm for the next submission."""
    def leave():
        path = f"/dev/shm/hostile-{os.getpid()}"
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(path)

    return attempt(leave)


@attack("W6", FILTER, "EPERM")
def makes_a_file_without_a_name(target):
    """Create a file in memory, to avoid the limits or to execute it."""
    return attempt(system_call, "memfd_create", b"hidden", 0)


@attack("W8", FILTER, "EPERM")
def makes_shared_memory(target):
    """Create a segment of shared memory that outlives the process."""
    return attempt(lambda: system_call("shmctl", system_call("shmget", 0, 4096, 0o1600), 0, None))


@attack(
    "W9",
    "read-only mounts EROFS; resource limits EFBIG; empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM",
    "EPERM",
)
def fills_the_disk(target):
    """Fill the disk with files of one megabyte."""
    def fill():
        for number in range(3):
            descriptor = os.open(f"{target['scratch']}/{number}", os.O_CREAT | os.O_WRONLY)
            os.write(descriptor, bytes(2**20))
            os.close(descriptor)

    return attempt(fill)


@attack("W11", READ_ONLY, "EPERM")
def plants_a_startup_file(target):
    """Leave a file in site-packages that the next Python process would run at its start."""
    return attempt(os.open, target["packages"] + "/evil.pth", os.O_CREAT | os.O_WRONLY)


@attack("W13", READ_ONLY, "EPERM")
def empties_the_results(target):
    """Truncate the results to zero bytes."""
    return attempt(os.truncate, target["results"], 0)


@attack("W14", READ_ONLY, "EPERM")
def renames_over_the_results(target):
    """Replace the results by renaming its own file."""
    return attempt(os.rename, target["scratch"] + "/given", target["results"])


@attack("W15", READ_ONLY, "EPERM")
def removes_the_results(target):
    """Remove the results."""
    return attempt(os.unlink, target["results"])


@attack("W16", READ_ONLY, "EPERM")
def turns_the_results_into_a_link(target):
    """Put a symbolic link to the reference beside the results, so that the grader writes or publishes it."""
    return attempt(os.symlink, target["reference"], target["results_dir"] + "/results.json.new")


@attack(
    "W17",
    "read-only mounts EROFS; empty root folder ENOENT; own user EACCES; seccomp filter EPERM",
    "EPERM",
)
def changes_the_time_of_the_results(target):
    """Change the times of the results."""
    return attempt(os.utime, target["results"], (0, 0))


@attack(
    "W18",
    "read-only mounts EROFS; empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM",
    "EPERM",
)
def leaves_a_file_in_tmp(target):
    """Leave a file in /tmp, /var/tmp or the current folder for the next submission."""
    def leave(path):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(path)

    words = [attempt(leave, f"{folder}/hostile-{os.getpid()}") for folder in ("/tmp", "/var/tmp", ".")]
    return "done" if "done" in words else words[0]


@attack(
    "W19",
    "read-only mounts EROFS; empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM",
    "EPERM",
)
def makes_a_folder_and_a_pipe(target):
    """Leave a folder and a named pipe, which need no disk space, in a world-writable folder."""
    first = attempt(system_call, "mkdirat", -100, (target["scratch"] + "/folder").encode(), 0o700)
    second = attempt(os.mkfifo, target["scratch"] + "/pipe")
    return first if first == second else f"{first} and {second}"


@attack(
    "W20",
    "read-only mounts EROFS; empty root folder ENOENT; own user EACCES; seccomp filter EPERM",
    "EPERM",
)
def writes_an_attribute(target):
    """Attach a note to the results as an extended attribute."""
    return attempt(os.setxattr, target["results"], "user.note", b"1")


@attack(
    "W21",
    "read-only mounts EROFS; empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM",
    "EPERM",
)
def makes_a_file_that_is_in_no_folder(target):
    """Create a file without a name (O_TMPFILE) in a world-writable folder."""
    return attempt(os.open, target["scratch"], os.O_TMPFILE | os.O_WRONLY, 0o600)


@attack(
    "W22",
    (
        "read-only mounts EROFS; empty root folder ENOENT; own user EPERM; no capabilities EPERM; Landlock EACCES; "
        "seccomp filter EPERM"
    ),
    "EPERM",
    stopped_by_as_user="the kernel reserves it for root",
    no_control_as_user="the kernel reserves it for root",
)
def makes_a_device(target):
    """Create a device file for the disk."""
    return attempt(os.mknod, target["scratch"] + "/disk", stat.S_IFBLK | 0o666, os.makedev(8, 0))


@attack("W23", FILTER, "EPERM")
def makes_queues_and_semaphores(target):
    """Create a System V message queue and a semaphore that outlive the process."""
    first = attempt(lambda: system_call("msgctl", system_call("msgget", 0, 0o1600), 0, None))
    second = attempt(lambda: system_call("semctl", system_call("semget", 0, 1, 0o1600), 0, 0))
    return first if first == second else f"{first} and {second}"


@attack("W24", FILTER, "EPERM")
def locks_a_shared_file(target):
    """Lock a file that other processes use."""
    return attempt(fcntl.flock, 0, fcntl.LOCK_SH | fcntl.LOCK_NB)


@attack("W25", "resource limits EPERM; seccomp filter EPERM", "EPERM")
def asks_for_core_files(target):
    """Request core files of unlimited size, then crash."""
    def ask():
        try:
            resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
        except ValueError as error:  # the module's form of EPERM
            raise PermissionError(1, "") from error

    return attempt(ask)


@attack(
    "W26",
    READ_ONLY,
    "EPERM",
    stopped_by_as_user=(
        "read-only mounts EROFS; empty root folder ENOENT; memory closed to others EACCES; Landlock EACCES; seccomp "
        "filter EPERM"
    ),
)
def offers_others_to_the_memory_killer(target):
    """Ask the kernel to kill other processes first when memory runs out."""
    return attempt(lambda: os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), b"0"))


@attack(
    "W27",
    (
        "read-only mounts EROFS; resource limits EFBIG; empty root folder ENOENT; own user EACCES; Landlock EACCES; "
        "seccomp filter EPERM"
    ),
    "EPERM",
)
def overwrites_the_sandbox(target):
    """Write into the source of the sandbox, for the next run."""
    return attempt(lambda: os.write(os.open(target["source"], os.O_WRONLY | os.O_APPEND), b"\n"))


@attack(
    "W28",
    READ_ONLY,
    "EPERM",
    stopped_by_as_user="the kernel reserves it for root",
    no_control_as_user="the kernel reserves it for root",
)
def names_a_program_for_crashes(target):
    """Open the setting that names the program that the kernel runs, as root, at each crash."""
    return attempt(os.open, "/proc/sys/kernel/core_pattern", os.O_WRONLY)


@attack("W29", FILTER, "EPERM", without_them="done or ENOSYS")
def makes_memory_that_nobody_sees(target):
    """Create memory that not even the kernel can read."""
    return attempt(system_call, "memfd_secret", 0)


@attack("W31", "ipc namespace EINVAL; own user EACCES; seccomp filter EPERM", "EPERM", without_them="secret")
def reads_anothers_shared_memory(target):
    """Read the shared memory of a process of the grader's user, by its id."""
    def attached():
        libc.shmat.restype = ctypes.c_void_p
        address = libc.shmat(target["segment"], None, 0o10000)
        if address == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), "")
        return ctypes.string_at(address, 100)

    return steal(target, attached)


@attack("W32", FILTER, "EPERM")
def leaves_a_key(target):
    """Leave a note for the next submission in the user's keyring."""
    def leave():
        key = system_call("add_key", b"user", b"hostile", b"note", 4, -4)
        system_call("keyctl", 9, key, -4)

    return attempt(leave)


@attack("W34", FILTER, "EPERM", without_them="ENOTTY")
def types_into_the_terminal(target):
    """Type a command into the terminal in which the grader was started."""
    return attempt(fcntl.ioctl, 0, 0x5412, b"x")


@attack(
    "W35",
    "own user EPERM; no capabilities EPERM; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user="the kernel reserves it for root",
    no_control_as_user="the kernel reserves it for root",
)
def handles_its_own_page_faults(target):
    """Create a handler for its own page faults, which can delay the kernel."""
    return attempt(system_call, "userfaultfd", 0)


@attack("W42", "own user EPERM; seccomp filter EPERM", "EPERM")
def changes_its_own_descriptors(target):
    """Change the mode of its open output."""
    return attempt(os.fchmod, 1, 0o777)


@attack("W43", "a standard input of its own for each worker", "no note", in_one_process="a note", twice="yes")
def leaves_a_note_in_the_flags_of_its_input(target):
    """Leave a note for the next test in the flags of its standard input, which processes share that inherit it."""
    flags = fcntl.fcntl(0, fcntl.F_GETFL)
    fcntl.fcntl(0, fcntl.F_SETFL, flags ^ os.O_APPEND)
    return "a note" if flags & os.O_APPEND else "no note"


MERGEABLE = 12


@attack("W44", FILTER, "EPERM", without_them="done or EINVAL")
def has_its_memory_merged(target):
    """Have the kernel merge its memory with equal memory of other processes, which a later write shows by its time."""
    return attempt(mmap.mmap(-1, 1 << 16).madvise, MERGEABLE)
