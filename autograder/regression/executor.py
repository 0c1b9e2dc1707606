"""Executor: grades many submissions at once and yields each reply when it arrives; `cluster` has one on other machines.

It holds only a few more submissions than are being graded at a time, so that its memory does not grow with the class.
A failure with one submission is its reply; only a failure that concerns all submissions ends the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

from autograder.regression.grader_pool import GraderPool, Job, Reply, RunError
from autograder.regression.request import RegressRequest


class SubmissionExecutor:
    """Grades submissions by a standard executor, in parallel; `width`: how many at a time."""

    def __init__(self, executor: Executor, grade: Callable[[Job], Reply], *, width: int) -> None:
        self._executor = executor
        self._grade = grade
        self.width = width
        self._held = width + (width + 1) // 2  # so that no process waits while the next submission is read

    def run(self, jobs: Iterator[Job]) -> Iterator[tuple[Job, Reply]]:
        """Yield each job with its reply in order of completion; RunError if no submission can be graded at all."""
        pending: dict[Future[Reply], Job] = {}
        for job in jobs:
            pending[self._executor.submit(self._grade, job)] = job
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
    except Exception as error:  # noqa: BLE001  (a cluster raises its own errors for a submission that it gave up)
        return Reply(fault=f"{type(error).__name__}: {error}")


@contextmanager
def open_local_executor(request: RegressRequest) -> Iterator[SubmissionExecutor]:
    """Open an executor with the request's number of grader processes on this machine; see `GraderPool`."""
    pool = GraderPool(request)
    executor = ThreadPoolExecutor(request.jobs, thread_name_prefix="grader")
    try:
        yield SubmissionExecutor(executor, pool.grade, width=request.jobs)
    finally:
        pool.close()
        executor.shutdown(cancel_futures=True)
