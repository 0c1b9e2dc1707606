"""Layers: the names of what stands between student code and the machine, and what is said of each.

Run by the grader, the zygote and workers alike. Nothing is trusted: a layer is reported as the kernel showed it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple


class Layer(str, Enum):
    """Every layer, in the order in which it is entered."""

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
    """Whether a layer is in force; the reason where it is not, else what it covers or nothing."""

    name: str
    is_active: bool
    reason: str


class LayerMissing(Exception):
    """A layer could not be entered or did not hold; the text is the reason."""


SWITCHED_OFF = "left out on purpose"


def as_mask(layers: Iterable[Layer]) -> int:
    """The layers as one number, for the zygote's request."""
    return sum(1 << list(Layer).index(layer) for layer in set(layers))


def from_mask(mask: int) -> frozenset[Layer]:
    """The layers of such a number."""
    return frozenset(layer for position, layer in enumerate(Layer) if mask >> position & 1)
