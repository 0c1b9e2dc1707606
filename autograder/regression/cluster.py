"""Cluster: runs the grader processes on the workers of a Dask scheduler.

Every worker must find the grader and the assignment at the same paths. If a worker dies, Dask gives its submission to
another worker. If a grader process dies, its worker replaces it, as on one machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from distributed import Client, WorkerPlugin, get_worker
from distributed.comm.core import connect
from distributed.security import Security

from autograder import ENGINE
from autograder.assignment import load_assignment
from autograder.grading.identity import identify_grader
from autograder.regression.graders import GraderPool, Graders, GraderSettings, Reply, RunError
from autograder.regression.roster import PackedSubmission

_PLUGIN = "nlp-autograder-graders"
_CONNECT_S = 30
_ANSWER_S = 5  # a scheduler that accepts no connection in this time, or answers none in twice the time, is not there


class WorkerGraders(WorkerPlugin):  # type: ignore[misc]  # distributed is not annotated
    """The grader processes of one worker, for the duration of the run."""

    name = _PLUGIN

    def __init__(self, settings: GraderSettings) -> None:
        self.settings = settings
        self.pool: GraderPool | None = None

    def setup(self, worker: Any) -> None:
        """Start the pool; Dask calls this on each worker, including those that join later."""
        self.pool = GraderPool(replace(self.settings, folder=worker.local_directory))

    def teardown(self, worker: Any) -> None:
        """Close the pool; Dask calls this when the run or the worker ends."""
        if self.pool is not None:
            self.pool.close()


def grade_on_worker(packed: PackedSubmission) -> Reply:
    """Grade a submission; Dask calls this on a worker."""
    return get_worker().plugins[_PLUGIN].pool.grade(packed)  # type: ignore[no-any-return]


def hash_grader(root: Path) -> str:
    """Return the hash of this machine's grader and assignment; a Dask worker that can call this finds the grader."""
    return identify_grader(load_assignment(root)).content_hash


@contextmanager
def open_cluster_graders(settings: GraderSettings, address: str) -> Iterator[Graders]:
    """Open graders on the workers of a scheduler; RunError if there is none, or no worker."""
    there = replace(settings, kept="")  # without folders of this machine
    with _connect(address) as client:
        try:
            client.wait_for_workers(1, timeout=_CONNECT_S)
        except TimeoutError as error:
            raise RunError(f"the scheduler at {address} has no workers") from error
        _require_same_grader(client, Path(settings.root))
        client.register_plugin(WorkerGraders(there))
        try:
            yield Graders(client.get_executor(pure=False), grade_on_worker, sum(client.nthreads().values()))
        finally:
            client.unregister_worker_plugin(_PLUGIN)


def _connect(address: str) -> Client:
    """Connect to a scheduler; RunError if there is none."""
    try:
        asyncio.run(_require_scheduler(address))
        return Client(address, timeout=_CONNECT_S, set_as_default=False)
    except Exception as error:  # another service may answer anything, which Dask takes for sizes and addresses
        told = str(error) if isinstance(error, (OSError, ValueError, TypeError)) else ""
        reason = f"{told}; write one such as tcp://host:8786" if told else "another service is, or one that is silent"
        raise RunError(f"there is no Dask scheduler at {address}: {reason}") from error


async def _require_scheduler(address: str) -> None:
    """Raise an error unless a scheduler answers soon; Dask's client waits for a silent service without end."""
    arguments = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    connecting = connect(address, timeout=_ANSWER_S, **arguments)  # type: ignore[no-untyped-call]
    connection = await asyncio.wait_for(connecting, 2 * _ANSWER_S)
    await connection.close()


def _require_same_grader(client: Any, root: Path) -> None:
    """Raise RunError unless the scheduler and all workers find this version of the grader and the assignment."""
    try:
        found = {*client.run(hash_grader, root).values(), client.submit(hash_grader, root, pure=False).result()}
    except Exception as error:  # Dask re-raises any exception of a worker
        advice = f"start the scheduler and the workers with PYTHONPATH={ENGINE}, on every machine"
        raise RunError(f"the cluster does not find this project ({error}); {advice}") from error
    if found != {hash_grader(root)}:
        raise RunError("the workers have another version of this project; the scores would not be comparable")
