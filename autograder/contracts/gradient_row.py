"""Gradient row: the check that returned gradients are the slopes of the loss that the same function returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.checks.own_gradient import list_loss_points, require_own_gradient
from autograder.contracts.case import Case
from autograder.contracts.judgement import Judgement
from autograder.contracts.request import Request
from autograder.contracts.signature import ScalarKind, Signature
from autograder.sandbox.protocol.outcome import Outcome


class GradientCheck(NamedTuple):
    """A point, and calls around it. `parts`: what the function returns; `gradients`: by part, the argument's place.

    `loss`: the place of the loss among the returned values.
    """

    function: str
    arguments: tuple[Any, ...]
    parts: tuple[str, ...]
    gradients: Mapping[str, int]
    loss: int

    @property
    def requests(self) -> tuple[Request, ...]:
        """The call at the point, then the losses around it."""
        around = (Request(self.function, self._move_to(point), part=self.loss) for point in list_loss_points(self._at))
        return (Request(self.function, self.arguments), *around)

    @property
    def _at(self) -> dict[str, Any]:
        return {part: np.asarray(self.arguments[place]) for part, place in self.gradients.items()}

    def _move_to(self, point: Mapping[str, Any]) -> tuple[Any, ...]:
        arguments = list(self.arguments)
        for part, array in point.items():
            arguments[self.gradients[part]] = array
        return tuple(arguments)

    def judge(self, replies: Sequence[Any]) -> Judgement:
        """Judge the replies: all or nothing."""
        failed = next((each for each in replies if isinstance(each, Outcome)), None)
        try:
            if failed is not None:
                found = f"a call near it raised {failed.error_type}"
                raise CheckFailed(self.function, expected="a loss and gradients", found=found)
            values = dict(zip(self.parts, checks.parts(self.function, replies[0], self.parts), strict=True))
            given = {part: values[part] for part in self.gradients}
            require_own_gradient(given, self._at, lambda points: list(replies[1 : 1 + len(points)]))
        except CheckFailed as failure:
            return Judgement(0.0, failure)
        return Judgement(1.0)


def make_gradient_check(signature: Signature, case: Case, gradients: Mapping[str, str]) -> GradientCheck:
    """Make the check at an ordinary case; the loss is the first part that is a float."""
    names = [each.name for each in signature.arguments]
    losses = [place for place, each in enumerate(signature.parts) if isinstance(each.kind, ScalarKind)]
    return GradientCheck(
        signature.name,
        case.arguments,
        tuple(each.name for each in signature.parts),
        {part: names.index(argument) for part, argument in gradients.items()},
        losses[0] if losses else 0,
    )
