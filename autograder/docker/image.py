"""Image: turns the project into a Docker image in which a submission is graded as on Gradescope."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import docker.errors  # type: ignore[import-untyped]

from autograder.docker.engine import Client, EngineError
from autograder.packaging import Files
from autograder.packaging.tree import as_text_with_lf
from autograder.packaging.zip_file import mode_of

DOCKERFILE = "Dockerfile"


def build_image(
    client: Client, project: Path, files: Files, *, name: str, arguments: Mapping[str, str], network: str | None
) -> Iterator[str]:
    """Build an image of the files, and tell line by line how it goes.

    `arguments`: those of the Dockerfile, such as BASE. `network`: in which the packages are installed, or None for the
    engine's own choice. EngineError where a step fails.
    """
    content = {**files, DOCKERFILE: as_text_with_lf((project / DOCKERFILE).read_bytes())}
    options: dict[str, Any] = {"buildargs": dict(arguments), "network_mode": network, "rm": True, "forcerm": True}
    try:
        steps = client.api.build(
            fileobj=io.BytesIO(tarred(content)), custom_context=True, tag=name, decode=True, **options
        )
        for step in steps:
            if "error" in step:
                raise EngineError(f"the image cannot be built: {step['error'].strip()}")
            yield from str(step.get("stream", "")).rstrip().splitlines()
    except docker.errors.APIError as error:
        raise EngineError(f"the image cannot be built: {error.explanation or error}") from error


def tarred(files: Files) -> bytes:
    """A tar of the files as root's; scripts can be started."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path, content in sorted(files.items()):
            member = tarfile.TarInfo(path)
            member.mode, member.size = mode_of(content) & 0o777, len(content)
            tar.addfile(member, io.BytesIO(content))
    return buffer.getvalue()
