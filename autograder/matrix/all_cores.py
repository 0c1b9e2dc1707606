"""All cores: turns tasks into their results, in as many processes of this machine, which share nothing."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from autograder import GraderError
from autograder.machine import count_whole
from autograder.sandbox.isolation import kernel

Progress = Callable[[int, int], None]  # gets the number of tasks that are done, and of all
Task = TypeVar("Task")
Done = TypeVar("Done")


class ProcessEnded(GraderError):
    """A task was not done, because the process that worked on it ended; the text names the task."""


def run_on_all_cores(
    work: Callable[[Task], Done], tasks: Mapping[str, Task], report_progress: Progress
) -> dict[str, Done]:
    """Return the results of tasks, by their names; raises what `work` raises, and ProcessEnded where a process ended.

    Each process ends with this one, whatever ends that.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count_whole(), context, kernel.end_with_parent, (os.getpid(),)) as pool:
        futures = {name: pool.submit(work, task) for name, task in tasks.items()}
        try:
            for done, future in enumerate(as_completed(futures.values()), 1):
                future.result()
                report_progress(done, len(tasks))
        except BrokenProcessPool as error:
            left = [name for name, future in futures.items() if not future.done() or future.exception()]
            raise ProcessEnded(f"{left[0]} could not be judged: the process that graded it ended") from error
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        return {name: future.result() for name, future in futures.items()}
