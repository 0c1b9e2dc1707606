"""Libraries that an assignment declares are loaded before student code, inside of all layers; no others are."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.host.launcher import Launcher
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol.outcome import OutcomeKind
from autograder.student import CallFailed, Student
from tests.selftest.support.made_judge import make_attempt
from tests.selftest.support.toy_question import changed

LIBRARY = "yaml"  # one that the grader has and workers have not
USES_LIBRARY = f"""
import {LIBRARY}
def double(x):
    return {LIBRARY}.safe_load("[1, 2]")
"""
ASKS_FOR_MEMORY = """
import numpy as np
def double(x):
    return int(np.ones(int(x) * 2**20, np.uint8).sum()) >> 20
"""


def double_of(zygote: Zygote, text: str, *arguments: Any) -> Any:
    """The value of a submission's `double`, in a worker of its own."""
    with contextlib.closing(make_attempt(changed(text), zygote)) as attempt:
        return Student(attempt).shapes.double(*arguments)


def active_layers(zygote: Zygote) -> list[str]:
    """The layers that a worker has entered."""
    with contextlib.closing(zygote.spawn(Limits(), preload=())) as worker:
        return [layer.name for layer in worker.layers if layer.is_active]


@pytest.fixture(scope="module")
def declared() -> Iterator[Zygote]:
    """A zygote whose assignment declares a library."""
    with Zygote(Launcher(libraries=[LIBRARY])) as zygote:
        yield zygote


def test_one_that_is_declared_can_be_used(declared: Zygote) -> None:
    assert double_of(declared, USES_LIBRARY, 1.0) == [1, 2]


def test_another_cannot(zygote: Zygote) -> None:
    with pytest.raises(CallFailed) as failure:
        double_of(zygote, USES_LIBRARY, 1.0)
    assert f"{LIBRARY}.safe_load is not available in the grader" in failure.value.outcome.message


def test_no_layer_is_lost(declared: Zygote, zygote: Zygote) -> None:
    assert active_layers(declared) == active_layers(zygote) != []


def test_memory_is_limited_beyond_what_libraries_take(declared: Zygote, zygote: Zygote) -> None:
    enough, too_much = 150, limit.ADDRESS_SPACE_BYTES // 2**20
    for each in (declared, zygote):
        assert double_of(each, ASKS_FOR_MEMORY, enough) == enough
        with pytest.raises(CallFailed) as failure:
            double_of(each, ASKS_FOR_MEMORY, too_much)
        assert failure.value.outcome.kind is OutcomeKind.OUT_OF_MEMORY


def test_one_that_cannot_be_loaded_is_an_error_of_ours() -> None:
    with pytest.raises(SandboxError), Zygote(Launcher(libraries=["no_such_library"])) as zygote:
        zygote.spawn(Limits(), preload=())
