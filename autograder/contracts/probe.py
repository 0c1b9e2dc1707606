"""Probe: asks, after a failed case, whether the returned gradients are the slopes of the loss that is returned too.

It calls the student's function near the failed case. What it finds gives words, never points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from autograder.checks import checks
from autograder.checks.gradient_check import explain_gradient
from autograder.contracts.argument_leaves import move_arguments, name_point, take_gradients
from autograder.contracts.case_judgement import Wrong
from autograder.contracts.check import CaseCheck
from autograder.contracts.live_argument import serve_live
from autograder.student import Module, Student


@contextmanager
def explain_slopes(check: CaseCheck, wrong: Wrong | None, student: Student, module: Module) -> Iterator[None]:
    """Add to the failure that is raised in the block whether the gradients are those of the student's own loss."""
    if wrong is None or not check.gradients or check.find_value(wrong.part) not in (check.loss, *check.gradients):
        yield
        return
    near = _Neighbourhood(check, wrong, module)
    with explain_gradient(student, near.at, near.evaluate):
        yield


class _Neighbourhood:
    """The calls around one case. `at`: the arrays that the loss depends on, each under the name of its gradient."""

    def __init__(self, check: CaseCheck, wrong: Wrong, module: Module) -> None:
        self._check, self._places, self._module = check, wrong.places, module
        self._arguments = check.cases[wrong.number].arguments
        self.at = name_point(check.gradients, self._arguments)

    def evaluate(self, points: Sequence[Mapping[str, Any]]) -> list[tuple[object, dict[str, object]]]:
        """Return the student's loss and gradients at each point."""
        calls = [serve_live(move_arguments(self._check.gradients, self._arguments, point)) for point in points]
        return [self._split(value) for value in getattr(self._module, self._check.function).each(calls)]

    def _split(self, value: Any) -> tuple[object, dict[str, object]]:
        check, places = self._check, self._places
        names = [f"value {place + 1}" for place in range(check.value_count)]
        values = checks.parts(check.function, value, names)
        named = {part: values[place] for part, place in places.items()}
        return named[check.loss], take_gradients(check.gradients, self._arguments, named)
