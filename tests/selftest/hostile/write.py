"""Attacks that write: results, files, shared memory, queues, keys and devices."""

import ctypes
import fcntl
import os

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


@attack("W43", "a standard input of its own for each worker", "no note", in_one_process="a note", twice="yes")
def leaves_a_note_in_the_flags_of_its_input(target):
    """Leave a note for the next test in the flags of its standard input, which processes share that inherit it."""
    flags = fcntl.fcntl(0, fcntl.F_GETFL)
    fcntl.fcntl(0, fcntl.F_SETFL, flags ^ os.O_APPEND)
    return "a note" if flags & os.O_APPEND else "no note"
