"""Known layers: caches the result of the self-check until the machine, the code or a permission changes.

Run by the grader, with its rights. Trusts the cache only if its folder and file belong to the grader and are closed to
all other users, so that no student code can have written them. A result is cached only if every indispensable layer was
effective.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from autograder.atomic_file import read_private, remember
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.host.self_check import Targets, run_self_check
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol.layers import Layer, LayerReport, list_missing_for_strict

_FILE_BYTES = 100_000
_FILES = 16  # short-lived containers, each with a cache file of its own
_NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")
_STATUS_FIELDS = ("Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp")


class WeakSandboxError(SandboxError):
    """An indispensable layer is not available on this machine; no submission was graded."""


def require_strength(reports: Iterable[LayerReport]) -> None:
    """Raise WeakSandboxError, with the names of the missing layers, unless all indispensable layers are effective."""
    missing = list_missing_for_strict(reports)
    if missing:
        raise WeakSandboxError(f"--strict, and this machine lacks {'; '.join(missing)}")


def find_known_layers(zygote: Zygote, targets: Targets, *, memory: Path | None) -> tuple[LayerReport, ...]:
    """Return the reports of the self-check, cached or new; `memory`: the folder of the cache, if any.

    SandboxError if the attacks could not be tried.
    """
    file = None if memory is None else memory / f"layers-{_fingerprint(targets)}.json"
    known = None if file is None else _read_cache(file)
    if known is not None:
        return known
    reports = run_self_check(zygote, targets)
    if file is not None and _may_be_cached(reports):
        remember(file, json.dumps(reports).encode(), keep=_FILES)
    return reports


def _fingerprint(targets: Targets) -> str:
    """Hash kernel, container, user, Python, our code and the targets' permissions; any change invalidates the cache."""
    parts = [
        *os.uname(),
        _read_fact("/proc/sys/kernel/random/boot_id"),
        *(_read_fact(f"/proc/self/ns/{name}") for name in _NAMESPACES),
        *(line for line in _read_fact("/proc/self/status").splitlines() if line.split(":")[0] in _STATUS_FIELDS),
        sys.version,
        sys.executable,
        np.__version__,
        *(hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(Path(__file__).parents[1].rglob("*.py"))),
        *_read_permissions(targets.source),
        *_read_permissions(targets.folder),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def has_own_pids(zygote: Zygote, known: Sequence[LayerReport]) -> bool:
    """Whether the workers of a zygote have process numbers of their own, by the `known` layers or by a worker."""
    reports = known
    if not any(report.name == Layer.PID_NAMESPACE.value for report in known):
        worker = zygote.spawn(Limits(), preload=())
        reports = worker.layers
        worker.close()
    return any(report.name == Layer.PID_NAMESPACE.value and report.is_active for report in reports)


def _read_fact(path: str) -> str:
    """Read a file, or where a link leads."""
    try:
        return os.readlink(path) if os.path.islink(path) else Path(path).read_text(encoding="utf-8")
    except OSError as error:
        return str(error)


def _read_permissions(path: Path) -> Iterator[tuple[int, int, int]]:
    for each in (path, *path.resolve().parents):
        status = each.stat()
        yield status.st_mode, status.st_uid, status.st_gid


def _read_cache(file: Path) -> tuple[LayerReport, ...] | None:
    try:
        found = read_private(file, _FILE_BYTES, is_link_refused=True)
        reports = [LayerReport(*fields) for fields in json.loads(found)]
    except (OSError, ValueError, TypeError):
        return None
    return tuple(reports) if _may_be_cached(reports) else None


def _may_be_cached(reports: Iterable[LayerReport]) -> bool:
    # A layer that did not stop its attack, or failed with another error than expected, is tested again in each run.
    reports = tuple(reports)
    return not list_missing_for_strict(reports) and not any(report.reason.startswith("tried") for report in reports)
