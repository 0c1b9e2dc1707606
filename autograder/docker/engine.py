"""Engine: connects to the Docker engine of this machine, or explains why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import docker  # type: ignore[import-untyped]
import docker.errors  # type: ignore[import-untyped]

from autograder import GraderError

Client = Any  # the docker package has no types


class EngineError(GraderError):
    """A request to the engine failed; the text says why and what to do."""


@contextmanager
def connect_engine(environment: Mapping[str, str]) -> Iterator[Client]:
    """Connect to the engine that DOCKER_HOST names, or else to the installed one; EngineError if none answers."""
    try:
        client = docker.from_env(environment=dict(environment))
    except docker.errors.DockerException as error:
        where = environment.get("DOCKER_HOST") or "the default address"
        raise EngineError(
            f"no Docker engine answers at {where} ({_explain(error)}); start Docker, or install it; "
            "you may need to be in the group docker"
        ) from error
    try:
        yield client
    finally:
        client.close()


def _explain(error: Exception) -> str:
    text = str(error)
    for sign, reason in (("ermission denied", "not permitted"), ("FileNotFound", "not found")):
        if sign in text:
            return reason
    return text.partition(":")[0][:100]
