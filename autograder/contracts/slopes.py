"""Slopes: records whose slopes the gradients are that a function returns, for its row of gradient checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.contracts.driver import Driver
from autograder.contracts.signature import Function


@dataclass(frozen=True)
class Slopes:
    """Whose slopes returned gradients are.

    `by`: by part, the argument that it is the gradient by. `of`: a driver that returns the value whose slopes they are;
    without it, that is the number which the function itself returns. `right`: in its place, a right function of the
    arguments, whose slopes are kept. `times`: the arguments, one for each array of the value, by which it is multiplied
    and summed; an array without such a one has a Jacobian. `at`: the driver that returns the gradients, where that of
    the contract takes other arguments. `draw`: a function of a generator that returns small arguments.
    `alone`: the arguments of which each row has a value of its own. `mean`: then, by name, another right function than
    the one that `of` calls; the gradients may be divided as its value is. `nearest`: a function of a value and the case
    (`case.arguments`) that returns the nearest right one, where several are right.
    """

    by: Mapping[str, str]
    of: Driver | None = None
    right: Function | None = None
    times: Sequence[str] = ()
    at: Driver | None = None
    draw: Callable[[np.random.Generator], Sequence[Any]] | None = None
    alone: Sequence[str] = ()
    mean: Mapping[str, Function] = field(default_factory=dict)
    nearest: Function | None = None

    def list_arguments(self, names: Sequence[str]) -> list[str]:
        """List the names of the arguments: those of the signature, but for drivers that take others."""
        if self.at is None:
            return list(names)
        _, *own = inspect.signature(self.at).parameters
        return own
