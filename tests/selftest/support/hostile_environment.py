"""Place: where the attacks are fired: by which user, in a container or not, and which layers are to be had there."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from autograder.sandbox.isolation import landlock
from autograder.sandbox.protocol.layers import Layer
from tests.selftest.support.hostile_attack import ROOT, USER

OWNER = ROOT if os.getuid() == 0 else USER
IS_CONTAINER = os.stat("/proc/self/ns/pid").st_ino != 0xEFFFFFFC  # the number of the first process table of a machine
ENVIRONMENT = f"{OWNER}, {'container' if IS_CONTAINER else 'host'}"

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
# What a user has in a user namespace only; capabilities too, so that elsewhere there are none to be without.
_IN_USER_NAMESPACE = (NAMESPACES | {Layer.EMPTY_ROOT, Layer.NO_CAPABILITIES}) - {Layer.USER_NAMESPACE}
LAYERS: Mapping[str, frozenset[Layer]] = MappingProxyType(
    {
        "root, host": ALL - {Layer.USER_NAMESPACE},
        "root, container": ALL - NAMESPACES,
        "user, host": ALL - {Layer.OWN_USER},
        "user, container": ALL - NAMESPACES - {Layer.OWN_USER, Layer.EMPTY_ROOT},
    }
)

# What a container refuses by itself, so that it cannot be shown there that it is one of our layers that stops it. Each
# is shown on a host, where nothing is skipped. Seen with Docker 20.10 by taking its filter away (seccomp=unconfined):
# what is refused then too is refused for want of a capability. Later filters let some through, and then it is shown.
_FILTER = "Docker's filter refuses the call"
_CAPABILITY = "root has not this capability in a container"
_NAMESPACE = "Docker's filter refuses the user namespace in which alone a user has this capability"
_READ_ONLY = "/proc/sys is read-only in a container"
_REFUSED_TO_ALL = {
    **dict.fromkeys(("P15", "P17", "P23", "P39", "P61", "P68", "R17", "R23", "R28", "W32"), _FILTER),
    "P18": "Docker's filter answers, as ours does, that the kernel has no such call",
    "N6": _FILTER,  # since Docker 25
}
_OF_ADMINISTRATORS = ("P42", "P43", "P54", "P57", "R45")
REFUSED_IN_CONTAINERS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        ROOT: {
            **_REFUSED_TO_ALL,
            **dict.fromkeys((*_OF_ADMINISTRATORS, "P24", "P35", "P44", "P69", "P70"), _CAPABILITY),
            **dict.fromkeys(("R21", "R33", "R38", "W35"), _CAPABILITY),
            "W28": _READ_ONLY,
        },
        USER: {**_REFUSED_TO_ALL, **dict.fromkeys((*_OF_ADMINISTRATORS, "N11", "P22", "P72"), _NAMESPACE)},
    }
)


def refused_by_container(attack: str) -> str:
    """Why a container stops this attack whatever our layers do, or an empty text; `attack` is an id."""
    return REFUSED_IN_CONTAINERS[OWNER].get(attack, "") if IS_CONTAINER else ""


def needed_by(layer: Layer, owner: str) -> frozenset[Layer]:
    """The layers without which this one cannot be entered, or makes no difference."""
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
        landlock.read_version()
    except OSError as error:
        refused[Layer.LANDLOCK] = str(error.strerror)
    return MappingProxyType(refused)
