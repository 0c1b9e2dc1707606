"""Live argument: turns what stands in a case for an object into an object that one call has for itself.

A `Toy` is an object of the staff's. A `Generator` and a `Constant` are made beside the student's code, so that drawing
numbers, or twenty thousand calls, cross no border.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

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
        value = self.value
        if copy.deepcopy(value) is value:  # as for numbers and texts
            return lambda *_arguments, **_keywords: value
        return lambda *_arguments, **_keywords: copy.deepcopy(value)

    def serve(self) -> MadeInWorker:
        """Make it as an argument of a call to student code."""
        return MadeInWorker(messages.CONSTANT, self.value)


STANDING = (Toy, Generator, Constant)  # what stands for an object; it is no plain value


def serve_live(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Return arguments of a call to student code, with objects that this call alone has."""
    return tuple(each.serve() if isinstance(each, STANDING) else each for each in arguments)


def make_live(arguments: Sequence[Any]) -> list[Any]:
    """Return arguments of a call to a function of this process, with objects that this call alone has."""
    return [each.make() if isinstance(each, STANDING) else each for each in arguments]


def make_heard(arguments: Sequence[Any]) -> tuple[list[Any], dict[int, Dialogue]]:
    """Return such arguments, and the dialogues with the toys among them, by place, which the call fills."""
    heard: dict[int, Dialogue] = {place: [] for place, each in enumerate(arguments) if isinstance(each, Toy)}
    live = [each.make(heard[place]) if place in heard else each for place, each in enumerate(arguments)]
    return make_live(live), heard


def serve_heard(arguments: Sequence[Any]) -> tuple[tuple[Any, ...], dict[int, Dialogue]]:
    """As `make_heard`, for a call to student code."""
    heard: dict[int, Dialogue] = {place: [] for place, each in enumerate(arguments) if isinstance(each, Toy)}
    return serve_live([each.serve(heard[p]) if p in heard else each for p, each in enumerate(arguments)]), heard
