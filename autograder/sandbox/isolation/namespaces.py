"""Namespaces: gives a zygote its own process table, network, IPC and mounts, which its workers inherit.

Run by the zygote's process at its start, with the grader's rights. Trusts the kernel. Namespaces are created once per
zygote, not per worker: a set costs about 3 ms, a fork inside costs nothing, and the workers of a zygote belong to one
submission at a time. The zygote is process 1 of its pid namespace: it reaps orphans, processes inside can signal it
only as it allows, it can kill all of them at once, and when it dies the kernel kills the rest. The pids that it reports
to the grader are those inside. A process that only waits stays outside, so that the grader can end the zygote like any
child. A user without root's rights first enters a user namespace, in which the other five are permitted.
"""

from __future__ import annotations

import ctypes
import os
import signal
from pathlib import Path

from autograder.sandbox.isolation import kernel
from autograder.sandbox.protocol.layers import SWITCHED_OFF, Layer, LayerReport, explain_error

_NEW_USER, _NEW_UTS = 0x10000000, 0x04000000


_KINDS = {  # the flag of each, and its name in /proc
    Layer.USER_NAMESPACE: (_NEW_USER, "user"),
    Layer.PID_NAMESPACE: (0x20000000, "pid"),
    Layer.NETWORK_NAMESPACE: (0x40000000, "net"),
    Layer.IPC_NAMESPACE: (0x08000000, "ipc"),
    Layer.MOUNT_NAMESPACE: (0x00020000, "mnt"),
}
_RECURSIVE, _PRIVATE = 0x4000, 1 << 18
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY_NO_SETUID = 1 | 2


def enter(without: frozenset[Layer], *, control: int) -> list[LayerReport]:
    """Enter the namespaces that this system allows, and return in a fork that is their first process.

    The calling process stays outside, closes `control`, waits, and exits with the fork's status.
    """
    wanted = [layer for layer in _KINDS if layer not in without and _is_applicable(layer)]
    if not wanted:
        return _build_reports({}, without)
    user, group = os.getuid(), os.getgid()
    before = {layer: _read_identity(layer) for layer in wanted}
    try:
        kernel.unshare(sum(_KINDS[layer][0] for layer in wanted) | _NEW_UTS)
        if Layer.USER_NAMESPACE in wanted:
            _keep_user(user, group)
    except OSError as error:
        return _build_reports(dict.fromkeys(wanted, explain_error(error)), without)
    if Layer.PID_NAMESPACE in wanted:
        _become_first_process(control)
    missing = {layer: "the kernel kept the old one" for layer in wanted if _read_identity(layer) == before[layer]}
    if Layer.MOUNT_NAMESPACE in wanted:
        missing.update(_make_mounts_read_only())
    return _build_reports(missing, without)


def _is_applicable(layer: Layer) -> bool:
    return layer is not Layer.USER_NAMESPACE or os.getuid() != 0


def _read_identity(layer: Layer) -> int:
    return os.stat(f"/proc/self/ns/{_KINDS[layer][1]}").st_ino


def _keep_user(user: int, group: int) -> None:
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")


def _become_first_process(control: int) -> None:
    pid = os.fork()
    if pid:
        kernel.exit_with_child(control)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def _make_mounts_read_only() -> dict[Layer, str]:
    attributes = (ctypes.c_uint64 * 4)(_READ_ONLY_NO_SETUID, 0, 0, 0)
    try:
        kernel.mount(b"none", b"/", _RECURSIVE | _PRIVATE)
        kernel.invoke_syscall("mount_setattr", _AT_FDCWD, b"/", _AT_RECURSIVE, attributes, 32)
    except OSError as error:
        return {Layer.MOUNT_NAMESPACE: explain_error(error)}
    is_read_only = os.statvfs("/").f_flag & os.ST_RDONLY
    return {} if is_read_only else {Layer.MOUNT_NAMESPACE: "the kernel left the files writable"}


def _build_reports(missing: dict[Layer, str], without: frozenset[Layer]) -> list[LayerReport]:
    missing = {**missing, **dict.fromkeys(without, SWITCHED_OFF)}
    layers = filter(_is_applicable, _KINDS)
    return [LayerReport(layer.value, layer not in missing, missing.get(layer, "")) for layer in layers]
