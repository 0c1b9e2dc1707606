"""All cores: turns tasks into their results, in as many processes of this machine, which share nothing."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from autograder import GraderError
from autograder.sandbox.isolation import kernel

Progress = Callable[[int, int], None]  # gets the number of tasks that are done, and of all
Task = TypeVar("Task")
Result = TypeVar("Result")


class ProcessEnded(GraderError):
    """A task was not done, because the process that worked on it ended; the text names the task."""


def run_on_all_cores(
    work: Callable[[Task], Result],
    tasks: Mapping[str, Task],
    processes: int,
    report_progress: Progress,
    begin: Callable[[], object] | None = None,
) -> dict[str, Result]:
    """Return the results of tasks, by their names; `begin` is called at the start of each process.

    Raises what `work` raises, and ProcessEnded where a process ended.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_start, initargs=(os.getpid(), begin)) as pool:
        futures = {name: pool.submit(work, task) for name, task in tasks.items()}
        try:
            for done, future in enumerate(as_completed(futures.values()), 1):
                future.result()
                report_progress(done, len(tasks))
        except BrokenProcessPool as error:
            name = next(name for name, future in futures.items() if not future.done() or future.exception())
            raise ProcessEnded(f"{name} could not be judged: the process that graded it ended") from error
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        return {name: future.result() for name, future in futures.items()}


def _start(parent: int, begin: Callable[[], object] | None) -> None:
    """Start a process, which ends with its parent, whatever ends that."""
    kernel.end_with_parent(parent)
    if begin is not None:
        begin()
