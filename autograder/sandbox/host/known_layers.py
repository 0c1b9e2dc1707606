"""Proof: which layers hold on this machine, tried by canary attacks and remembered until anything of it changes.

Run by the grader. What is remembered was written where no student code can write: only a proof that every indispensable
layer held is kept, in a folder and a file that are the grader's own and closed to all others, or it is not believed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.host.self_check import Targets, run_self_check
from autograder.sandbox.protocol.layers import LayerReport, list_missing_for_strict

_FILE_BYTES = 100_000
_FILES = 16  # containers that come and go, each with a proof of its own
_NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")
_STATUS_FIELDS = ("Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp")


class WeakSandboxError(SandboxError):
    """A layer that was asked for cannot be had on this machine; nobody was graded."""


def require_strength(reports: Iterable[LayerReport]) -> None:
    """WeakSandboxError, with the names of the missing layers, unless everything indispensable holds."""
    missing = list_missing_for_strict(reports)
    if missing:
        raise WeakSandboxError(f"--strict, and this machine lacks {'; '.join(missing)}")


def find_known_layers(zygote: Zygote, targets: Targets, *, memory: Path | None) -> tuple[LayerReport, ...]:
    """What `canary.run_self_check` says, or said before on this machine; `memory`: the folder that remembers, if any.

    SandboxError where the attacks could not be tried.
    """
    file = None if memory is None else memory / f"layers-{_fingerprint(targets)}.json"
    known = None if file is None else _read_cache(file)
    if known is not None:
        return known
    reports = run_self_check(zygote, targets)
    if file is not None and _is_worth_remembering(reports):
        with contextlib.suppress(OSError):  # a proof that is not remembered is made again
            _write_cache(file, reports)
    return reports


def _fingerprint(targets: Targets) -> str:
    """A number that changes with the kernel, the container, the user, Python, our code and the targets' permissions."""
    parts = [
        *os.uname(),
        _read_text("/proc/sys/kernel/random/boot_id"),
        *(_read_link(f"/proc/self/ns/{name}") for name in _NAMESPACES),
        *(line for line in _read_text("/proc/self/status").splitlines() if line.split(":")[0] in _STATUS_FIELDS),
        sys.version,
        sys.executable,
        np.__version__,
        *(_hash_file(path) for path in sorted(Path(__file__).parents[1].rglob("*.py"))),
        *_read_permissions(targets.source),
        *_read_permissions(targets.folder),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _read_text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        return str(error)


def _read_link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError as error:
        return str(error)


def _hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read_permissions(path: Path) -> Iterator[tuple[int, int, int]]:
    for each in (path, *path.resolve().parents):
        status = each.stat()
        yield status.st_mode, status.st_uid, status.st_gid


def _read_cache(file: Path) -> tuple[LayerReport, ...] | None:
    try:
        if not _is_ours_alone(os.lstat(file.parent)):
            return None
        with open(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), encoding="utf-8") as opened:
            status = os.fstat(opened.fileno())
            if not (_is_ours_alone(status) and stat.S_ISREG(status.st_mode) and status.st_nlink == 1):
                return None
            reports = [LayerReport(*fields) for fields in json.loads(opened.read(_FILE_BYTES))]
    except (OSError, ValueError, TypeError):
        return None
    return tuple(reports) if _is_worth_remembering(reports) else None


def _is_worth_remembering(reports: Iterable[LayerReport]) -> bool:
    # A layer that an attack went past, or that answered in another way than it should, is looked at again each time.
    reports = tuple(reports)
    return not list_missing_for_strict(reports) and not any(report.reason.startswith("tried") for report in reports)


def _is_ours_alone(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022 and not stat.S_ISLNK(status.st_mode)


def _write_cache(file: Path, reports: tuple[LayerReport, ...]) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
            json.dump(reports, opened)
        unfinished.replace(file)
        for old in sorted(file.parent.glob("layers-*.json"), key=lambda each: each.stat().st_mtime)[:-_FILES]:
            old.unlink(missing_ok=True)
    finally:
        unfinished.unlink(missing_ok=True)
