"""Talk: records a call of a function that is given objects, and asks it with the dialogues written down."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograder.contracts.live_argument import make_heard, serve_heard
from autograder.contracts.number_types import copy_given
from autograder.contracts.request import Find
from autograder.student import Module


class Talk(NamedTuple):
    """One call; the reply is its value and the arguments as the call left them: of a toy, the dialogue with it."""

    function: str
    arguments: tuple[Any, ...]
    part: None = None
    is_plain: bool = False

    def ask(self, module: Module) -> Any:
        """Return the reply of a student's module; CallFailed where there is none."""
        given, heard = serve_heard(self.arguments)
        value, left = getattr(module, self.function).with_arguments(*given)
        return value, [heard.get(place, each) for place, each in enumerate(left)]

    def answer(self, find: Find) -> Any:
        """Return the reply of functions of this process, which may raise anything."""
        given, heard = make_heard(copy_given(self.arguments))
        value = find(self.function)(*given)
        return value, [heard.get(place, each) for place, each in enumerate(given)]


class Draws(NamedTuple):
    """Calls in turn with one and the same generator; the reply is the list of their values.

    `generator`: its place among the arguments.
    """

    function: str
    arguments: tuple[Any, ...]
    generator: int
    calls: int
    part: None = None
    is_plain: bool = False

    def ask(self, module: Module) -> Any:
        """Return the reply of a student's module; CallFailed where there is none."""
        given = list(self.arguments)
        given[self.generator] = given[self.generator].serve()
        return getattr(module, self.function).each([given] * self.calls)

    def answer(self, find: Find) -> Any:
        """Return the reply of functions of this process, which may raise anything."""
        rng = self.arguments[self.generator].make()
        calls = [[*copy_given(self.arguments)] for _ in range(self.calls)]
        return [find(self.function)(*(rng if k == self.generator else v for k, v in enumerate(c))) for c in calls]
