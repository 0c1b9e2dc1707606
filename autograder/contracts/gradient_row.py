"""Gradient row: the check that returned gradients are the slopes of a loss that the student's own code returns.

It is made of one drawn case and the function that returns the loss.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed, describe_end
from autograder.checks.gradient_check import list_loss_points, require_own_gradient
from autograder.contracts.call_values import has_shapes_of, map_leaves, move_arguments, name_point, take_gradients
from autograder.contracts.case import Case
from autograder.contracts.judgement import KEPT, Judgement
from autograder.contracts.reply import is_other
from autograder.contracts.signature import Signature, name_parts
from autograder.programs.calls import write_call
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.program import Program, run_program

if TYPE_CHECKING:
    from autograder.contracts.promised import Function, Promised


class Loss(NamedTuple):
    """The call that returns the loss. `parts`: what it returns; `name`: of the loss among them.

    `factors`: for another function than that of the gradients, what these may be in the slopes of the loss: they are N
    times the slopes where a mean over N rows is accepted in place of the sum.
    """

    function: str
    arguments: tuple[Any, ...]
    parts: tuple[str, ...]
    name: str
    factors: tuple[float, ...] = (1.0,)


@dataclass(frozen=True)
class GradientCheck:
    """A point, and calls around it. `parts`: what the function returns.

    `gradients`: by part, the place among the loss's arguments of what the part is the gradient by.
    """

    function: str
    arguments: tuple[Any, ...]
    parts: tuple[str, ...]
    gradients: Mapping[str, int]
    loss: Loss

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """The call at the point, the loss there where another function returns it, the losses around it, both again."""
        loss = self.loss
        programs = [write_call(self.function, self.arguments)]
        if not self._is_own:
            programs.append(write_call(loss.function, loss.arguments))
        for point in list_loss_points(self.point):
            moved = move_arguments(self.gradients, loss.arguments, point)
            programs.append(write_call(loss.function, moved))
        return (*programs, *programs[: self._point + 1])

    def judge(self, replies: Sequence[Any]) -> Judgement:
        """Judge the replies: all or nothing."""
        values = [reply[0] for reply in replies]
        for number, value in enumerate(values):
            if isinstance(value, Outcome):
                return Judgement(self._describe_end(value), failing=((number, ""),))
        if any(map(is_other, values, values[-1 - self._point :])):
            same = "the same values in two calls with the same arguments"
            failed = CheckFailed(self.function, expected=same, found="different values", hint=KEPT)
            return Judgement(failed, failing=((0, ""),))
        values = values[: -1 - self._point]
        failures = []
        for factor in self.loss.factors:
            try:
                self._require_slopes(values, factor)
            except CheckFailed as failure:
                failures.append(failure)
            else:
                return Judgement()
        return Judgement(failures[0], failing=((0, ""),))

    def _describe_end(self, failed: Outcome) -> CheckFailed:
        """Describe how a call ended; CallFailed where its function is not written."""
        if failed.kind is OutcomeKind.NOT_WRITTEN:
            raise CallFailed(failed)
        found = f"a call near it {describe_end(failed)}"
        return CheckFailed(self.function, expected="a loss and gradients", found=found)

    def _require_slopes(self, values: Sequence[Any], factor: float) -> None:
        """Require that the gradients are `factor` times the slopes."""
        loss, is_own = self.loss, self._is_own
        at_point, *around = values if is_own else values[1:]
        names = self._name_values(at_point)
        place = names.index(loss.name)
        losses = [_take_loss(each, loss, place) for each in around]
        parts = names if is_own else self.parts
        returned = checks.parts(self.function, values[0], parts) if len(parts) > 1 else [values[0]]
        named = dict(zip(parts, returned, strict=True))
        gradients = take_gradients(self.gradients, loss.arguments, named)
        of = "the loss that you return" if is_own else f"your own {loss.function}"
        require_own_gradient(gradients, self.point, lambda _: losses, factor=factor, of=of)

    def _name_values(self, value: Any) -> tuple[str, ...]:
        """Name what the function of the loss returned, by the shapes: as written, if that fits or nothing does."""
        loss = self.loss
        shapes: dict[str, Any] = {loss.name: 0.0}
        if self._is_own:
            shapes |= {part: loss.arguments[argument] for part, argument in self.gradients.items()}
        if isinstance(value, (list, tuple)) and len(value) == len(loss.parts):
            for names in itertools.permutations(loss.parts):
                named = dict(zip(names, value, strict=True))
                if all(has_shapes_of(named[name], shape) for name, shape in shapes.items()):
                    return names
        return loss.parts

    @property
    def groups(self) -> tuple[str, ...]:
        """None: all programs earn together."""
        return ()

    @property
    def _point(self) -> int:
        """The number of the program that has the loss at the point."""
        return 0 if self._is_own else 1

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


def find_loss(signature: Signature) -> str:
    """Find the name of the loss: the first part that is a float, else the first."""
    names = [each.name for each in signature.parts if each.kind.is_scalar]
    return names[0] if names else signature.parts[0].name


def make_gradient_check(promised: Promised, case: Case) -> GradientCheck:
    """Make the check at a case; where another function returns the loss, others may be right in its place."""
    of, gradients = promised.loss, promised.gradients
    given = dict(zip(promised.form.arguments, case.arguments, strict=False))
    names = of.form.arguments
    arguments = tuple(given[name] for name in names if name in given)
    parts = tuple(each.name for each in of.parsed.parts)
    factors = _find_factors(of, arguments) if of.name != promised.name else (1.0,)
    return GradientCheck(
        promised.name,
        case.arguments,
        tuple(each.name for each in promised.parsed.parts),
        {part: names.index(argument) for part, argument in gradients.items()},
        Loss(of.name, arguments, parts, find_loss(of.parsed), factors),
    )


def _find_factors(of: Promised, arguments: Sequence[Any]) -> tuple[float, ...]:
    """Find by what the losses are multiplied that are right in place of each other."""
    name, losses = find_loss(of.parsed), []
    for function in (of.reference, *of.alternatives.values()):
        named = name_parts(of.parsed, function(*arguments))
        losses.append(float(named[name]))
    return tuple(losses[0] / each for each in losses)


def choose_smooth(checks: Iterable[GradientCheck], functions: Mapping[str, Function]) -> GradientCheck:
    """Choose the first check that the right `functions` pass with the digits of single precision, else the last.

    So few digits leave the larger step alone, which shows kinks in a wider circle around the point.
    """
    for check in checks:
        first, *others = [run_program(each, functions.__getitem__) for each in check.programs]
        judged = check.judge([first, *map(_round, others)])
        if judged.failure is None:
            break
    return check


def _round(reply: Sequence[Any]) -> list[Any]:
    """Round the numbers in a reply to the digits of single precision."""
    return [map_leaves(_round_number, reply[0])]


def _round_number(value: Any) -> Any:
    return float(f"{value:.7g}") if isinstance(value, float) else value
