"""Landlock is entered on every kernel that has it, with all restrictions of that kernel."""

import subprocess
import sys

import pytest

from autograder.sandbox.isolation import drop_privileges
from tests.selftest.support.toy_assignment import PROJECT

RESTRICT = """
import os, socket, sys
from autograder.sandbox.isolation import drop_privileges, kernel
drop_privileges.read_landlock_version = lambda: int(sys.argv[1])
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
server = socket.create_server(("127.0.0.1", 0))
text = drop_privileges.restrict_by_landlock()
done = []
for name, attack in (
    ("files", lambda: os.open("/etc/passwd", os.O_RDONLY)),
    ("TCP", lambda: socket.socket().connect(server.getsockname())),
    ("signals", lambda: os.kill(os.getppid(), 0)),
):
    try:
        attack()
        done.append(name)
    except PermissionError:
        pass
print(text, done, sep="|")
"""


def has_landlock() -> bool:
    """Tell whether this kernel has the newest version used here."""
    try:
        return drop_privileges.read_landlock_version() >= 6
    except OSError:
        return False


@pytest.mark.skipif(not has_landlock(), reason="this kernel cannot stand for the others")
@pytest.mark.parametrize(
    ("version", "refused", "not_refused"),
    [
        (1, "files", ["TCP", "signals"]),
        (3, "files", ["TCP", "signals"]),
        (4, "files, TCP", ["signals"]),
        (5, "files, TCP", ["signals"]),
        (6, "files, TCP, signals, abstract sockets", []),
        (99, "files, TCP, signals, abstract sockets", []),
    ],
)
def test_a_kernel_of_that_version_refuses_what_it_can(version: int, refused: str, not_refused: list[str]) -> None:
    run = [sys.executable, "-c", RESTRICT, str(version)]
    shown = subprocess.run(run, capture_output=True, text=True, check=True, cwd=PROJECT, timeout=30).stdout
    text, done = shown.strip().split("|")
    assert text == f"version {version}: {refused}"
    assert done == str(not_refused)
