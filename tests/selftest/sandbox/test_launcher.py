"""Zygotes are isolated from each other, and none is left running."""

import os
import signal
from collections.abc import Iterator

import pytest

from autograder.sandbox.host.client import SandboxError, Worker, Zygote
from autograder.sandbox.host.launcher import Launcher
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol.layers import Layer
from tests.selftest.support.grader_process import is_worker, list_descendants, wait_for

pytestmark = pytest.mark.slow

_NAMESPACES = ("pid", "net", "ipc", "mnt")


def spawned(zygote: Zygote) -> Worker:
    """Start a worker of the zygote."""
    return zygote.spawn(Limits(), preload=())


def find_confined() -> set[int]:
    """Return the workers below this process; zygotes do not confine themselves."""
    return {pid for pid in list_descendants(os.getpid()) if is_worker(pid)}


def read_namespaces(pid: int) -> tuple[str, ...]:
    """Return the namespaces of a process."""
    return tuple(os.readlink(f"/proc/{pid}/ns/{kind}") for kind in _NAMESPACES)


@pytest.fixture
def pair() -> Iterator[tuple[Zygote, Zygote]]:
    """Yield two zygotes."""
    with Zygote() as first, Zygote() as second:
        yield first, second


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look at the namespaces of others")
def test_a_worker_of_one_shares_no_namespace_and_no_user_with_a_worker_of_the_other(
    pair: tuple[Zygote, Zygote],
) -> None:
    before = find_confined()
    workers = []
    pids = []
    for zygote in pair:
        workers.append(spawned(zygote))
        pids += find_confined() - before - set(pids)
    entered = {report.name for report in workers[0].layers if report.is_active}
    first, second = map(read_namespaces, pids)
    if {Layer.PID_NAMESPACE.value, Layer.MOUNT_NAMESPACE.value} <= entered:
        assert not set(first) & set(second)
    uids = {zygote._uid for zygote in pair}
    assert len(uids) == 2 or uids == {None}
    for worker in workers:
        worker.close()


def test_no_process_is_left() -> None:
    before = set(list_descendants(os.getpid()))
    with Launcher() as launcher:
        worker = spawned(Zygote(launcher))
    worker.connection.close()
    assert set(list_descendants(os.getpid())) <= before


def test_one_whose_processes_are_killed_is_ours_to_tell_and_the_other_goes_on(pair: tuple[Zygote, Zygote]) -> None:
    first, second = pair
    spawned(first).close()
    spawned(second).close()
    _kill_all_below(first._process.pid)
    with pytest.raises(SandboxError, match=r"the zygote ended|does not answer"):
        spawned(first)
    spawned(second).close()


def _kill_all_below(pid: int) -> None:
    for each in list_descendants(pid):
        os.kill(each, signal.SIGKILL)
    wait_for(lambda: not list_descendants(pid))
