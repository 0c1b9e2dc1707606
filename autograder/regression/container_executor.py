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
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from autograder.regression.executor import SubmissionExecutor
from autograder.regression.grader_pool import Job, Reply, RunError
from autograder.regression.packed_submission import PackedSubmission
from autograder.submission import SubmissionError


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
        try:
            fields = json.loads(content)
            grader = fields["extra_data"].get("grader", {})
        except (ValueError, KeyError, TypeError, AttributeError):
            return Reply(fault="the container left a results.json that cannot be read")
        if grader.get("content_hash", self.content_hash) != self.content_hash:
            raise RunError(f"the image {self.image!r} holds another grader; build it again by `package image`")
        stems = {(test.get("extra_data") or {}).get("question") for test in fields.get("tests") or ()}
        return Reply(results=fields, questions=len(stems))


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
