"""Container executor: grades the submissions of a class in containers, each in a new one, as Gradescope does.

Nothing is reused, and no check is left out: a container grades a whole submission. The image has to hold this grader.
"""

from __future__ import annotations

import io
import json
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from autograder.assignment import Assignment
from autograder.docker import Conditions, EngineError, grade_in_container, identify_image
from autograder.docker.engine import Client
from autograder.grading.identity import identify_grader
from autograder.grading.worker_limits import choose_container_mib
from autograder.regression.executor import SubmissionExecutor
from autograder.regression.grader_pool import Job, Reply, RunError
from autograder.regression.packed_submission import PackedSubmission
from autograder.submission import SubmissionError

_PRINTED_CHARACTERS = 2_000
Connect = Callable[[], AbstractContextManager[Client]]


@dataclass(frozen=True)
class Containers:
    """How containers are made. `connect`: opens Docker's client; `points`: of the outline.

    `image_id`: the hash of the image's content; `content_hash`: of the grader that it has to hold.
    """

    connect: Connect
    conditions: Conditions
    points: float
    image_id: str
    content_hash: str

    def grade(self, job: Job, watch: Callable[[float], None] = lambda _: None) -> Reply:
        """Grade a submission in a container; RunError if the engine or the image cannot grade at all.

        `watch`: gets the seconds that the container runs, and ends it by an error.
        """
        try:
            with tempfile.TemporaryDirectory() as folder, self.connect() as client:
                path = Path(folder) / "submission.zip"
                path.write_bytes(_zip(job.packed))
                result = grade_in_container(client, path, self.conditions, points=self.points, progress=watch)
        except SubmissionError as error:
            return Reply(unreadable=str(error))
        except EngineError as error:
            raise RunError(str(error)) from error
        if result.results is None or result.problem:
            return Reply(fault=f"{result.problem}\n{result.printed[-_PRINTED_CHARACTERS:]}")
        return self._read(result.results)

    def _read(self, content: bytes) -> Reply:
        try:
            fields = json.loads(content)
            grader = fields["extra_data"].get("grader", {})
        except (ValueError, KeyError, TypeError, AttributeError):
            return Reply(fault="the container left a results.json that cannot be read")
        if grader.get("content_hash", self.content_hash) != self.content_hash:
            raise RunError(
                f"the image {self.conditions.image!r} holds another grader; build it again by `package image`"
            )
        stems = {(test.get("extra_data") or {}).get("question") for test in fields.get("tests") or ()}
        return Reply(results=fields, questions=len(stems))


def describe_containers(assignment: Assignment, image: str, time_limit_s: int, connect: Connect) -> Containers:
    """Describe the containers of an image; EngineError if there is no engine, or no such image."""
    conditions = Conditions(image, choose_container_mib(assignment.limits), time_limit_s=time_limit_s)
    points = sum(question.points for question in assignment.questions)
    with connect() as client:
        image_id = identify_image(client, image)
    return Containers(connect, conditions, points, image_id, identify_grader(assignment).content_hash)


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
