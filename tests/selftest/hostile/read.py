"""Attacks that read: files, memory, environments and what the machine tells of other processes."""

import ctypes
import gc
import importlib
import os
import struct
import sys
import time


from attacker import attack, attempt, holds, read, steal, system_call

HIDDEN = "empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT"


@attack("G7", HIDDEN, "ENOENT", without_them="secret")
def reads_the_metadata(target):
    """Read Gradescope's metadata, which holds names, addresses and the earlier results."""
    return steal(target, read, target["metadata"])


@attack("R1", HIDDEN, "ENOENT", without_them="secret")
def opens_the_reference(target):
    """Open the reference solution by its absolute path."""
    return steal(target, read, target["reference"])


@attack("R2", HIDDEN, "ENOENT")
def lists_the_hidden_tests(target):
    """List the folder of the hidden tests."""
    return attempt(os.listdir, target["tests"])


@attack(
    "R3",
    "empty root folder ENOENT; own user EACCES; no capabilities EACCES; Landlock EACCES; seccomp filter ENOENT",
    "ENOENT",
    stopped_by_as_user="user namespace EACCES; empty root folder ENOENT; Landlock EACCES; seccomp filter ENOENT",
    without_them="secret",
)
def reads_the_graders_environment(target):
    """Read the environment of a process of the grader's user."""
    return steal(target, read, f"/proc/{target['grader']}/environ")


@attack(
    "R5",
    (
        "pid namespace EACCES; empty root folder ENOENT; own user EACCES; no capabilities EACCES; Landlock EACCES; "
        "seccomp filter ENOENT"
    ),
    "ENOENT",
    besides_as_user="user namespace",
)
def opens_the_zygotes_memory(target):
    """Open the memory of the process that the worker was forked from."""
    return attempt(os.open, f"/proc/{os.getppid()}/mem", os.O_RDONLY)


@attack(
    "R7",
    "empty root folder ENOENT; own user nothing; no capabilities nothing; Landlock EACCES; seccomp filter ENOENT",
    "ENOENT",
    stopped_by_as_user="user namespace nothing; empty root folder ENOENT; Landlock EACCES; seccomp filter ENOENT",
    without_them="secret",
)
def scans_every_environment(target):
    """Search for a token in the environment of every process, including process 1."""
    def scan():
        found = b""
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    found += read(f"/proc/{name}/environ")
                except OSError:
                    continue
        return found

    return steal(target, scan)


@attack(
    "R9",
    "workers are forked from a new process that has seen no test",
    "nothing",
    in_one_process="found the tests",
)
def hunts_through_the_garbage_collector(target):
    """Search all objects of the garbage collector for the reference's functions."""
    for found in gc.get_objects():
        if type(found) is dict and str(found.get("__name__", "")).startswith(("reference.", "tests.", "autograder.grading.judge")):
            return "found the tests"
    return "nothing"


@attack(
    "R10",
    "workers are forked from a new process that has seen no test",
    "nothing",
    in_one_process="the test's frames",
)
def walks_up_the_frames(target):
    """Walk up the callers' frames and read their globals."""
    frame, names = sys._getframe(), set()
    while frame is not None:
        names.add(str(frame.f_globals.get("__name__")))
        frame = frame.f_back
    trusted = [name for name in names if name.startswith(("_pytest", "pytest", "tests.", "autograder.grading.judge"))]
    return "the test's frames" if trusted else "nothing"


@attack(
    "R11",
    "workers are forked from a new process that has seen no test",
    "nothing",
    in_one_process="found the judge",
)
def looks_into_the_loaded_modules(target):
    """Search the loaded modules for the tests, the reference and the grader."""
    wanted = ("pytest", "_pytest", "conftest", "reference", "tests", "autograder.grade", "autograder.grading.judge", "gradescope")
    found = {name for name in sys.modules for one in wanted if name == one or name.startswith(one + ".")}
    return "found the judge" if found else "nothing"


@attack("R12", "all other descriptors are closed before student code runs", "0 to 3", in_one_process="others")
def tries_every_descriptor(target):
    """Try every descriptor number for files and sockets that were left open."""
    found = []
    for number in range(4096):
        try:
            os.get_inheritable(number)
        except OSError:
            continue
        found.append(number)
    return "0 to 3" if found == [0, 1, 2, 3] else "others"


@attack(
    "R14",
    "read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM",
    "EPERM",
    without_them="secret",
)
def links_the_reference(target):
    """Create a hard link to the reference in a world-writable folder, then open the link."""
    def link():
        os.link(target["reference"], target["scratch"] + "/link")
        return read(target["scratch"] + "/link")

    return steal(target, link)


@attack(
    "R15",
    "empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOSYS",
    "ENOSYS",
    without_them="secret",
)
def opens_by_openat2(target):
    """Open the reference by openat2, whose arguments a filter cannot see."""
    def opened():
        how = struct.pack("QQQ", os.O_RDONLY, 0, 0)
        return os.read(system_call("openat2", -100, target["reference"].encode(), how, len(how)), 10_000)

    return steal(target, opened)


@attack(
    "R17",
    "pid namespace ESRCH; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user="user namespace EPERM; pid namespace ESRCH; Landlock EPERM; seccomp filter EPERM",
    without_them="secret",
)
def reads_another_process(target):
    """Read the memory of a process of the grader's user by process_vm_readv."""
    def memory():
        size = len(target["secret"])
        found = ctypes.create_string_buffer(size)
        here = (ctypes.c_uint64 * 2)(ctypes.addressof(found), size)
        there = (ctypes.c_uint64 * 2)(target["address"], size)
        system_call("process_vm_readv", target["grader"], here, 1, there, 1, 0)
        return found.raw

    return steal(target, memory)


@attack(
    "R18",
    HIDDEN,
    "ENOENT",
    stopped_by_as_user="pid namespace EACCES; empty root folder ENOENT; Landlock EACCES; seccomp filter ENOENT",
)
def lists_the_zygotes_descriptors(target):
    """List the zygote's open files, and open them again through /proc."""
    return attempt(os.listdir, f"/proc/{os.getppid()}/fd")


@attack(
    "R21",
    "empty root folder ENOENT; own user EACCES; no capabilities EPERM; Landlock EACCES; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user="the kernel reserves it for root",
    without_them="secret",
    no_control_as_user="the kernel reserves it for root",
)
def opens_by_file_handle(target):
    """Open the reference by its file handle, which ignores the modes of its parent folders."""
    def opened():
        handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
        system_call("name_to_handle_at", -100, target["reference"].encode(), handle, ctypes.byref(ctypes.c_int()), 0)
        mount = os.open(target["scratch"], os.O_RDONLY)
        return os.read(system_call("open_by_handle_at", mount, handle, os.O_RDONLY), 10_000)

    return steal(target, opened)


@attack(
    "R24",
    "empty root folder not found; own user not found; Landlock not found; seccomp filter not found",
    "not found",
    without_them="secret",
)
def imports_the_reference(target):
    """Add the project to the module path and import the reference."""
    sys.path.insert(0, target["project"])
    importlib.invalidate_caches()
    sys.modules.pop("reference", None)
    try:
        module = importlib.import_module("reference.fitting")
        return "secret" if module.KEY == target["secret"] else "nothing"
    except (ImportError, OSError):
        return "not found"


@attack("R26", "a new environment with few variables", "nothing", in_one_process="secret")
def looks_for_a_token_in_its_environment(target):
    """Search the inherited environment for a token, through Python and through the C library."""
    pointers = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    found, position = [dict(os.environ)], 0
    while pointers and pointers[position] is not None:
        found.append(pointers[position])
        position += 1
    return "secret" if holds(target, found) else "nothing"


@attack(
    "R27",
    "read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM",
    "EPERM",
    stopped_by_as_user=(
        "read-only mounts EROFS; empty root folder ENOENT; memory closed to others EACCES; Landlock EACCES; seccomp "
        "filter EPERM"
    ),
)
def opens_its_own_memory(target):
    """Open its own memory as a file, to search it for data of the zygote."""
    return attempt(os.open, "/proc/self/mem", os.O_RDWR)


@attack("R32", "empty root folder ENOENT; own user EACCES; seccomp filter EPERM", "EPERM")
def watches_the_results(target):
    """Watch the results folder, to learn when which file is written."""
    def watch():
        system_call("inotify_add_watch", system_call("inotify_init1", 0), target["results_dir"].encode(), 0xFFF)

    return attempt(watch)


@attack("R36", "empty root folder ENOENT; own user EACCES; seccomp filter ENOENT", "ENOENT")
def asks_for_the_size_of_the_reference(target):
    """Read the size and the time of the reference without opening it."""
    return attempt(os.stat, target["reference"])


@attack("R48", "pid namespace ESRCH; seccomp filter EPERM", "EPERM")
def asks_for_the_graders_session(target):
    """Ask for the session of a process of the grader's user."""
    return attempt(os.getsid, target["grader"])


@attack("R51", "pid namespace EINVAL; seccomp filter EPERM", "EPERM")
def reads_the_graders_computing_time(target):
    """Read the computing time of a process of the grader's user, from the clock that each process has."""
    return attempt(time.clock_gettime, ~target["grader"] << 3 | 2)
