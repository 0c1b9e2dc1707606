"""Layers: takes a freshly forked worker's powers away, one small step at a time, and says which steps held.

Run by the worker, with the zygote's rights, before any student byte is compiled. Trusts the kernel only: each step is
read back from the kernel and reported as it is, never as it was asked for. Landlock, seccomp and namespaces have
their place at the end of `enter`, after the uid is gone; they are not built yet and are not claimed.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal

from autograder.sandbox import limits as limit
from autograder.sandbox.limits import Limits

_PR_SET_PDEATHSIG, _PR_GET_PDEATHSIG = 1, 2
_PR_SET_DUMPABLE, _PR_GET_DUMPABLE = 4, 3
_PR_SET_NO_NEW_PRIVS, _PR_GET_NO_NEW_PRIVS = 38, 39

LayerReport = tuple[str, bool, str]


def enter(limits: Limits, *, uid: int | None, zygote_pid: int) -> list[LayerReport]:
    """Enter every layer; `uid` is the user of its own that this worker gets, None where the grader is not root."""
    os.setsid()
    reports = [
        ("separate process", True, ""),
        _limit_resources(limits, has_own_uid=uid is not None),
        _drop_uid(uid),
        _die_with_zygote(zygote_pid),
        _forbid_dumping(),
        _forbid_new_privileges(),
    ]
    return reports


def _limit_resources(limits: Limits, *, has_own_uid: bool) -> LayerReport:
    wanted = {
        resource.RLIMIT_CPU: (limits.cpu_s, limits.cpu_s + 1),
        resource.RLIMIT_AS: (limits.address_space_bytes, limits.address_space_bytes),
        resource.RLIMIT_NOFILE: (limits.open_files, limits.open_files),
        resource.RLIMIT_FSIZE: (limit.FILE_SIZE_BYTES, limit.FILE_SIZE_BYTES),
        resource.RLIMIT_CORE: (limit.CORE_BYTES, limit.CORE_BYTES),
    }
    if has_own_uid:
        wanted[resource.RLIMIT_NPROC] = (limits.processes, limits.processes)
    for kind, pair in wanted.items():
        resource.setrlimit(kind, pair)
    held = all(resource.getrlimit(kind) == pair for kind, pair in wanted.items())
    return ("resource limits", held, "" if held else "the kernel kept other limits")


def _drop_uid(uid: int | None) -> LayerReport:
    if uid is None:
        return ("own user", False, "the grader does not run as root")
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    held = os.getresuid() == (uid, uid, uid) and os.getresgid() == (uid, uid, uid) and not os.getgroups()
    return ("own user", held, "" if held else "the kernel kept another user")


def _die_with_zygote(zygote_pid: int) -> LayerReport:
    # After the change of uid, which clears it; the zygote may have died before this line, hence the look at the parent.
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != zygote_pid:
        os._exit(1)
    now = ctypes.c_int(0)
    ctypes.CDLL(None).prctl(_PR_GET_PDEATHSIG, ctypes.byref(now), 0, 0, 0)
    held = now.value == signal.SIGKILL
    return (
        "ends with the grader",
        held,
        "" if held else "PR_SET_PDEATHSIG had no effect",
    )


def _forbid_dumping() -> LayerReport:
    _prctl(_PR_SET_DUMPABLE, 0)
    held = _prctl(_PR_GET_DUMPABLE) == 0
    return (
        "memory closed to others",
        held,
        "" if held else "PR_SET_DUMPABLE had no effect",
    )


def _forbid_new_privileges() -> LayerReport:
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    held = _prctl(_PR_GET_NO_NEW_PRIVS) == 1
    return (
        "no new privileges",
        held,
        "" if held else "PR_SET_NO_NEW_PRIVS had no effect",
    )


def _prctl(option: int, argument: int = 0) -> int:
    return int(ctypes.CDLL(None).prctl(option, argument, 0, 0, 0))
