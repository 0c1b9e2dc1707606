"""Image: turns the files of a grader into a Docker image that grades submissions as on Gradescope.

Connects to the Docker engine of this machine, or explains why there is none.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing
from typing import Any

import docker  # type: ignore[import-untyped]
import docker.errors  # type: ignore[import-untyped]

from autograder import ENGINE, GraderError
from autograder.packaging import Files
from autograder.packaging.tree import choose_mode, find_start_files, normalize_line_ends

DOCKERFILE = "Dockerfile"
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
    content = {**files, DOCKERFILE: normalize_line_ends((find_start_files(ENGINE) / DOCKERFILE).read_bytes())}
    packed = {"fileobj": io.BytesIO(_pack(content)), "custom_context": True}
    options = {"buildargs": dict(arguments), "network_mode": network, "rm": True, "forcerm": True}
    try:
        for step in client.api.build(tag=name, decode=True, **packed, **options):
            if "error" in step:
                raise EngineError(f"the image cannot be built: {step['error'].strip()}")
            yield from str(step.get("stream", "")).rstrip().splitlines()
    except docker.errors.APIError as error:
        raise EngineError(f"the image cannot be built: {error.explanation or error}") from error


def identify_image(client: Client, name: str) -> str:
    """Return the id of an image, a hash of its content; EngineError if the engine has no such image."""
    try:
        return str(client.images.get(name).id)
    except docker.errors.ImageNotFound as error:
        raise EngineError(describe_missing(name)) from error


def describe_missing(image: str) -> str:
    """Describe that the engine has no image of that name."""
    return f"there is no image {image!r}; build it by `package image`"


def add_file(tar: tarfile.TarFile, path: str, content: bytes) -> None:
    """Add a file to a tar, owned by root; a script is executable."""
    member = tarfile.TarInfo(path)
    member.mode, member.size = choose_mode(content) & 0o777, len(content)
    tar.addfile(member, io.BytesIO(content))


def _pack(files: Files) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path, content in sorted(files.items()):
            add_file(tar, path, content)
    return buffer.getvalue()


def _explain(error: Exception) -> str:
    text = str(error)
    for sign, reason in (("ermission denied", "not permitted"), ("FileNotFound", "not found")):
        if sign in text:
            return reason
    return text.partition(":")[0][:100]
