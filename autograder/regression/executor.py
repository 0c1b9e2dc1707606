"""Executor: grades many submissions at once and yields each reply when it arrives; `cluster` has one on other machines.

It holds only a few more submissions than are being graded at a time, so that its memory does not grow with the class.
A failure with one submission is its reply; only a failure that concerns all submissions ends the run.

In containers each submission has a new one, as on Gradescope. Nothing is reused there, and no check is left out: a
container grades a whole submission. The image has to hold this grader.
"""

from __future__ import annotations

import io
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from autograder.regression.grader_pool import GraderPool, Job, Reply, RunError
from autograder.regression.request import RegressRequest
from autograder.regression.roster import PackedSubmission
from autograder.regression.scores import read_tests
from autograder.submission import SubmissionError


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
def open_local_executor(
    request: RegressRequest, *, launched: int, libraries: Sequence[str]
) -> Iterator[SubmissionExecutor]:
    """Open an executor with the request's number of grader processes on this machine; see `GraderPool`."""
    pool = GraderPool(request, libraries, launched=launched)
    executor = ThreadPoolExecutor(request.jobs, thread_name_prefix="grader")
    try:
        yield SubmissionExecutor(executor, pool.grade, width=request.jobs)
    finally:
        pool.close()
        executor.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Containers:
    """How containers are made. `grade_zip`: grades the submission in a zip, or raises RunError or SubmissionError.

    It returns the content of results.json, or a text that says why there is none. It calls the function that it is
    given a few times a second, and removes the container if that raises an error.
    `image`: its name, for messages; `image_id`: the hash of its content; `content_hash`: of the grader that it
    has to hold.
    """

    grade_zip: Callable[[Path, Callable[[float], None]], bytes | str]
    image: str
    image_id: str
    content_hash: str

    def grade(self, job: Job, watch: Callable[[float], None] = lambda _: None) -> Reply:
        """Grade a submission in a container; RunError if the engine or the image cannot grade at all.

        `watch`: gets the seconds that the container runs, and ends it by an error.
        """
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "submission.zip"
                path.write_bytes(_zip(job.packed))
                result = self.grade_zip(path, watch)
        except SubmissionError as error:
            return Reply(unreadable=str(error))
        return Reply(fault=result) if isinstance(result, str) else self._read(result)

    def _read(self, content: bytes) -> Reply:
        from autograder.gradescope.files import read_results_json  # noqa: PLC0415  (slow, and not for a run without containers)

        try:
            fields = read_results_json(content).as_fields()
            grader = fields["extra_data"].get("grader", {})
        except (ValueError, KeyError, AttributeError):  # pydantic's errors are ValueErrors
            return Reply(fault="the container left a results.json that cannot be read")
        if grader.get("content_hash", self.content_hash) != self.content_hash:
            raise RunError(f"the image {self.image!r} holds another grader; build it again by `package image`")
        return Reply(results=fields, questions=len({test.question for test in read_tests(fields)}))


@contextmanager
def open_container_executor(containers: Containers, *, width: int) -> Iterator[SubmissionExecutor]:
    """Open an executor with so many containers at a time; those that still run at its end are removed."""
    executor = ThreadPoolExecutor(width, thread_name_prefix="container")
    is_stopped = threading.Event()

    def watch(_seconds: float) -> None:
        if is_stopped.is_set():
            raise RunError("the run was stopped")

    try:
        yield SubmissionExecutor(executor, partial(containers.grade, watch=watch), width=width)
    finally:
        is_stopped.set()
        executor.shutdown(cancel_futures=True)


def _zip(packed: PackedSubmission) -> bytes:
    """Return the files of a submission as a zip, which is never unpacked on this machine."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in packed.listing.paths:
            archive.writestr(path, packed.contents.get(path, b""))
    return buffer.getvalue()
