"""Engine: connects to the Docker engine of this machine, or says why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import docker  # type: ignore[import-untyped]
import docker.errors  # type: ignore[import-untyped]

Client = Any  # the docker package has no types


class EngineError(Exception):
    """The engine cannot do what is asked for; the text says why and what to do."""


@contextmanager
def engine(environment: Mapping[str, str]) -> Iterator[Client]:
    """A client of the engine that DOCKER_HOST names or that is installed; EngineError where none answers."""
    try:
        client = docker.from_env(environment=dict(environment))
    except docker.errors.DockerException as error:
        where = environment.get("DOCKER_HOST") or "the usual place"
        raise EngineError(
            f"no Docker engine answers at {where} ({_reason(error)}); start Docker, or install it; "
            "you may need to be in the group docker"
        ) from error
    try:
        yield client
    finally:
        client.close()


def _reason(error: Exception) -> str:
    text = str(error)
    for sign, reason in (("ermission denied", "not permitted"), ("FileNotFound", "nothing there")):
        if sign in text:
            return reason
    return text.partition(":")[0][:100]
