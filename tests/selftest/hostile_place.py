"""Place: where the attacks are fired: by which user, in a container or not, and which layers are to be had there."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from autograder.sandbox import landlock
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


@cache
def refused_by_machine() -> Mapping[Layer, str]:
    """The layers that the settings of this machine, or its kernel, refuse to everybody like us, with the reason.

    Some systems let only root have namespaces; found out without the code that is tested, by a program of the system.
    """
    refused: dict[Layer, str] = {}
    as_user = ("--user", "--map-root-user") if OWNER == USER else ()
    command = ["unshare", *as_user, "--mount", "--pid", "--net", "--ipc", "--fork", "true"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    if tried.returncode:
        reason = tried.stderr.strip()
        refused.update(dict.fromkeys(NAMESPACES | ({Layer.EMPTY_ROOT} if OWNER == USER else set()), reason))
    try:
        landlock.version()
    except OSError as error:
        refused[Layer.LANDLOCK] = str(error.strerror)
    return MappingProxyType(refused)
