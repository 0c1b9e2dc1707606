"""SubmissionExecutor: has many submissions graded at once, here or on a cluster, and gives their replies as they come.

It holds a few submissions more than are being graded at a time, so that its memory does not grow with the class.
Whatever becomes of one submission is its reply; only what concerns all of them ends the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from autograder.regression.grader_pool import GraderPool, Reply, RunError, Settings
from autograder.regression.packed_submission import PackedSubmission


@dataclass(frozen=True)
class Job:
    """A submission to be graded, and the name under which its result is kept."""

    name: str
    packed: PackedSubmission


class SubmissionExecutor(Protocol):
    """Grades submissions; a context manager, at whose end everything it started has ended."""

    def run(self, jobs: Iterator[Job]) -> Iterator[tuple[Job, Reply]]:
        """Each job with its reply, in the order in which they are done; RunError where nobody can be graded."""


class FuturesExecutor:
    """An engine over an executor that grades a packed; `width`: how many it does at a time."""

    def __init__(self, executor: Executor, grade: Callable[[PackedSubmission], Reply], *, width: int) -> None:
        self._executor = executor
        self._grade = grade
        self._held = width + (width + 1) // 2  # so that nobody waits while the next one is read

    def run(self, jobs: Iterator[Job]) -> Iterator[tuple[Job, Reply]]:
        """Each job with its reply, in the order in which they are done; RunError where nobody can be graded."""
        pending: dict[Future[Reply], Job] = {}
        for job in jobs:
            pending[self._executor.submit(self._grade, job.packed)] = job
            if len(pending) >= self._held:
                yield from _collect_done(pending)
        while pending:
            yield from _collect_done(pending)


def _collect_done(pending: dict[Future[Reply], Job]) -> Iterator[tuple[Job, Reply]]:
    finished, _ = wait(pending, return_when=FIRST_COMPLETED)
    for future in finished:
        yield pending.pop(future), _receive_reply(future)


def _receive_reply(future: Future[Reply]) -> Reply:
    try:
        return future.result()
    except RunError:
        raise
    except Exception as error:  # noqa: BLE001  (a cluster has errors of its own for a submission that it gave up)
        return Reply(fault=f"{type(error).__name__}: {error}")


@contextmanager
def open_local_executor(settings: Settings, *, processes: int) -> Iterator[SubmissionExecutor]:
    """An engine with that many slots on this machine."""
    pool = GraderPool(settings)
    executor = ThreadPoolExecutor(processes, thread_name_prefix="grader")
    try:
        yield FuturesExecutor(executor, pool.grade, width=processes)
    finally:
        pool.close()
        executor.shutdown(cancel_futures=True)
        pool.close()  # what was given back meanwhile
