"""Container: turns the files of a grader into a Docker image, and a submission into results in a container of it.

The container is set up like Gradescope's harness does: the folders of the submission and the results are new, the
metadata are readable by all, root runs run_autograder in /autograder, and the container is killed after the time limit.
Unlike Gradescope's it has no network: grading does not need it.
"""

from __future__ import annotations

import io
import json
import tarfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import docker  # type: ignore[import-untyped]
import docker.errors  # type: ignore[import-untyped]

from autograder import ENGINE, GraderError
from autograder.assignment import Assignment
from autograder.packaging.tree import Files, choose_mode, find_start_files, normalize_line_ends
from autograder.sandbox.limits import choose_container_mib
from autograder.submission import SubmissionError
from autograder.submission.zip_archive import is_archive, open_archive

DOCKERFILE = "Dockerfile"
SUBMISSION_BYTES = 100 * 2**20  # Gradescope's limit
_ROOT = "autograder"
_SCRIPT = "/autograder/run_autograder"
_RESULTS = "/autograder/results/results.json"
_RESULTS_BYTES = 64 * 2**20
_POLL_S = 0.2
_LOG_BYTES = 2**20
_KILLED = 137
_NANO_PROCESSORS = 500_000_000  # half of one, Gradescope's default
_NOT_STARTED = (126, 127)  # the container's init reports a missing or not executable program so
Client = Any  # the docker package has no types


class EngineError(GraderError):
    """A request to the engine failed; the text says why and what to do."""


def connect_engine(environment: Mapping[str, str]) -> AbstractContextManager[Client]:
    """Connect to the engine that DOCKER_HOST names, or else to the installed one; EngineError if none answers."""
    try:
        return closing(docker.from_env(environment=dict(environment)))
    except docker.errors.DockerException as error:
        where = environment.get("DOCKER_HOST") or "the default address"
        raise EngineError(
            f"no Docker engine answers at {where} ({_explain(error)}); start Docker, or install it; "
            "you may need to be in the group docker"
        ) from error


def build_image(
    client: Client, files: Files, *, name: str, arguments: Mapping[str, str], network: str | None
) -> Iterator[str]:
    """Build an image of the files, and yield the lines of the build log.

    `arguments`: build arguments of the Dockerfile, such as BASE. `network`: the build's network mode, or None for the
    engine's default. EngineError if a step fails.
    """
    dockerfile = (find_start_files(ENGINE) / DOCKERFILE).read_bytes()
    packed = _pack({**files, DOCKERFILE: normalize_line_ends(dockerfile)})
    source = {"fileobj": io.BytesIO(packed), "custom_context": True}
    options = {"buildargs": dict(arguments), "network_mode": network, "rm": True, "forcerm": True}
    try:
        for step in client.api.build(tag=name, decode=True, **source, **options):
            if "error" in step:
                raise EngineError(f"the image cannot be built: {step['error'].strip()}")
            yield from str(step.get("stream", "")).rstrip().splitlines()
    except docker.errors.APIError as error:
        raise EngineError(f"the image cannot be built: {error.explanation or error}") from error


@dataclass(frozen=True)
class Conditions:
    """The image and the limits of a container."""

    image: str
    memory_mib: int
    time_limit_s: float


@dataclass(frozen=True)
class DockerResult:
    """The outcome of a run: the content of results.json, if there is one, and everything printed.

    `problem` says why there is no grade, or is empty. `note`: a hint for staff on a run that finished.
    """

    results: bytes | None
    printed: str
    exit_status: int
    problem: str = ""
    note: str = ""


def grade_in_container(
    client: Client, submission: Path, assignment: Assignment, *, image: str, time_limit_s: float
) -> DockerResult:
    """Grade a submission in the conditions in which Gradescope would.

    EngineError if there is no such image or no container can be created, SubmissionError for a submission that
    Gradescope would not accept.
    """
    memory_mib = choose_container_mib(assignment.limits.memory_mib)
    conditions = Conditions(image, memory_mib, time_limit_s)
    files = _pack_files(submission, sum(question.points for question in assignment.questions))
    with _create_container(client, conditions) as container:
        container.put_archive("/", files)
        container.start()
        is_late = _wait_or_kill(container, conditions.time_limit_s)
        container.reload()
        return _build_result(container, conditions, is_late=is_late)


@contextmanager
def _create_container(client: Client, conditions: Conditions) -> Iterator[Any]:
    memory = f"{conditions.memory_mib}m"
    limits = {"mem_limit": memory, "memswap_limit": memory, "nano_cpus": _NANO_PROCESSORS, "network_mode": "none"}
    process = {"entrypoint": [_SCRIPT], "working_dir": "/autograder", "user": "root", "init": True}
    try:
        container = client.containers.create(conditions.image, **limits, **process)
    except docker.errors.ImageNotFound as error:
        raise EngineError(f"there is no image {conditions.image!r}; build it by `package image`") from error
    except docker.errors.APIError as error:
        raise EngineError(f"no container can be created: {error.explanation or error}") from error
    try:
        yield container
    finally:
        container.remove(force=True, v=True)


def _wait_or_kill(container: Any, time_limit_s: float) -> bool:
    """Wait for the container to end, or kill it at the time limit; return whether it was killed."""
    started = time.monotonic()
    while container.status in ("created", "running"):
        if time.monotonic() - started > time_limit_s:
            container.kill()
            return True
        time.sleep(_POLL_S)
        container.reload()
    return False


def _build_result(container: Any, conditions: Conditions, *, is_late: bool) -> DockerResult:
    state = container.attrs["State"]
    was_short = bool(state["OOMKilled"])
    needed = f"it needed more than the container's {conditions.memory_mib} MiB of memory"
    problem = note = ""
    if is_late:
        problem = f"out of time after {conditions.time_limit_s:g} seconds: Gradescope would give 0 points"
    elif was_short and state["ExitCode"] == _KILLED:
        problem = f"the grader was killed: {needed}"
    elif was_short:
        note = f"a check was killed: {needed}"
    results = _read(container, _RESULTS)
    if results is None and state["ExitCode"] in _NOT_STARTED:
        problem = f"{_SCRIPT} does not start in the image {conditions.image!r}; build it by `package image`"
    elif results is None and not problem:
        problem = f"the run ended with status {state['ExitCode']} and left no results.json"
    printed = container.logs(tail=10_000)[-_LOG_BYTES:].decode("utf-8", "backslashreplace")
    return DockerResult(results, printed, int(state["ExitCode"]), problem, note)


def _read(container: Any, path: str) -> bytes | None:
    try:
        chunks, _ = container.get_archive(path)
    except docker.errors.NotFound:
        return None
    content = b""
    for chunk in chunks:
        content += chunk
        if len(content) > _RESULTS_BYTES:
            return None
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        member = tar.next()
        if member is None or not member.isfile():
            return None
        file: Any = tar.extractfile(member)
        return bytes(file.read())


def _pack_files(submission: Path, points: float) -> bytes:
    """Pack the files that the harness provides: the submission, an empty folder for results, the metadata.

    `points`: of the assignment's outline.
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name in ("submission", "results"):
            folder = tarfile.TarInfo(f"{_ROOT}/{name}")
            folder.type, folder.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(folder)
        _add_file(tar, f"{_ROOT}/submission_metadata.json", _build_metadata(points))
        _add_submission(tar, submission)
    return buffer.getvalue()


def _add_submission(tar: tarfile.TarFile, submission: Path) -> None:
    folder = f"{_ROOT}/submission"
    if is_archive(submission) and submission.is_file():
        with open_archive(submission, is_link_refused=False) as archive:
            for name in archive.listing.paths:
                _add_file(tar, f"{folder}/{name}", archive.read(name))
    elif submission.is_dir():
        files = [each for each in submission.rglob("*") if not each.is_dir()]
        _require_size(sum(each.lstat().st_size for each in files))
        for path in sorted(submission.iterdir()):
            tar.add(path, arcname=f"{folder}/{path.name}", filter=_set_owner)
    elif submission.is_file():
        _require_size(submission.stat().st_size)
        _add_file(tar, f"{folder}/{submission.name}", submission.read_bytes())
    else:
        raise SubmissionError(f"{submission}: does not exist; give the path of a folder, a .zip or a .py file")


def _set_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Set root as the owner; links stay links, and are broken in the container."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _require_size(size: int) -> None:
    if size > SUBMISSION_BYTES:
        raise SubmissionError(f"the submission has {size >> 20} MiB; Gradescope accepts {SUBMISSION_BYTES >> 20}")


def _build_metadata(points: float) -> bytes:
    assignment = {"id": 0, "title": "graded in a container", "total_points": f"{points:g}", "due_date": None}
    now = datetime.now(timezone.utc).isoformat()
    fields = {"id": 0, "created_at": now, "assignment": assignment, "users": []}
    return json.dumps(fields).encode()


def _add_file(tar: tarfile.TarFile, path: str, content: bytes) -> None:
    """Add a file to a tar, owned by root; a script is executable."""
    member = tarfile.TarInfo(path)
    member.mode, member.size = choose_mode(content) & 0o777, len(content)
    tar.addfile(member, io.BytesIO(content))


def _pack(files: Files) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path, content in sorted(files.items()):
            _add_file(tar, path, content)
    return buffer.getvalue()


def _explain(error: Exception) -> str:
    text = str(error)
    if "ermission denied" in text:
        return "not permitted"
    return "not found" if "FileNotFound" in text else text.partition(":")[0][:100]
