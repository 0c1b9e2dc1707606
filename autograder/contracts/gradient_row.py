"""Gradient row: the check that returned gradients are the slopes of a loss that the student's own code returns.

It is made of one drawn case and the function that returns the loss.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.checks.gradient_check import list_loss_points, require_own_gradient
from autograder.contracts.call_values import has_shapes_of, map_leaves, move_arguments, name_point, take_gradients
from autograder.contracts.case import Case
from autograder.contracts.judgement import Judgement
from autograder.contracts.signature import Signature, name_parts
from autograder.programs.calls import write_call
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.program import Program, run_program

if TYPE_CHECKING:
    from autograder.contracts.promised import Function, Promised


class Loss(NamedTuple):
    """The call that returns the loss. `parts`: what it returns; `place`: of the loss among them.

    `factors`: for another function than that of the gradients, what these may be in the slopes of the loss: they are N
    times the slopes where a mean over N rows is accepted in place of the sum.
    """

    function: str
    arguments: tuple[Any, ...]
    parts: tuple[str, ...]
    place: int
    factors: tuple[float, ...] = ()


class GradientCheck(NamedTuple):
    """A point, and calls around it. `parts`: what the function returns.

    `gradients`: by part, the place among the loss's arguments of what the part is the gradient by.
    """

    function: str
    arguments: tuple[Any, ...]
    parts: tuple[str, ...]
    gradients: Mapping[str, int]
    loss: Loss

    @property
    def programs(self) -> tuple[Program, ...]:
        """The call at the point, the loss there where another function returns it, then the losses around it."""
        loss = self.loss
        here = () if self._is_own else (write_call(loss.function, loss.arguments),)
        moved = (move_arguments(self.gradients, loss.arguments, point) for point in list_loss_points(self.point))
        around = (write_call(loss.function, arguments) for arguments in moved)
        return (write_call(self.function, self.arguments), *here, *around)

    def judge(self, replies: Sequence[Any]) -> Judgement:
        """Judge the replies: all or nothing."""
        values = [reply[0] for reply in replies]
        loss, shapes = self.loss, {self.loss.parts[self.loss.place]: 0.0}
        if self._is_own:
            shapes |= {part: loss.arguments[place] for part, place in self.gradients.items()}
        order = _find_order(values[0 if self._is_own else 1], loss.parts, shapes)
        parts = list(self.parts)
        if self._is_own:
            parts.sort(key=lambda part: order[loss.parts.index(part)])
        failures = []
        for factor in self.loss.factors or (1.0,):
            try:
                self._require_slopes(values, parts, order[loss.place], factor)
            except CheckFailed as failure:
                failures.append(failure)
            else:
                return Judgement()
        return Judgement(failures[0])

    def _require_slopes(self, returned: Sequence[Any], parts: Sequence[str], place: int, factor: float) -> None:
        """Require that the gradients are `factor` times the slopes; `place`: of the loss among returned values."""
        failed = next((each for each in returned if isinstance(each, Outcome)), None)
        if failed is not None and failed.kind is OutcomeKind.NOT_WRITTEN:
            raise CallFailed(failed)
        if failed is not None:
            found = f"a call near it raised {failed.error_type}"
            raise CheckFailed(self.function, expected="a loss and gradients", found=found)
        around = [_take_loss(each, self.loss, place) for each in returned[1 if self._is_own else 2 :]]
        of = "the loss that you return" if self._is_own else f"your own {self.loss.function}"
        values = checks.parts(self.function, returned[0], parts) if len(parts) > 1 else [returned[0]]
        named = dict(zip(parts, values, strict=True))
        gradients = take_gradients(self.gradients, self.loss.arguments, named)
        require_own_gradient(gradients, self.point, lambda points: around[: len(points)], factor=factor, of=of)

    @property
    def owner(self) -> str:
        """The class of its functions: none."""
        return ""

    @property
    def _is_own(self) -> bool:
        return self.loss.function == self.function

    @property
    def point(self) -> dict[str, Any]:
        """The arrays that the loss depends on, each under the name of its gradient."""
        return name_point(self.gradients, self.loss.arguments)


def _take_loss(value: Any, loss: Loss, place: int) -> Any:
    """Take the loss from what a call returned."""
    is_among = len(loss.parts) > 1 and isinstance(value, (list, tuple)) and len(value) > place
    return value[place] if is_among else value


def _find_order(value: Any, parts: Sequence[str], shapes: Mapping[str, Any]) -> tuple[int, ...]:
    """Find the places of the parts by the shapes of `shapes`: as written, if that fits or nothing does."""
    written = tuple(range(len(parts)))
    if not isinstance(value, (list, tuple)) or len(value) != len(parts):
        return written
    places = {name: parts.index(name) for name in shapes}
    orders = itertools.permutations(written)
    fits = (order for order in orders if all(has_shapes_of(value[order[places[k]]], shapes[k]) for k in places))
    return next(fits, written)


def find_loss(signature: Signature) -> str:
    """Find the name of the loss: the first part that is a float, else the first."""
    names = [each.name for each in signature.parts if each.kind.is_scalar]
    return names[0] if names else signature.parts[0].name


def make_gradient_check(promised: Promised, case: Case, gradients: Mapping[str, str], of: Promised) -> GradientCheck:
    """Make the check at a case. `gradients`: by part, the argument of the loss that it is the gradient by.

    `of`: what returns the loss; where that is another function, others may be accepted in its place.
    """
    given = dict(zip(promised.form.arguments, case.arguments, strict=False))
    names, parts = of.form.arguments, tuple(each.name for each in of.parsed.parts)
    arguments, loss = tuple(given[name] for name in names if name in given), find_loss(of.parsed)
    functions = (of.reference, *of.accepts.values()) if of.name != promised.name else ()
    found = [float(name_parts(of.parsed, function(*arguments))[loss]) for function in functions]
    factors = tuple(found[0] / value for value in found)
    return GradientCheck(
        promised.name,
        case.arguments,
        tuple(each.name for each in promised.parsed.parts),
        {part: names.index(argument) for part, argument in gradients.items()},
        Loss(of.name, arguments, parts, parts.index(loss), factors),
    )


def choose_smooth(checks: Iterable[GradientCheck], functions: Mapping[str, Function]) -> GradientCheck:
    """Choose the first check that the right `functions` pass with the digits of single precision, else the last.

    So few digits leave the larger step alone, which shows kinks in a wider circle around the point.
    """
    for check in checks:
        replies = [run_program(each, functions.__getitem__) for each in check.programs]
        if check.judge([*replies[:1], *map(_round, replies[1:])]).failure is None:
            break
    return check


def _round(reply: Sequence[Any]) -> list[Any]:
    """Round the numbers in a reply to the digits of single precision."""
    return [map_leaves(lambda each: float(f"{each:.7g}") if isinstance(each, float) else each, reply[0])]
