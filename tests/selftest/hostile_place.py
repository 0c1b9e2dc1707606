"""Place: where the attacks are fired: by which user, in a container or not, and which layers are to be had there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType

from autograder.sandbox.layers import Layer
from tests.selftest.hostile_attack import ROOT, USER

OWNER = ROOT if os.getuid() == 0 else USER
IS_CONTAINER = os.stat("/proc/self/ns/pid").st_ino != 0xEFFFFFFC  # the number of the first process table of a machine
PLACE = f"{OWNER}, {'container' if IS_CONTAINER else 'host'}"

ALL = frozenset(Layer) - {Layer.PROCESS}
NAMESPACES = frozenset(
    {
        Layer.USER_NAMESPACE,
        Layer.PID_NAMESPACE,
        Layer.NETWORK_NAMESPACE,
        Layer.IPC_NAMESPACE,
        Layer.MOUNT_NAMESPACE,
    }
)
_IN_USER_NAMESPACE = (NAMESPACES | {Layer.EMPTY_ROOT}) - {Layer.USER_NAMESPACE}
LAYERS: Mapping[str, frozenset[Layer]] = MappingProxyType(
    {
        "root, host": ALL - {Layer.USER_NAMESPACE},
        "root, container": ALL - NAMESPACES,
        "user, host": ALL - {Layer.OWN_USER},
        "user, container": ALL - NAMESPACES - {Layer.OWN_USER, Layer.EMPTY_ROOT},
    }
)


def needed_by(layer: Layer, owner: str) -> frozenset[Layer]:
    """The layers without which this one cannot be entered."""
    if layer in (Layer.LANDLOCK, Layer.SECCOMP):
        return frozenset({Layer.NO_NEW_PRIVILEGES})
    return frozenset({Layer.USER_NAMESPACE} if owner == USER and layer in _IN_USER_NAMESPACE else ())
