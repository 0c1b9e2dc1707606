"""Live argument: turns what stands in a case for an object into an object that one call has for itself.

A `Toy` is an object of the staff's. A `Generator` and a `Constant` are made beside the student's code, so that drawing
numbers, or twenty thousand calls, cross no border.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.contracts.case import NOTHING
from autograder.contracts.dialogue import Dialogue
from autograder.contracts.toy import Toy
from autograder.sandbox.protocol import messages
from autograder.student import MadeInWorker


@dataclass(frozen=True)
class Generator:
    """Stands for `numpy.random.default_rng(seed)`."""

    seed: int

    def make(self) -> np.random.Generator:
        """Make it in this process."""
        return np.random.default_rng(self.seed)

    def serve(self) -> MadeInWorker:
        """Make it as an argument of a call to student code."""
        return MadeInWorker(messages.GENERATOR, self.seed)


@dataclass(frozen=True)
class Constant:
    """Stands for a function that returns a value whatever its arguments."""

    value: Any

    def make(self) -> Any:
        """Make it in this process."""
        return lambda *_arguments, **_keywords: copy.deepcopy(self.value)

    def serve(self) -> MadeInWorker:
        """Make it as an argument of a call to student code."""
        return MadeInWorker(messages.CONSTANT, self.value)


STANDING = (Toy, Generator, Constant)  # what stands for an object; it is no plain value


def listen_to(arguments: Sequence[Any]) -> dict[int, Dialogue]:
    """Return a dialogue with each toy among arguments, by place, which a call fills."""
    return {place: [] for place, each in enumerate(arguments) if isinstance(each, Toy)}


def serve_live(arguments: Sequence[Any], heard: Mapping[int, Dialogue] = NOTHING) -> list[Any]:
    """Return arguments of a call to student code, with objects that this call alone has; `heard`: of `listen_to`."""
    return [_replace(each, "serve", heard.get(place)) for place, each in enumerate(arguments)]


def make_live(arguments: Sequence[Any], heard: Mapping[int, Dialogue] = NOTHING) -> list[Any]:
    """As `serve_live`, for a call to a function of this process."""
    return [_replace(each, "make", heard.get(place)) for place, each in enumerate(arguments)]


def _replace(value: Any, method: str, dialogue: Dialogue | None) -> Any:
    if not isinstance(value, STANDING):
        return value
    return getattr(value, method)(*[] if dialogue is None else [dialogue])
