"""Cluster: runs the grader processes on the workers of a Dask scheduler.

Every worker must find the grader and the assignment at the same
paths. If a worker dies, Dask gives its submission to another worker. If a grader process dies, its worker replaces it,
as on one machine.
"""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from distributed import Client, WorkerPlugin, get_worker
from distributed.comm.core import connect

from autograder import ENGINE
from autograder.assignment import load_assignment
from autograder.grading.identity import identify_grader
from autograder.regression.executor import SubmissionExecutor
from autograder.regression.grader_pool import GraderPool, Job, Reply, RunError
from autograder.regression.request import RegressRequest

_PLUGIN = "nlp-autograder-graders"
_CONNECT_S = 30
_ANSWER_S = 5  # a scheduler that does not accept a connection, or answer one, in this time is not there
_PORT = 8786  # Dask's own
_SCHEMES = ("", "tcp", "tls")


class WorkerGraders(WorkerPlugin):  # type: ignore[misc]  # distributed is not annotated
    """The grader processes of one worker, for the duration of the run."""

    name = _PLUGIN

    def __init__(self, request: RegressRequest) -> None:
        self.request = request
        self.pool: GraderPool | None = None

    def setup(self, worker: Any) -> None:
        """Start the pool; Dask calls this on each worker, including those that join later."""
        self._folder = tempfile.TemporaryDirectory()
        request = replace(self.request, out=Path(self._folder.name))
        self.pool = GraderPool(request, load_assignment(request.root).libraries)

    def teardown(self, worker: Any) -> None:
        """Close the pool; Dask calls this when the run or the worker ends."""
        if self.pool is not None:
            self.pool.close()
            self._folder.cleanup()


def grade_on_worker(job: Job) -> Reply:
    """Grade a submission; Dask calls this on a worker."""
    return get_worker().plugins[_PLUGIN].pool.grade(job)  # type: ignore[no-any-return]


def hash_grader(root: Path) -> str:
    """Return the hash of this machine's grader and assignment; a Dask worker that can call this finds the grader."""
    return identify_grader(load_assignment(root)).content_hash


@contextmanager
def open_cluster_executor(request: RegressRequest) -> Iterator[SubmissionExecutor]:
    """Open an executor on the workers of the request's scheduler; RunError if there is none, or no worker."""
    address, root = request.cluster, request.root.resolve()
    there = replace(request, root=root, layer_cache=None, reuses=False)  # without folders of this machine
    _require_answer(address)
    try:
        client = Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RunError(f"there is no Dask scheduler at {address}: {error}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_CONNECT_S)
        except TimeoutError as error:
            raise RunError(f"the scheduler at {address} has no workers") from error
        _require_same_grader(client, root)
        width = sum(client.nthreads().values())
        client.register_plugin(WorkerGraders(there))
        try:
            yield SubmissionExecutor(client.get_executor(pure=False), grade_on_worker, width=width)
        finally:
            client.unregister_worker_plugin(_PLUGIN)


def _require_answer(address: str) -> None:
    """Raise RunError unless a scheduler answers at the address; Dask itself tries for half a minute."""
    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":") if ":" in place else (place, "", str(_PORT))
    if scheme not in _SCHEMES:
        return
    if not host or not port.isdecimal() or int(port) > 65535:
        raise RunError(f"{address} is no address of a Dask scheduler; write one such as tcp://host:{_PORT}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_S).close()
    except OSError as error:
        raise RunError(f"there is no Dask scheduler at {address}: {error}") from error
    if scheme != "tls":  # whose keys only the client has
        asyncio.run(_require_scheduler(address))


async def _require_scheduler(address: str) -> None:
    """Raise RunError unless what accepts a connection there answers as Dask does."""
    try:
        connection = await asyncio.wait_for(connect(address, timeout=_ANSWER_S), _ANSWER_S)  # type: ignore[no-untyped-call]
    except Exception as error:  # another service may answer anything, which Dask takes for sizes and addresses
        raise RunError(f"there is no Dask scheduler at {address}: another service is, or one that is silent") from error
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
