"""Privilege drop: drops the privileges of a freshly forked worker step by step, and reports which steps took effect.

Run by the worker, with the zygote's rights, before any student byte is compiled. Trusts only the kernel: the state
after each step is read back and reported as it is, not as requested. A step that this system does not allow is reported
with its reason; the grader decides whether the rest suffices.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass

from autograder.sandbox import limits as limit
from autograder.sandbox.isolation import kernel, seccomp
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol.layers import SWITCHED_OFF, Layer, LayerMissing, LayerReport, explain_error

_CAPABILITY_VERSION = 0x20080522
_CapabilityHeader = ctypes.c_uint32 * 2
_CapabilitySets = ctypes.c_uint32 * 6  # effective, permitted, inheritable; twice, for numbers above 31
# Of Landlock: the number of kinds of file access of each version, counted from the lowest bit.
_FILE_ACCESSES = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_VERSION_FLAG = 1
_TCP_SINCE, _BIND_TCP, _CONNECT_TCP = 4, 1, 2
_SCOPES_SINCE, _ABSTRACT_SOCKETS, _SIGNALS = 6, 1, 2


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


@dataclass(frozen=True)
class ZygoteState:
    """The state that the zygote prepares once for all of its workers.

    `reports`: the layers that the zygote itself has entered. `libraries`: the packages that the assignment declares;
    `library_bytes`: the address space that they take, which a worker may have beyond its limit. `no_filter`,
    `no_empty_root`: the reason if there is none, else "".
    """

    zygote_pid: int
    reports: tuple[LayerReport, ...]
    no_empty_root: str = ""
    filter_parts: tuple[bytes, ...] = ()
    no_filter: str = ""
    library_bytes: int = 0
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True)
class WorkerSpec:
    """The grader's request for one worker: its limits, its own user id or None, and layers to leave out.

    Layers are left out to test the others, and to show the effect of each attack without them; never for student code.
    """

    limits: Limits
    uid: int | None
    without: frozenset[Layer] = frozenset()


def enter(state: ZygoteState, spec: WorkerSpec) -> list[LayerReport]:
    """Enter every layer that this system allows; return the reports in the order of entry."""
    os.setsid()
    steps: tuple[tuple[Layer, Callable[[], str]], ...] = (
        (Layer.LIMITS, lambda: _limit_resources(spec, state.library_bytes)),
        (Layer.EMPTY_ROOT, lambda: _enter_empty_root(state)),
        (Layer.OWN_USER, lambda: _drop_user(spec.uid)),
        (Layer.NO_CAPABILITIES, _drop_capabilities),
        (Layer.ENDS_WITH_GRADER, lambda: _set_parent_death_signal(state.zygote_pid)),
        (Layer.CLOSED_MEMORY, lambda: _set_process_flag("DUMPABLE", 0)),
        (Layer.NO_NEW_PRIVILEGES, lambda: _set_process_flag("NO_NEW_PRIVS", 1)),
        (Layer.LANDLOCK, restrict_by_landlock),
        (Layer.SECCOMP, lambda: _filter_calls(state)),
    )
    process = LayerReport(Layer.PROCESS.value, True, "")
    return [process, *state.reports, *(_run_step(layer, step, spec.without) for layer, step in steps)]


def _run_step(layer: Layer, step: Callable[[], str], without: frozenset[Layer]) -> LayerReport:
    if layer in without:
        return LayerReport(layer.value, False, SWITCHED_OFF)
    try:
        return LayerReport(layer.value, True, step())
    except (OSError, ValueError, LayerMissing) as error:
        return LayerReport(layer.value, False, explain_error(error))


def _limit_resources(spec: WorkerSpec, library_bytes: int) -> str:
    limits = spec.limits
    address_space = limits.address_space_bytes + library_bytes
    has_own_uid = spec.uid is not None and Layer.OWN_USER not in spec.without
    processes = limit.PROCESSES if has_own_uid else limit.PROCESSES_OF_USER
    wanted = {
        resource.RLIMIT_CPU: (limits.cpu_s, limits.cpu_s + 1),
        resource.RLIMIT_AS: (address_space, address_space),
        resource.RLIMIT_NOFILE: (limit.OPEN_FILES, limit.OPEN_FILES),
        resource.RLIMIT_FSIZE: (limit.FILE_SIZE_BYTES, limit.FILE_SIZE_BYTES),
        resource.RLIMIT_CORE: (limit.CORE_BYTES, limit.CORE_BYTES),
        resource.RLIMIT_NPROC: (processes, processes),
        resource.RLIMIT_SIGPENDING: (limit.SIGNALS, limit.SIGNALS),
    }
    for kind, (soft, hard) in wanted.items():
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:  # with which the grader was started
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))
        if resource.getrlimit(kind) != (soft, hard):
            raise LayerMissing("the kernel kept wider limits")
    return ""


def _enter_empty_root(state: ZygoteState) -> str:
    if state.no_empty_root:
        raise LayerMissing(state.no_empty_root)
    here = os.stat(".")
    if here.st_nlink != 0:
        raise LayerMissing("the current folder is not a removed one")
    os.chroot(".")
    if not os.path.samestat(os.stat("/"), here) or os.listdir("/"):
        raise LayerMissing("the root folder did not change")
    return ""


def _drop_user(uid: int | None) -> str:
    if uid is None:
        raise LayerMissing("only root can give a worker its own user")
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if os.getresuid() != (uid,) * 3 or os.getresgid() != (uid,) * 3 or os.getgroups():
        raise LayerMissing("the kernel kept another user")
    return ""


def _drop_capabilities() -> str:
    # The change of uid dropped root's capabilities; those of a user in a user namespace are still there.
    header, sets = _CapabilityHeader(_CAPABILITY_VERSION, 0), _CapabilitySets()
    kernel.invoke_syscall("capset", header, sets)
    kernel.invoke_syscall("capget", header, sets)
    if any(sets):
        raise LayerMissing("the kernel kept capabilities")
    return ""


def _set_parent_death_signal(zygote_pid: int) -> str:
    kernel.end_with_parent(zygote_pid)  # after the change of uid, which clears it
    now = ctypes.c_int(0)
    kernel.prctl(kernel.PR_GET_PDEATHSIG, ctypes.byref(now))
    if now.value != signal.SIGKILL:
        raise LayerMissing("PR_SET_PDEATHSIG had no effect")
    return ""


def _set_process_flag(name: str, value: int) -> str:
    kernel.prctl(getattr(kernel, f"PR_SET_{name}"), value)
    if kernel.prctl(getattr(kernel, f"PR_GET_{name}")) != value:
        raise LayerMissing(f"PR_SET_{name} had no effect")
    return ""


def read_landlock_version() -> int:
    """Read the kernel's Landlock version; OSError if it has none."""
    return kernel.invoke_syscall("landlock_create_ruleset", None, 0, _VERSION_FLAG)


def restrict_by_landlock() -> str:
    """Forbid to open files, use TCP ports, signal other processes and connect to abstract sockets, irreversibly.

    No rule is ever added: all that a worker needs is loaded before, so nothing is granted. An older kernel forbids
    less; return the coverage. Needs "no new privileges".
    """
    known = read_landlock_version()
    rules = _Ruleset(files=(1 << _FILE_ACCESSES.get(known, max(_FILE_ACCESSES.values()))) - 1)
    coverage, size = ["files"], 8  # of the fields that the kernel knows: it rejects newer ones
    if known >= _TCP_SINCE:
        rules.tcp = _BIND_TCP | _CONNECT_TCP
        coverage, size = [*coverage, "TCP"], 16
    if known >= _SCOPES_SINCE:
        rules.scopes = _ABSTRACT_SOCKETS | _SIGNALS
        coverage, size = [*coverage, "signals", "abstract sockets"], 24
    ruleset = kernel.invoke_syscall("landlock_create_ruleset", ctypes.byref(rules), size, 0)
    try:
        kernel.invoke_syscall("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)
    return f"version {known}: {', '.join(coverage)}"


def _filter_calls(state: ZygoteState) -> str:
    if state.no_filter:
        raise LayerMissing(state.no_filter)
    seccomp.load_filter(state.filter_parts)
    if not seccomp.is_loaded():
        raise LayerMissing("the kernel took the filter and does not use it")
    return ""
