"""Object action: says what a method of a class may be called with in a state, as its author declared it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.drawing import GENERIC, draw_value, list_scalars
from autograder.contracts.object_request import Step
from autograder.contracts.signature import Argument, ChoiceKind, ContractError, ListKind, ScalarKind, Signature
from autograder.contracts.signature_parser import parse_signature
from autograder.contracts.sizes import SizeChooser

Guard = Callable[[Any], Any]
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_NUMBERS = 50  # items of lists of numbers are below it
_STYLES = (GENERIC, GENERIC, "positive", "negative")  # of arrays; no style in which rows may be equal
_MOST_ROWS = 8  # an array of a call has 1 to so many
_SQUARE = 3  # so many times more often, sizes are those that others have


class Action(NamedTuple):
    """A method whose arguments are drawn. `signature`: of these; `when`: tells whether an object takes the call.

    `returns`: the attribute that it returns, where it does; the two are compared alike. `after`: the methods that have
    to be called first.
    """

    signature: str = ""
    when: Guard | None = None
    returns: str = ""
    after: Sequence[str] = ()


class Repeated(NamedTuple):
    """A method that takes a list of arguments of `action`, each legal in turn; `returns`: as for an `Action`."""

    action: str
    returns: str = ""


class Choices(NamedTuple):
    """A method with one argument; `guard`: lists the legal values of it for an object."""

    guard: Guard


AnyAction = Action | Repeated | Choices


class Caller:
    """Lists the calls that may be made of an object. `start`: the constructor's signature."""

    def __init__(self, name: str, start: Signature, actions: Mapping[str, AnyAction]) -> None:
        self._actions = {key: each for key, each in actions.items() if not isinstance(each, Repeated)}
        self._signatures = {
            key: _parse(each.signature, f"{name}.{key}")
            for key, each in self._actions.items()
            if isinstance(each, Action)
        }
        self.start = start
        joined = [*start.arguments, *(one for each in self._signatures.values() for one in each.arguments)]
        self._chooser = SizeChooser(Signature(name, tuple(joined), (), start.condition))
        self._fixed = {*SizeChooser(start).names, *(each.name for each in start.arguments)}
        counted = Counter(name for each in self._signatures.values() for name in SizeChooser(each).names)
        self._shared = {name for name, count in counted.items() if count > 1} - self._fixed

    def choose_sizes(self, rng: np.random.Generator, fixed: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Choose sizes; those of the constructor, or of several methods, stay as in `fixed`.

        Others are from 1 to 8, and often one of those, for square arrays.
        """
        names = [name for name in self._chooser.names if name not in self._fixed]
        kept = {name: size for name, size in (fixed or {}).items() if name in self._fixed | self._shared}
        usual = [*range(1, _MOST_ROWS + 1), *_SQUARE * [each for each in kept.values() if type(each) is int]]
        free = {name: int(rng.choice(usual)) for name in names}
        sizes = self._chooser.choose(rng, {**free, **kept})
        if sizes is None:
            raise ContractError(f"{self.start.name}: no sizes fit")
        return sizes

    def draw_start(
        self, sizes: Mapping[str, Any], rng: np.random.Generator, *, items: Sequence[Any] | None = None
    ) -> tuple[Any, ...]:
        """Draw the constructor's arguments; `items`: those of its lists of texts or numbers."""
        return tuple(self._draw(each, sizes, rng, items) for each in self.start.arguments)

    def list_calls(
        self, made: Any, sizes: Mapping[str, Any], rng: np.random.Generator, taken: Sequence[Step] = ()
    ) -> list[Step]:
        """List the legal calls; one of each method whose arguments are drawn. `taken`: the calls before."""
        called = {step.method for step in taken}
        steps: list[Step] = []
        for key, each in self._actions.items():
            if isinstance(each, Choices):
                steps += [Step(key, (value,)) for value in each.guard(made)]
            elif isinstance(each, Action) and called.issuperset(each.after) and (each.when is None or each.when(made)):
                chosen = self.choose_sizes(rng, sizes)
                drawn = (self._draw(one, chosen, rng, None) for one in self._signatures[key].arguments)
                steps.append(Step(key, tuple(drawn)))
        return steps

    def describe_step(self, step: Step) -> str:
        """Say which step it is: the value of a closed set, else the method's name."""
        return str(step.arguments[0]) if isinstance(self._actions.get(step.method), Choices) else step.method

    def _draw(
        self, argument: Argument, sizes: Mapping[str, Any], rng: np.random.Generator, items: Sequence[Any] | None
    ) -> Any:
        kind = argument.kind
        if isinstance(kind, ListKind) and isinstance(kind.item, ScalarKind):
            return list(draw_items(kind.item, int(rng.integers(1, _MOST_ROWS)), rng) if items is None else items)
        if argument.name in sizes:
            return sizes[argument.name]
        if isinstance(kind, ChoiceKind):
            return kind.values[int(rng.integers(len(kind.values)))]
        if kind == ScalarKind("str"):
            return draw_items(kind, 1, rng)[0]
        if isinstance(kind, ScalarKind):
            values = list_scalars(kind, None, sizes)
            return values[int(rng.integers(len(values)))][0]
        found = draw_value(kind, _STYLES[int(rng.integers(len(_STYLES)))], sizes, rng)
        value = draw_value(kind, GENERIC, sizes, rng) if found is None else found
        if value is None:
            raise ContractError(f"{self.start.name}: {argument.name} cannot be drawn")
        return value


def draw_items(kind: ScalarKind, count: int, rng: np.random.Generator) -> list[Any]:
    """Draw different words, or integers that may be equal."""
    if kind.type != "str":
        return [int(each) for each in rng.integers(0, _NUMBERS, size=count)]
    words: dict[str, None] = {}
    while len(words) < count:
        places = rng.integers(0, (len(_CONSONANTS), len(_VOWELS)) * 3)
        letters = (each[place] for each, place in zip((_CONSONANTS, _VOWELS) * 3, places, strict=True))
        words["".join(letters)] = None
    return list(words)


def _parse(text: str, name: str) -> Signature:
    return parse_signature(text if "->" in text else f"{text} -> none", name=name)
