"""Layers: names the barriers between student code and the machine, and reports which of them are active.

Run by the grader, the zygote and workers, with the rights of each. Trusts no request: a layer is reported as read back
from the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple


class Layer(str, Enum):
    """Every layer, in the order in which a worker enters them."""

    PROCESS = "separate process"
    USER_NAMESPACE = "user namespace"
    PID_NAMESPACE = "pid namespace"
    NETWORK_NAMESPACE = "network namespace"
    IPC_NAMESPACE = "ipc namespace"
    MOUNT_NAMESPACE = "read-only mounts"
    LIMITS = "resource limits"
    EMPTY_ROOT = "empty root folder"
    OWN_USER = "own user"
    NO_CAPABILITIES = "no capabilities"
    ENDS_WITH_GRADER = "ends with the grader"
    CLOSED_MEMORY = "memory closed to others"
    NO_NEW_PRIVILEGES = "no new privileges"
    LANDLOCK = "Landlock"
    SECCOMP = "seccomp filter"


class LayerReport(NamedTuple):
    """Whether a layer is active; if not, the reason; else the coverage, where it varies, or an empty text."""

    name: str
    is_active: bool
    reason: str = ""


class LayerMissing(Exception):
    """A layer could not be entered or had no effect; the text is the reason."""


SWITCHED_OFF = "left out on purpose"
SELF_CHECK = "self-check"  # reported like a layer: whether all layers together stopped every attack
OPEN_FILES = "does not close files that every user may read"

# Of each group one has to be effective: the last two are barriers before files and before the network.
_INDISPENSABLE = (
    (Layer.PROCESS.value,),
    (Layer.LIMITS.value,),
    (Layer.SECCOMP.value,),
    (SELF_CHECK,),
    (Layer.OWN_USER.value, Layer.EMPTY_ROOT.value, Layer.LANDLOCK.value),
    (Layer.NETWORK_NAMESPACE.value, Layer.SECCOMP.value),
)


def list_missing_for_strict(reports: Iterable[LayerReport]) -> tuple[str, ...]:
    """List the indispensable layers that are not effective, each with its reason."""
    by_name = {report.name: report for report in reports}
    missing = []
    for names in _INDISPENSABLE:
        if not any(_is_effective(name, by_name) for name in names):
            missing.append(" or ".join(_describe_layer(name, by_name) for name in names))
    return tuple(missing)


def describe_check(reports: Iterable[LayerReport]) -> str:
    """Say what reports of layers rest on: attacks that were tried, or what each worker reads back from the kernel."""
    was_tried = any(report.name == SELF_CHECK for report in reports)
    return "tested by attack" if was_tried else "read back"


def explain_error(error: Exception) -> str:
    """Say why a step failed, without the errno that Python adds."""
    return str(getattr(error, "strerror", None) or error)


def combine_reports(checked: Iterable[LayerReport], seen: Iterable[LayerReport]) -> tuple[LayerReport, ...]:
    """Combine the reports of the self-check with the reports of later workers.

    A later worker's report counts if its layer is inactive, or if the self-check has no report of that layer.
    """
    by_name = {report.name: report for report in checked}
    for report in seen:
        if not report.is_active or report.name not in by_name:
            by_name[report.name] = report
    return tuple(by_name.values())


def _is_effective(name: str, by_name: Mapping[str, LayerReport]) -> bool:
    return name in by_name and by_name[name].is_active and by_name[name].reason != OPEN_FILES


def _describe_layer(name: str, by_name: Mapping[str, LayerReport]) -> str:
    reason = by_name[name].reason if name in by_name else "not tried"
    return f"{name} ({reason})" if reason else name


def join_layers(layers: Iterable[Layer]) -> str:
    """Join the names of layers, for the zygote."""
    return ",".join(sorted(layer.value for layer in layers))


def split_layers(names: str) -> frozenset[Layer]:
    """Split joined names of layers."""
    return frozenset(Layer(name) for name in names.split(",") if name)
