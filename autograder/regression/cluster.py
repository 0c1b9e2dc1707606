"""Cluster: an executor whose slots are on the workers of a Dask scheduler.

A submission travels as values and its result comes back as values. Every worker must find this project at the same
path. A worker that dies is Dask's to replace: it gives the submission to another one. A slot that dies is replaced on
its worker, as on one machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from distributed import Client, WorkerPlugin, get_worker

from autograder import PROJECT
from autograder.grader import identity
from autograder.regression.executor import FuturesExecutor, SubmissionExecutor
from autograder.regression.grader_pool import GraderPool, Reply, RunError, Settings
from autograder.regression.packed_submission import PackedSubmission

_PLUGIN = "nlp-autograder-slots"
_CONNECT_S = 30


class WorkerGraders(WorkerPlugin):  # type: ignore[misc]  # distributed is not annotated
    """The slots of one worker, for as long as the run lasts."""

    name = _PLUGIN

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.pool: GraderPool | None = None

    def setup(self, worker: Any) -> None:
        """Called by Dask on each worker, those that join later included."""
        self._folder = tempfile.TemporaryDirectory()
        self.pool = GraderPool(replace(self._settings, results_dir=self._folder.name))

    def teardown(self, worker: Any) -> None:
        """Called by Dask when the run, or the worker, ends."""
        if self.pool is not None:
            self.pool.close()
            self._folder.cleanup()


def grade_on_worker(packed: PackedSubmission) -> Reply:
    """What became of a submission; called by Dask on a worker."""
    plugin = get_worker().plugins[_PLUGIN]
    return plugin.pool.grade(packed)  # type: ignore[no-any-return]


def hash_grader() -> str:
    """Which grader this machine has; called by Dask on workers, and a sign that they find it."""
    return identity(PROJECT).content_hash


@contextmanager
def open_cluster_executor(settings: Settings, address: str) -> Iterator[SubmissionExecutor]:
    """An executor on the workers of the scheduler at `address`; RunError where it is not reached or has none."""
    there = replace(settings, layer_cache=None)  # a folder of this machine
    try:
        client = Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RunError(f"there is no Dask scheduler at {address}: {error}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_CONNECT_S)
        except TimeoutError as error:
            raise RunError(f"the scheduler at {address} has no workers") from error
        _require_same_grader(client)
        width = sum(client.nthreads().values())
        client.register_plugin(WorkerGraders(there))
        try:
            yield FuturesExecutor(client.get_executor(pure=False), grade_on_worker, width=width)
        finally:
            client.unregister_worker_plugin(_PLUGIN)


def _require_same_grader(client: Any) -> None:
    """RunError where the scheduler or a worker does not find this project, or finds another version of it."""
    try:
        found = {*client.run(hash_grader).values(), client.submit(hash_grader, pure=False).result()}
    except Exception as error:  # Dask hands on whatever was raised there
        advice = f"start the scheduler and the workers with PYTHONPATH={PROJECT}, on every machine"
        raise RunError(f"the cluster does not find this project ({error}); {advice}") from error
    if found != {hash_grader()}:
        raise RunError("the workers have another version of this project; the scores would not be comparable")
