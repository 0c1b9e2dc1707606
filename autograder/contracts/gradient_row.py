"""Gradient row: judges whether returned gradients are the slopes of a value, as data: programs and right values.

The value is a loss, which is the one returned value of size 1; or arrays, which are multiplied by given ones and
summed; or an array that has a Jacobian. It has to be right itself at the point: a right derivative of another loss
earns nothing.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed, describe_end
from autograder.checks.gradient_check import are_linear, compute_slopes, measure_error, require_slopes
from autograder.checks.values import Array, NotNumbers, convert_to_numbers
from autograder.contracts.call_values import has_shapes_of, name_leaves, take_leaves
from autograder.contracts.case import NOTHING, Named, Replies, Reply, Texts
from autograder.contracts.judgement import KEPT, Judgement
from autograder.contracts.part_comparison import Rule, compare_part, is_right
from autograder.contracts.reply import find_failure, is_other, permute
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.program import Program

Factors = tuple[float, ...]


class GradientCheck(NamedTuple):
    """Programs around a point, and what is right there.

    `programs`: that of the gradients; that of the value at the point, where it is another one; those of the values
    around it, entry by entry; those at the point again. `parts`: what the first one returns, by name. `right`: by part,
    the right gradients, or the kept slopes. `counts`: of the entries that are moved, for each array among them. `of`:
    the value, in words. `loss`: its name among `parts`, empty where another program returns it. `values`: those that
    are right, each with the factors by which the slopes may be multiplied; none where slopes are kept. `times`: the
    arrays by which those of the value are multiplied. `allowed`: the error, as a share of the largest slope. `nearest`:
    the rules that find the right value, with `arguments`.
    """

    function: str
    programs: tuple[Program, ...]
    parts: Texts
    right: Named
    of: str
    allowed: float
    counts: tuple[int, ...] = ()
    loss: str = ""
    values: tuple[tuple[Any, Factors], ...] = ()
    times: tuple[Array, ...] = ()
    nearest: tuple[Rule, ...] = ()
    arguments: Named = NOTHING

    @property
    def has_loss(self) -> bool:
        """Whether the value is a number."""
        return bool(self.values) and isinstance(self._right_value, float)

    @property
    def at_point(self) -> int:
        """How many programs are at the point: one more where another one than that of the gradients has the value."""
        return 2 if self.values and not self.loss else 1

    @property
    def groups(self) -> Texts:
        """None: all programs earn together."""
        return ()

    def judge(self, replies: Replies) -> Judgement:
        """Judge the replies: all or nothing."""
        for number, reply in enumerate(replies[: -self.at_point]):
            ended = find_failure(reply)
            if ended is not None:
                failure = self._describe_end(number, ended)
                return Judgement(failure, failing=((number, ""),))
        difference = self._find_difference(replies)
        if difference is not None:  # no call alone shows it
            return Judgement(difference)
        wrong = self._find_failure(list_values(replies))
        if wrong is None:
            return Judgement()
        return Judgement(wrong, failing=((0, ""),))

    def measure(self, replies: Replies) -> float:
        """Measure the largest error of right gradients, as a share of what is allowed."""
        values = list_values(replies)
        slopes = self._compute_slopes(values)
        first, *_ = self._list_named(values[0])
        gradients = self._take_gradients(first)
        errors = []
        for name, each in slopes.items():
            gradient = np.asarray(gradients[name])
            errors.append(measure_error(gradient, each))
        return max(errors) / self.allowed

    def is_linear(self, replies: Replies) -> bool:
        """Return whether the value is linear in each entry, by right replies."""
        if not self.values or self.has_loss:
            return False
        around = self._measure_around(list_values(replies))
        return are_linear(around)

    def _take_value(self, value: Any) -> Any:
        """Take the value from what a call returned: a loss is the only part of size 1."""
        if not self.has_loss or not isinstance(value, (list, tuple)):
            return value
        numbers = list(filter(_is_number, value))
        if len(numbers) == 1:
            return numbers[0]
        place = self.parts.index(self.loss) if self.loss else 0
        if place < len(value):
            return value[place]
        return value

    def _measure_around(self, values: Reply) -> list[Array]:
        around = values[self.at_point : -self.at_point]
        return list(map(self._measure_value, around))

    def _measure_value(self, value: Any) -> Array:
        """Return what the slopes are of: a number, or an array that has a Jacobian."""
        taken = self._take_value(value)
        if not self.times:
            return checks.array(self.of, taken, np.shape(self._right_value))
        if len(self.times) == 1:
            taken = [taken]
        names = [self.of] * len(self.times)
        arrays = checks.parts(self.of, taken, names)
        total = np.zeros(())
        for array, times in zip(arrays, self.times, strict=True):
            found = checks.array(self.of, array, times.shape)
            total += (found.astype(np.float64) * times).sum()
        return total

    @property
    def _right_value(self) -> Any:
        value, _ = self.values[0]
        return value

    def _describe_end(self, number: int, ended: Outcome) -> CheckFailed:
        """Describe how a call near the point ended; CallFailed for one at it, or of a function that is not written."""
        if number == 0 or ended.kind is OutcomeKind.NOT_WRITTEN:
            raise CallFailed(ended)
        found = f"a call near it {describe_end(ended)}"
        return CheckFailed(self.function, expected="a value and its gradients", found=found)

    def _find_difference(self, replies: Replies) -> CheckFailed | None:
        """Find whether a program at the point has another reply when it runs again."""
        for first, second in zip(replies, replies[-self.at_point :], strict=False):
            if any(map(is_other, first, second)):
                same = "the same values in two calls with the same arguments"
                return CheckFailed(self.function, expected=same, found="different values", hint=KEPT)
        return None

    def _find_failure(self, values: Reply) -> CheckFailed | None:
        """Find what is wrong, with advice on which of value and gradient to look at."""
        factors: Factors = (1.0,)
        wrong_value = None
        gradients = values[0]
        try:
            if self.values:
                value = self._take_value(values[self.at_point - 1])
                factors = self._find_factors(value)
        except CheckFailed as failure:
            wrong_value = failure
        try:
            slopes = self._compute_slopes(values)
        except CheckFailed as failure:
            return wrong_value or failure
        wrong_gradient = self._find_wrong_gradient(gradients, slopes, factors)
        if wrong_gradient is not None and self._find_wrong_gradient(gradients, self._name_right(), (1.0,)) is None:
            return self._blame_value(values, wrong_gradient)
        if wrong_value is None:
            return wrong_gradient
        what = f"Your gradient is not right for {self.of} either"
        if wrong_gradient is None:
            what = f"Your gradient is right for {self.of}, which is not the function asked for"
        return wrong_value.copy_with(hint=f"{what}: look at {self.of} first.")

    def _blame_value(self, values: Reply, wrong_gradient: CheckFailed) -> CheckFailed:
        """Say of the right gradient that its value is wrong at the point, where another may be accepted, or near it."""
        try:
            value = self._take_value(values[self.at_point - 1])
            nearest = self._find_nearest(value, self._right_value)
            compare_part(self.of, value, nearest)
        except CheckFailed as wrong_value:
            hint = f"Your gradient is the right one: look at {self.of} first."
            return wrong_value.copy_with(hint=hint)
        hint = f"Your gradient is the right one: look at how {self.of} changes near this point."
        return wrong_gradient.copy_with(hint=hint)

    def _find_factors(self, value: Any) -> Factors:
        """Find by what the slopes may be multiplied where this value is returned; CheckFailed for a wrong one."""
        for right, factors in self.values:
            nearest = self._find_nearest(value, right)
            if is_right(value, nearest):
                return factors
        nearest = self._find_nearest(value, self._right_value)
        compare_part(self.of, value, nearest)
        raise AssertionError("a value is wrong and passes its comparison")

    def _find_nearest(self, value: Any, right: Any) -> Any:
        for rule in self.nearest:
            right = rule.find_right(self.of, right, self.arguments, {self.of: value})
        return right

    def _compute_slopes(self, values: Reply) -> dict[str, Array]:
        """Compute the slopes by the names of the gradients; CheckFailed where a value is none."""
        right = self._name_right()
        if not self.values:
            return right
        around = self._measure_around(values)
        ends = np.cumsum(self.counts)
        by_array = np.split(compute_slopes(around), ends[:-1])
        named: dict[str, Array] = {}
        for name, by_entry in zip(right, by_array, strict=True):
            slopes = np.moveaxis(by_entry, 0, -1)
            named[name] = slopes.reshape(right[name].shape)
        return named

    def _find_wrong_gradient(self, value: Any, slopes: Named, factors: Factors) -> CheckFailed | None:
        """Find what is wrong with the gradients in the first order that fits; None where one is right."""
        first = None
        try:
            tried = itertools.product(factors, map(self._take_gradients, self._list_named(value)))
            for factor, gradients in tried:
                failure = self._compare(gradients, slopes, factor)
                if failure is None:
                    return None
                first = first or failure
        except CheckFailed as failure:
            return failure
        return first

    def _compare(self, gradients: Named, slopes: Named, factor: float) -> CheckFailed | None:
        """Compare gradients with slopes; return the first failure."""
        hint = ""
        if self.values:
            hint = f"{self.of.replace('your', 'Your')} is right here: look at the gradient."
        try:
            for name, each in slopes.items():
                expected = factor * each
                require_slopes(name, gradients[name], expected, of=self.of, allowed=self.allowed, hint=hint)
        except CheckFailed as failure:
            return failure
        return None

    def _list_named(self, value: Any) -> list[Named]:
        """List the returned parts by name in each order that fits, the written one first; CheckFailed for too few."""
        if len(self.parts) == 1:
            return [dict.fromkeys(self.parts, value)]
        returned = checks.parts(self.function, value, self.parts)
        named: list[Named] = []
        for order in permute(self.parts):
            named.append(dict(zip(order, returned, strict=True)))
        fitting = list(filter(self._fits, named))
        return fitting or named[:1]

    def _fits(self, named: Named) -> bool:
        """Return whether parts have the shapes of those that are right."""
        if self.loss and not _is_number(named[self.loss]):
            return False
        return all(has_shapes_of(named[part], right) for part, right in self.right.items())

    def _take_gradients(self, named: Named) -> Named:
        """Take the arrays of the gradients; CheckFailed where one is missing."""
        taken: dict[str, Any] = {}
        for part, right in self.right.items():
            taken |= take_leaves(part, named[part], right)
        return taken

    def _name_right(self) -> dict[str, Array]:
        """Name the arrays of the right gradients."""
        named: dict[str, Array] = {}
        for part, right in self.right.items():
            leaves = name_leaves(part, right)
            for name, leaf in leaves.items():
                named[name] = np.asarray(leaf)
        return named


def list_values(replies: Replies) -> list[Any]:
    """List what each program returned."""
    return [reply[0] if len(reply) == 1 else tuple(reply) for reply in replies]


def _is_number(value: Any) -> bool:
    """Return whether a returned value is a number, or an array of one."""
    try:
        return convert_to_numbers(value).size == 1
    except NotNumbers:
        return False
