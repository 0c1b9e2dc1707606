"""Self-check: tries the attacks in real workers and reports which layers stopped them.

Run by the grader before student code, with its rights. Trusts the zygote; the workers run only the attacks below. That
a set-up call succeeded is not enough: one worker has all layers and must stop every attack; in each of the others, the
attacks must fail with the error of the layer under test.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from autograder.sandbox.host.client import SandboxError, Worker, Zygote
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.layers import OPEN_FILES, SELF_CHECK, Layer, LayerReport, list_missing_for_strict

_DEADLINE_S = 10.0
_PRELOAD = ("errno", "mmap", "os", "signal", "socket")
# Layers that a worker may lack while another layer is tested. Without the rest it could not enter Landlock or seccomp,
# or would outlive a crash of the grader.
_OPTIONAL = frozenset(
    {Layer.LIMITS, Layer.EMPTY_ROOT, Layer.OWN_USER, Layer.NO_CAPABILITIES, Layer.LANDLOCK, Layer.SECCOMP}
)


class WeakSandboxError(SandboxError):
    """An indispensable layer is not available on this machine; no submission was graded."""


class Attack(str, Enum):
    """Each attack in the words of the report; its name is the name of the function below."""

    READ = "read a file of the grader"
    CREATE = "make a file in the results folder"
    OVERWRITE = "open a file of the results folder for writing"
    CONNECT = "connect to the network"
    START = "start a process"
    SIGNAL = "signal the grader"
    ALLOCATE = "take 3 GiB of memory"
    BECOME_ROOT = "become root"


# What a worker loads, like a submission. A stopped attack returns the name of the error; the attacks read and write no
# data: they only open a file and create an empty one.
_SOURCE = """
import errno, mmap, os, signal, socket

def attack(name, source, bait, new, port, pid):
    try:
        globals()[name](source, bait, new, port, pid)
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
"""


@dataclass(frozen=True)
class Targets:
    """The targets of the attacks: a file that students may not read, a folder that they may not write to."""

    source: Path
    folder: Path


_Errors = Mapping[Attack, tuple[str, ...]]


def _expect_write_errors(*errors: str) -> _Errors:
    return {Attack.CREATE: errors, Attack.OVERWRITE: errors}


# Of each worker the optional layers, and for each layer under test the errors that only this layer causes. An empty
# text among the errors means that the attack may succeed.
_PROBES: Sequence[tuple[frozenset[Layer], Mapping[Layer, _Errors]]] = (
    (
        _OPTIONAL,
        {
            Layer.LIMITS: {Attack.ALLOCATE: ("ENOMEM",)},
            Layer.SECCOMP: {Attack.START: ("EPERM",), Attack.CONNECT: ("EPERM",), **_expect_write_errors("EPERM")},
        },
    ),
    (
        frozenset({Layer.EMPTY_ROOT}),
        {
            Layer.EMPTY_ROOT: {Attack.READ: ("ENOENT",), **_expect_write_errors("ENOENT")},
            Layer.NETWORK_NAMESPACE: {Attack.CONNECT: ("ENETUNREACH", "EADDRNOTAVAIL", "ECONNREFUSED")},
            Layer.PID_NAMESPACE: {Attack.SIGNAL: ("ESRCH", "missed")},
        },
    ),
    (
        frozenset({Layer.LANDLOCK}),
        {
            Layer.LANDLOCK: {Attack.READ: ("EACCES",), **_expect_write_errors("EACCES", "EROFS")},
            Layer.MOUNT_NAMESPACE: _expect_write_errors("EROFS"),
        },
    ),
    (
        frozenset({Layer.OWN_USER}),
        {
            Layer.OWN_USER: {
                Attack.READ: ("EACCES", ""),
                Attack.OVERWRITE: ("EACCES",),
                Attack.BECOME_ROOT: ("EPERM",),
                Attack.SIGNAL: ("EPERM", "ESRCH", "missed"),
            }
        },
    ),
)


def run_self_check(zygote: Zygote, targets: Targets) -> tuple[LayerReport, ...]:
    """Report every layer: active if the kernel says so and its attacks failed. The last report is on all together.

    SandboxError if the attacks could not be tried.
    """
    with socket.create_server(("127.0.0.1", 0)) as server, _hold_signal_back():
        port: int = server.getsockname()[1]
        everything, results = _try(zygote, _OPTIONAL, targets, port)
        through = ", ".join(attack.value for attack in Attack if not results[attack])
        reports = {report.name: report for report in everything}
        for layers, errors_by_layer in _PROBES:
            tested = [layer for layer in errors_by_layer if _is_active(layer, reports)]
            if tested and layers != _OPTIONAL:
                _, results = _try(zygote, layers, targets, port)
            for layer in tested:  # one that did not stop its attacks is marked as inactive
                reports[layer] = _judge_layer(reports[layer], errors_by_layer[layer], results)
    together = LayerReport(SELF_CHECK, not through, f"not stopped: {through}" if through else "all stopped")
    return (*reports.values(), together)


def require_strength(reports: Iterable[LayerReport]) -> None:
    """Raise WeakSandboxError, with the names of the missing layers, unless all indispensable layers are effective."""
    missing = list_missing_for_strict(reports)
    if missing:
        raise WeakSandboxError(f"--strict, and this machine lacks {'; '.join(missing)}")


def _is_active(layer: Layer, reports: Mapping[str, LayerReport]) -> bool:
    return layer in reports and reports[layer].is_active


def _judge_layer(report: LayerReport, errors: _Errors, results: Mapping[Attack, str]) -> LayerReport:
    for attack, stopping in errors.items():
        if results[attack] not in stopping:
            how = f"ended with {results[attack]}" if results[attack] else "succeeded"
            return report._replace(is_active=False, reason=f"tried: {attack.value} {how}")
    if report.name == Layer.OWN_USER and not results[Attack.READ]:
        return report._replace(reason=OPEN_FILES)
    return report


def _try(
    zygote: Zygote, layers: frozenset[Layer], targets: Targets, port: int
) -> tuple[Sequence[LayerReport], dict[Attack, str]]:
    """Try the attacks in one worker; return its layers, and the error that stopped each attack, or an empty text."""
    worker = zygote.spawn(Limits(), preload=_PRELOAD, without=_OPTIONAL - layers)
    with contextlib.ExitStack() as trying:
        trying.callback(worker.close)
        bait, new = trying.enter_context(_create_bait(targets.folder))
        named = [(attack.name, str(targets.source), bait, new, port, os.getpid()) for attack in Attack]
        ended = _request(worker, messages.EACH, _load_attack(worker), named)
    results = {attack: str(error) for attack, error in zip(Attack, ended, strict=True)}
    has_own_pids = _is_active(Layer.PID_NAMESPACE, {report.name: report for report in worker.layers})
    if not results[Attack.SIGNAL] and has_own_pids and not _take_signal():  # else another thread may have taken it
        results[Attack.SIGNAL] = "missed"
    return worker.layers, results


@contextlib.contextmanager
def _create_bait(folder: Path) -> Iterator[tuple[str, str]]:
    """Create a private file and an unused name; files of an earlier, interrupted run may still be in the folder."""
    bait = folder / f".self-check-{secrets.token_hex(8)}"
    new = bait.with_suffix(".new")
    try:
        os.close(os.open(bait, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield str(bait), str(new)
    finally:
        bait.unlink(missing_ok=True)
        new.unlink(missing_ok=True)


def _load_attack(worker: Worker) -> object:
    _request(worker, messages.LOAD, {"attacks": ("attacks.py", _SOURCE, False)}, {}, False)
    _request(worker, messages.IMPORT, "attacks")
    return _request(worker, messages.FIND, "attacks", "attack")


def _request(worker: Worker, *request: object) -> Any:
    try:
        reply = worker.connection.exchange(request, deadline=time.monotonic() + _DEADLINE_S)
    except Ended as error:
        raise SandboxError(f"the self-check of the sandbox could not be run ({error})") from error
    if not messages.is_returned(reply):
        raise SandboxError(f"the self-check of the sandbox could not be run ({reply!r:.200})")
    return reply[1]


@contextlib.contextmanager
def _hold_signal_back() -> Iterator[None]:
    """Block the signal of the attacks, which no other program sends, so that it can be read later."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGURG})
    try:
        yield
    finally:
        _take_signal()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _take_signal() -> bool:
    return signal.sigtimedwait({signal.SIGURG}, 0) is not None
