"""Launcher: starts the process of a zygote and ends it; `client` sends the requests in between.

Run by the grader, with its rights, at the start of a run, before the rest of the grader is imported: hence it imports
neither numpy nor a module that needs it. Trusts the kernel, and no output of the process, of
which it reads none.

As root it reserves a user id for the workers of its zygote that no other process on this machine has: two workers with
the same user id can kill each other and share one process count, even across containers. The id is drawn at random from
268 million unassigned ids, which separates containers that cannot see each other, and is locked against graders that
can.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import resource
import secrets
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder import ENGINE, GraderError
from autograder.machine import ONE_THREAD
from autograder.sandbox import limits as limit
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol.layers import Layer, join_layers

# Above the ids that systemd and containers assign, below the end of signed numbers. A container with fewer ids has its
# own process counts, and the id is drawn from the upper end of its range.
_FREE_UIDS = range(0x70000000, 0x7FFFFFF0)
_FEWER = 5000
_RESERVED_AT_END = 10  # `nobody`, and ids that mean "no id"
_TRIES = 100


class SandboxError(GraderError):
    """The sandbox itself failed: the grader's fault, never the student's."""


def require_limits(promised: Limits) -> Limits:
    """Return the limits of a worker; SandboxError if this process has less, and so could not give them to workers."""
    shortfall = describe_shortfall(promised)
    if shortfall:
        raise SandboxError(shortfall)
    return promised


class Launcher(contextlib.AbstractContextManager["Launcher"]):
    """The process of one zygote, its control socket and the user id of its workers; call `close`, or use `with`."""

    def __init__(
        self,
        *,
        libraries: Sequence[str] = (),
        without: frozenset[Layer] = frozenset(),
    ) -> None:
        """Start the process; SandboxError if that fails. `libraries`: modules to load besides numpy, for all workers.

        For tests only: `without`, the namespaces to leave out.
        """
        self.libraries = tuple(libraries)
        require_limits(limit.STANDARD)
        with contextlib.ExitStack() as opened, contextlib.ExitStack() as theirs:
            try:
                self.control, their_control = _open_control_sockets(opened, theirs)
                self.uid = claim_uid(opened)
                self.process = _start(their_control, libraries, without)
            except OSError as error:
                raise SandboxError(f"the zygote could not be started ({error})") from error
            self._opened = opened.pop_all()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self, *, within_s: float = limit.ZYGOTE_END_S) -> None:
        """End the process and all workers; kill it after `within_s` seconds. May be called again."""
        self.control.close()
        try:
            self.process.wait(timeout=within_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._opened.close()


def _open_control_sockets(
    ours: contextlib.ExitStack, theirs: contextlib.ExitStack
) -> tuple[socket.socket, socket.socket]:
    control, their_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.enter_context(control)
    theirs.enter_context(their_control)
    control.settimeout(limit.ZYGOTE_REPLY_S)
    return control, their_control


def _start(control: socket.socket, libraries: Sequence[str], without: frozenset[Layer]) -> subprocess.Popen[bytes]:
    script = Path(__file__).parents[1] / "isolation" / "zygote.py"
    command = [
        sys.executable,
        "-s",
        "-S",
        str(script),
        str(control.fileno()),
        str(ENGINE),
        _find_packages(),
        join_layers(without),
        ",".join(libraries),
    ]
    environment = {
        **ONE_THREAD,  # NPROC counts threads, too
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8:backslashreplace",
        "LC_ALL": "C.UTF-8",
    }
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        cwd="/",
        env=environment,
        pass_fds=(control.fileno(),),
        start_new_session=True,
    )


def _find_packages() -> str:
    """Find the folder of numpy without importing it."""
    numpy = importlib.util.find_spec("numpy")
    if numpy is None or numpy.origin is None:
        raise SandboxError("the zygote could not be started (numpy is not installed)")
    return str(Path(numpy.origin).resolve().parents[1])


def claim_uid(opened: contextlib.ExitStack) -> int | None:
    """Reserve a user id until `opened` is closed; None if none is available."""
    map_of_ids = Path("/proc/self/uid_map").read_text(encoding="ascii")
    free = find_free_uids(map_of_ids) if os.getuid() == 0 else range(0)
    for _ in range(_TRIES if free else 0):
        uid = secrets.choice(free)
        lock = opened.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        with contextlib.suppress(OSError):
            # An abstract name is a lock that the kernel releases however this process ends.
            lock.bind(f"\0autograder-worker-{uid}")
            return uid
    return None


def find_free_uids(map_of_ids: str) -> range:
    """Find the range of ids to draw from; `map_of_ids` as in /proc/self/uid_map."""
    ranges = []
    for line in map_of_ids.splitlines():
        first, _, count = map(int, line.split())
        ranges.append((first, count))
    if any(first <= _FREE_UIDS.start and _FREE_UIDS.stop <= first + count for first, count in ranges):
        return _FREE_UIDS
    first, count = max(ranges, key=lambda each: each[1])
    last = first + count - _RESERVED_AT_END
    return range(max(first + count // 2, last - _FEWER), last)


def describe_shortfall(promised: Limits = limit.STANDARD) -> str:
    """Say which limit of this process is lower than grading needs; empty text if none is.

    A worker can only lower its limits. With less than promised, a right solution could fail on this machine only.
    """
    memory = max(limit.GRADER_ADDRESS_SPACE_BYTES, promised.address_space_bytes)
    for kind, what, command, whose, needed in (
        (resource.RLIMIT_AS, "bytes of address space", "ulimit -v", "the grader needs", memory),
        (resource.RLIMIT_CPU, "seconds of computing time", "ulimit -t", "student code is promised", promised.cpu_s + 1),
        (resource.RLIMIT_NOFILE, "open files", "ulimit -n", "student code is promised", limit.OPEN_FILES),
    ):
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY and most < needed:
            return f"processes here have at most {most} {what} ({command}), and {whose} {needed}"
    return ""
