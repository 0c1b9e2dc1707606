"""Gradient maker: turns what a contract says of its gradients into a row, at a point where wrong work shows.

A point is used where the right solution needs a quarter of what is allowed at most, also in single precision: so no
kink is near it, and its numbers are of a size that fits. Else another one is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from autograder.checks.check_failed import CheckFailed
from autograder.checks.gradient_check import PLACES, compute_slopes, list_moved, round_to_grid
from autograder.checks.tolerances import SLOPES, SLOPES_OF_LINEAR
from autograder.contracts.call_values import convert_reals, is_real, map_leaves, map_reals, name_leaves, replace_leaves
from autograder.contracts.case import GRADIENT_CHECK, ORDINARY, Arguments
from autograder.contracts.case_design import CaseDesign
from autograder.contracts.case_maker import CaseMaker
from autograder.contracts.drawing import make_generator
from autograder.contracts.gradient_row import Factors, GradientCheck, list_values
from autograder.contracts.part_comparison import Rule
from autograder.contracts.promised import Promised, telling
from autograder.contracts.reply import find_failure
from autograder.contracts.signature import ContractError, Function, Signature
from autograder.programs.program import Find, Name, Program, run_program
from autograder.programs.source import read_source

_TRIES = 200  # points that are drawn at most
_FEW_PROGRAMS = 99  # where the author does not draw, in the first half of the tries
_MOST_PROGRAMS = 400
_SPARE = 4  # times: right work needs that much less than is allowed
_DECIMALS = 6  # to which losses may be rounded
_KEPT_STEP = 2.0**-9  # for slopes that are kept: their error is 1e-10
_SCALES = (1.0, 0.5)  # of arguments that the author does not draw

Replies = list[list[Any]]


def make_gradient_check(promised: Promised, seed: str, *, tries: int = _TRIES) -> GradientCheck:
    """Make the row; ContractError where none of the points that are drawn will do."""
    slopes = promised.slopes
    with np.errstate(all="ignore"):
        for again in range(tries):
            most = _FEW_PROGRAMS
            if slopes.draw is not None or 2 * again >= tries:
                most = _MOST_PROGRAMS
            for arguments in _draw_points(promised, seed, again):
                point = _Point(promised, arguments)
                check = point.make_check(most)
                if check is not None:
                    return check
    raise ContractError(
        f"{promised.name}: no gradient check at any of {tries} points: the gradients of the right function have to be "
        f"slopes there, and not all 0, by {_MOST_PROGRAMS} calls at most; say in gradient=Slopes(..., draw=) how to "
        "draw small arguments, and how large they are"
    )


def find_loss(signature: Signature) -> str:
    """Find the name of the loss: the first part that is a float, else the first."""
    for part in signature.parts:
        if part.kind.is_scalar:
            return part.name
    return signature.parts[0].name


def _draw_points(promised: Promised, seed: str, again: int) -> list[Arguments]:
    """Draw the arguments at a point; none where the signature has none."""
    draw = promised.slopes.draw
    if draw is None:
        maker = CaseMaker(promised, seed, f"{GRADIENT_CHECK} {again}")
        scale = _SCALES[again % len(_SCALES)]
        cases = maker.make([CaseDesign(ORDINARY, is_small=True)])
        return [map_reals(lambda leaf: scale * leaf, case.arguments) for case in cases]
    rng = make_generator(seed, promised.name, GRADIENT_CHECK, str(again))
    with telling(f"{promised.name}: the point of the gradient check fails", draw):
        return [draw(rng)]


class _Point:
    """The arguments of a gradient check."""

    def __init__(self, promised: Promised, arguments: Arguments) -> None:
        self.promised = promised
        self.find = promised.find_right
        self.slopes = promised.slopes
        self.names = self.slopes.list_arguments(promised.form.arguments)
        self.arguments = list(arguments)
        if self.slopes.right is None:
            self.arguments = [map_reals(round_to_grid, each) for each in arguments]
        self.is_own = self.slopes.of is None
        self.loss = find_loss(promised.parsed)

    def make_check(self, most: int) -> GradientCheck | None:
        """Make the check; None where it would not tell right work from wrong. `most`: programs."""
        kept = self.slopes.right
        check = self._make_live(most) if kept is None else self._make_kept(kept)
        if check is None:
            return None
        replies = _run(check, self.find)
        try:
            if check.is_linear(replies):
                check = check._replace(allowed=SLOPES_OF_LINEAR)
            if self._is_fit(check, replies):
                return check
        except CheckFailed:  # a value is not finite
            pass
        return None

    def _is_fit(self, check: GradientCheck, replies: Replies) -> bool:
        """Return whether right work passes with something to spare, and with rounded losses."""
        single = _run(check, self._find_single)
        errors = map(check.measure, [replies, single])
        if max(errors) > 1 / _SPARE:
            return False
        rounded = map_leaves(_round_loss, replies)
        return not check.has_loss or check.measure(rounded) <= 1

    def _make_kept(self, function: Function) -> GradientCheck:
        """Make the check by the slopes of a right function."""
        right: dict[str, Any] = {}
        for part, name in self.slopes.by.items():
            given = self._name_arguments()
            point = np.asarray(given[name])
            values = []
            for moved in list_moved(point, _KEPT_STEP):
                given[name] = moved
                values.append(function(*given.values()))
            by_entry = compute_slopes(values, _KEPT_STEP)
            slopes = np.moveaxis(by_entry, 0, -1)
            right[part] = slopes.reshape(*np.shape(values[0]), *point.shape)
        return self._make_form(right)

    def _name_arguments(self) -> dict[str, Any]:
        return dict(zip(self.names, self.arguments, strict=False))

    def _make_form(self, right: dict[str, Any]) -> GradientCheck:
        """Make the check without what is about values; `right`: the gradients."""
        parts = tuple(each.name for each in self.promised.parsed.parts)
        program = self._write_gradients(self.arguments)
        of = "the right function"
        return GradientCheck(self.promised.name, (program, program), parts, right, of, SLOPES_OF_LINEAR)

    def _make_live(self, most: int) -> GradientCheck | None:
        """Make the check by values of student code; None where the right function fails, or the calls are too many."""
        slopes = self.slopes
        value = own = self._write_gradients(self.arguments)
        reply = run_program(own, self.find)
        if find_failure(reply) is not None:
            return None
        at_point = [own]
        of = f"your {self.loss}"
        if not self.is_own:
            value = self._write_value(self.arguments)
            at_point.append(value)
            of = _find_name(value)
        moved = list(self._list_moved())
        if len(moved) + 2 * len(at_point) > most:
            return None
        given = self._name_arguments()
        gradients = self.promised.form.name_right(reply)
        times = [np.asarray(given[name], dtype=np.float64) for name in slopes.times]
        check = self._make_form({part: gradients[part] for part in slopes.by})
        check = check._replace(
            programs=(*at_point, *map(self._write_value, moved), *at_point),
            of=of,
            allowed=SLOPES,
            counts=tuple(leaf.size for *_, leaf in self._list_arrays()),
            loss=self.loss if self.is_own else "",
            values=tuple(self._list_right(value)),
            times=tuple(times),
        )
        if slopes.nearest is not None:
            rule = Rule(read_source(slopes.nearest))
            check = check._replace(nearest=(rule,), arguments=given)
        return check

    def _list_right(self, program: Program) -> Iterator[tuple[Any, Factors]]:
        """List the right values at the point, each with the factors by which the slopes may be multiplied."""
        right = self._take_right(program, self.find)
        yield right, (1.0,)
        if self.is_own:
            for function in self.promised.alternatives.values():
                find_other = partial(self.find, function=function)
                yield self._take_right(program, find_other), (1.0,)
        if self.slopes.mean:
            mean = self._take_right(program, self._find_mean)
            yield mean, (1.0, mean / right)

    def _find_mean(self, name: str) -> Any:
        return self.slopes.mean.get(name) or self.find(name)

    def _take_right(self, program: Program, find: Find) -> Any:
        """Take the value from what a right function returns: a number, an array or several."""
        reply = run_program(program, find)
        (value,) = list_values([reply])
        if self.is_own:
            value = self.promised.form.name_right(reply)[self.loss]
        elif isinstance(value, tuple) and not self.slopes.times:
            value = next(each for each in value if np.size(each) == 1)
        if np.size(value) == 1:
            return float(value)
        return value

    def _list_arrays(self) -> Iterator[tuple[str, str, Any]]:
        """Yield the arrays that are moved: the name of the argument, of the array, and itself."""
        given = self._name_arguments()
        for name in self.slopes.by.values():
            leaves = name_leaves(name, given[name])
            for leaf_name, leaf in leaves.items():
                yield name, leaf_name, np.asarray(leaf)

    def _list_moved(self) -> Iterator[list[Any]]:
        """Yield the arguments around the point; of those that have a value by row, the row that is moved."""
        for name, leaf_name, leaf in self._list_arrays():
            for number, moved in enumerate(list_moved(leaf)):
                given = self._name_arguments()
                leaves = {leaf_name: moved}
                given[name] = replace_leaves(name, given[name], leaves)
                for each in self.slopes.alone:
                    entry = number // len(PLACES)
                    row = entry // leaf[0].size
                    given[each] = given[each][row : row + 1]
                yield list(given.values())

    def _write_gradients(self, arguments: Arguments) -> Program:
        driver = self.slopes.at or self.promised.driver
        return self.promised.write_program(driver, arguments)

    def _write_value(self, arguments: Arguments) -> Program:
        if self.is_own:
            return self._write_gradients(arguments)
        return self.promised.write_program(self.slopes.of, arguments)

    def _find_single(self, name: str) -> Any:
        """Find a right function, made one that works in single precision."""
        function = self.find(name)
        if isinstance(function, type):
            return function

        def compute(*arguments: Any) -> Any:
            single = convert_reals(arguments, np.float32)
            return map_leaves(_to_single, function(*single))

        return compute


def _to_single(leaf: Any) -> Any:
    if isinstance(leaf, float) or is_real(leaf):
        return np.float32(leaf)
    return leaf


def _run(check: GradientCheck, find: Find) -> Replies:
    return [run_program(each, find) for each in check.programs]


def _find_name(program: Program) -> str:
    """Find the function that a program calls last."""
    names = [each.name for each in program.steps if isinstance(each, Name)]
    return names[-1]


def _round_loss(leaf: Any) -> Any:
    if isinstance(leaf, float):
        return round(leaf, _DECIMALS)
    return leaf
