"""Environment: finds the user that runs the attacks, whether in a container, and the layers available there."""

import os
import subprocess
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from autograder.sandbox.isolation import drop_privileges
from autograder.sandbox.protocol.layers import Layer
from tests.selftest.support.hostile_attack import ROOT, USER

OWNER = ROOT if os.getuid() == 0 else USER
IS_CONTAINER = os.stat("/proc/self/ns/pid").st_ino != 0xEFFFFFFC  # the inode of a machine's initial pid namespace
ENVIRONMENT = f"{OWNER}, {'container' if IS_CONTAINER else 'host'}"

ALL = frozenset(Layer) - {Layer.PROCESS}
NAMESPACES = frozenset(layer for layer in Layer if layer.name.endswith("_NAMESPACE"))
# Layers that a user has only in a user namespace; elsewhere a user has no capabilities to drop.
_IN_USER_NAMESPACE = (NAMESPACES | {Layer.EMPTY_ROOT, Layer.NO_CAPABILITIES}) - {Layer.USER_NAMESPACE}
LAYERS: Mapping[str, frozenset[Layer]] = MappingProxyType(
    {
        "root, host": ALL - {Layer.USER_NAMESPACE},
        "root, container": ALL - NAMESPACES,
        "user, host": ALL - {Layer.OWN_USER},
        "user, container": ALL - NAMESPACES - {Layer.OWN_USER, Layer.EMPTY_ROOT},
    }
)

# Attacks that a container itself refuses, so that its tests cannot show that our layers stop them. Each is tested on a
# host, where nothing is skipped. Found with Docker 20.10 without its filter (seccomp=unconfined): attacks still refused
# then lack a capability. Later filters allow some of them, and then the tests run.
_FILTER = "Docker's filter refuses the call"
_CAPABILITY = "root has not this capability in a container"
_NAMESPACE = "Docker's filter refuses the user namespace in which alone a user has this capability"
_REFUSED_TO_ALL = {
    **dict.fromkeys(("P15", "P17", "P23", "R17", "W32"), _FILTER),
    "P18": "Docker's filter answers, as ours does, that the kernel has no such call",
    "N6": _FILTER,  # since Docker 25
}
REFUSED_IN_CONTAINERS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        ROOT: {**_REFUSED_TO_ALL, **dict.fromkeys(("P24", "P35", "P42", "R21"), _CAPABILITY)},
        USER: {**_REFUSED_TO_ALL, **dict.fromkeys(("N11", "P22", "P42"), _NAMESPACE)},
    }
)


def explain_container_refusal(attack: str) -> str:
    """Say why a container stops this attack without our layers, or return an empty text; `attack` is an id."""
    return REFUSED_IN_CONTAINERS[OWNER].get(attack, "") if IS_CONTAINER else ""


def find_needed_layers(layer: Layer, owner: str) -> frozenset[Layer]:
    """Return the layers without which this layer cannot be entered or has no effect."""
    if layer in (Layer.LANDLOCK, Layer.SECCOMP):
        return frozenset({Layer.NO_NEW_PRIVILEGES})
    return frozenset({Layer.USER_NAMESPACE} if owner == USER and layer in _IN_USER_NAMESPACE else ())


@cache
def find_refused_layers() -> Mapping[Layer, str]:
    """Find the layers that this machine's settings or kernel refuse to our user, each with the reason.

    Some systems allow namespaces only to root. This uses a program of the system, not the code under test.
    """
    refused: dict[Layer, str] = {}
    as_user = ("--user", "--map-root-user") if OWNER == USER else ()
    command = ["unshare", *as_user, "--mount", "--pid", "--net", "--ipc", "--fork", "true"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    if tried.returncode:
        reason = tried.stderr.strip()
        refused.update(dict.fromkeys(NAMESPACES | ({Layer.EMPTY_ROOT} if OWNER == USER else set()), reason))
    try:
        drop_privileges.read_landlock_version()
    except OSError as error:
        refused[Layer.LANDLOCK] = str(error.strerror)
    return MappingProxyType(refused)
