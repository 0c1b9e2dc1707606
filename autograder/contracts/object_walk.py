"""Object walk: finds states of a class that legal steps lead to, with what may be done in each of them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.call_values import copy_value
from autograder.contracts.object_action import Caller, draw_items
from autograder.contracts.object_request import Step
from autograder.contracts.signature import ListKind, ScalarKind
from autograder.contracts.sizes import LONG

DISTINCT, EQUAL, TWINS, IN_TURN, NAMED = "distinct", "equal", "twins", "in turn", "named"
"""The styles of a list: all items differ, all are equal, two neighbours are, two take turns, some are known texts."""
STYLES = {DISTINCT: 3, EQUAL: 1, TWINS: 1, IN_TURN: 2, NAMED: 1}  # how many walks of each
_LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14)
_MOST_STEPS = 40
_MOST_STEPS_UNSEEN = 6  # where no state can be assigned, so that each case takes all steps before its own
_FAVOURED = 0.75  # how often one kind of step is taken in a short walk
LONG_LISTS = LONG + 12
_LONG_STEPS, _EVERY = 3 * LONG_LISTS, 12  # of a long walk, the states after so many steps each


_NOTHING: Mapping[str, int] = MappingProxyType({})


class Situation(NamedTuple):
    """A state, and the step that is taken in it. `before`: the steps that led to it, `after`: those that follow.

    `measures`: the lengths of the state's lists and of the step's arguments, by name.
    """

    arguments: tuple[Any, ...]
    before: tuple[Step, ...]
    state: Mapping[str, Any]
    step: Step
    style: str
    after: tuple[Step, ...] = ()
    measures: Mapping[str, int] = _NOTHING


class Walker:
    """Walks from new objects of the right class; `attributes`: what a state is."""

    def __init__(self, make: Callable[..., Any], caller: Caller, attributes: Sequence[str]) -> None:
        self._make, self._caller, self._attributes = make, caller, tuple(attributes)
        kinds = [each.kind for each in caller.start.arguments]
        items = [each.item for each in kinds if isinstance(each, ListKind) and isinstance(each.item, ScalarKind)]
        self._items = items[0] if items else None

    @property
    def takes_lists(self) -> bool:
        """Whether an argument of the constructor is a list of texts or numbers."""
        return self._items is not None

    def draw_start(self, style: str, length: int, rng: np.random.Generator) -> tuple[Any, ...]:
        """Draw the arguments of the constructor."""
        return self._caller.draw_start(self._caller.choose_sizes(rng), rng, items=self._draw_items(style, length, rng))

    def find_situations(self, rng: np.random.Generator, *, is_ordinary: bool = False) -> list[Situation]:
        """List situations: of short walks of each style, and of long ones; for ordinary cases, of short ones alone."""
        found: list[Situation] = []
        labels = self._list_labels(rng)
        for style, repeats in {DISTINCT: STYLES[DISTINCT]}.items() if is_ordinary else STYLES.items():
            for length in _LENGTHS * repeats if self.takes_lists or style == DISTINCT else ():
                found += self.walk(rng, style, length, (None, *labels)[int(rng.integers(1 + len(labels)))])
        for label in (None, *labels) if self.takes_lists and not is_ordinary else ():
            found += self.walk(rng, DISTINCT, LONG_LISTS, label, is_long=True)
        return found

    def walk(
        self, rng: np.random.Generator, style: str, length: int, label: str | None, *, is_long: bool = False
    ) -> list[Situation]:
        """Walk from a new object; `label`: the step that is taken where it is legal, most times."""
        sizes = self._caller.choose_sizes(rng)
        arguments = self._caller.draw_start(sizes, rng, items=self._draw_items(style, length, rng))
        made = self._make(*copy.deepcopy(arguments))
        steps: list[Step] = []
        states: list[tuple[int, Mapping[str, Any], list[Step]]] = []
        most = _MOST_STEPS if self._attributes else _MOST_STEPS_UNSEEN
        for number in range(_LONG_STEPS if is_long else most):
            calls = self._caller.list_calls(made, sizes, rng, steps)
            if not calls:
                break
            if not is_long or number % _EVERY < 2:
                states.append((number, read_state(made, self._attributes), calls))
            favoured = [
                each
                for each in calls
                if self._caller.describe_step(each) == label and (is_long or rng.random() < _FAVOURED)
            ]
            chosen = (favoured or calls)[int(rng.integers(len(favoured or calls)))]
            steps.append(chosen)
            getattr(made, chosen.method)(*copy.deepcopy(chosen.arguments))
        return [
            Situation(arguments, tuple(steps[:number]), state, call, style, tuple(steps[number:]))
            for number, state, calls in states
            for call in calls
        ]

    def _list_labels(self, rng: np.random.Generator) -> list[str]:
        first = self.walk(rng, DISTINCT, _LENGTHS[6], None)
        return list(dict.fromkeys(self._caller.describe_step(each.step) for each in first))

    def _draw_items(self, style: str, length: int, rng: np.random.Generator) -> list[Any] | None:
        if self._items is None:
            return None
        items = draw_items(self._items, length, rng)
        if style == EQUAL:
            return items[:1] * length
        if style == IN_TURN:
            return [items[place % 2 if place < length - 1 else place] for place in range(length)]
        if style == TWINS and length > 1:
            place = int(rng.integers(length - 1))
            return [*items[: place + 1], items[place], *items[place + 2 :]]
        if style == NAMED:
            for text in self._list_texts(items):
                items[int(rng.integers(length))] = text
        return items

    def _list_texts(self, items: list[Any]) -> Iterator[str]:
        """List the texts that a new object holds of its own."""
        sizes = self._caller.choose_sizes(np.random.default_rng(0))
        made = self._make(*self._caller.draw_start(sizes, np.random.default_rng(0), items=items))
        for value in read_state(made, self._attributes).values():
            yield from (
                (each for each in value if isinstance(each, str) and each not in items)
                if (isinstance(value, list))
                else ()
            )


def read_state(made: Any, attributes: Sequence[str]) -> dict[str, Any]:
    """Read a copy of the attributes; None for one that is not there yet."""
    return {name: copy_value(getattr(made, name, None)) for name in attributes}
