"""Object walk: finds states of a class that legal steps lead to, with what may be done in each of them."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.action import Action, AnyAction, Repeated
from autograder.contracts.case import NOTHING
from autograder.contracts.check import BESIDE, GIVEN, RETURNED
from autograder.contracts.drawing import GENERIC, draw_value, list_scalars, pick
from autograder.contracts.signature import (
    Argument,
    ChoiceKind,
    ContractError,
    ListKind,
    ScalarKind,
    Signature,
    require_written,
)
from autograder.contracts.signature_parser import parse_signature
from autograder.contracts.sizes import LONG, SizeChooser
from autograder.programs.calls import ProgramWriter
from autograder.programs.program import Call, Get, Name, Program, Result, Set
from autograder.programs.recipes import copy_argument as copy_value

DISTINCT, EQUAL, TWINS, IN_TURN, NAMED = "distinct", "equal", "twins", "in turn", "named"
"""The styles of a list: all items differ, all are equal, two neighbours are, two take turns, some are known texts."""
STYLES = {DISTINCT: 3, EQUAL: 1, TWINS: 1, IN_TURN: 2, NAMED: 1}  # how many walks of each
_LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14)
_MOST_STEPS = 40
_MOST_LABELS = 16  # kinds of steps, each with walks and cases of its own
_MOST_STEPS_UNSEEN = 6  # where no state can be assigned, so that each case takes all steps before its own
_FAVOURED = 0.75  # how often one kind of step is taken in a short walk
LONG_LISTS = LONG + 12
_LONG_STEPS, _EVERY = 3 * LONG_LISTS, 12  # of a long walk, the states after so many steps each
_ARRAY_STYLES = (GENERIC, GENERIC, "positive", "negative")  # no style in which rows may be equal
_MOST_ROWS = 8  # an array of a call has 1 to so many
_SQUARE = 3  # so many times more often, sizes are those that others have
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_NUMBERS = 50  # items of lists of numbers are below it


class Step(NamedTuple):
    """One call of a method."""

    method: str
    arguments: tuple[Any, ...]


def assign(made: Any, values: Mapping[str, Any]) -> None:
    """Assign copies of the values of attributes."""
    for name, value in values.items():
        setattr(made, name, copy_value(value))


def take_steps(made: Any, steps: Sequence[Step]) -> Any:
    """Take steps, and return what the last one returned."""
    returned = None
    for step in steps:
        returned = getattr(made, step.method)(*copy_value(step.arguments))
    return returned


def write_object(
    name: str,
    arguments: Sequence[Any],
    assigned: Mapping[str, Any],
    steps: Sequence[Step],
    observed: Sequence[str],
    *,
    looks_beside: bool = False,
    used: Sequence[Step] = (),
) -> tuple[Program, tuple[str, ...]]:
    """Write what is done with an object of a class, and return it with the names of the parts of the reply.

    `assigned`: values of attributes. `observed`: the attributes that are read, and what the last step returns.
    `looks_beside`: another object is made before the steps, of the same arguments; both are read after them. `used`:
    the steps that yet another object takes before, of which nothing is looked at.
    """
    writer = ProgramWriter()
    if used:
        before = writer.call(name, arguments)
        for step in used:
            writer.call_method(before, *step)
    given = tuple(map(writer.make, arguments))
    kind = writer.add(Name(name))
    made = writer.add(Call(kind, given))
    other = writer.add(Call(kind, given)) if looks_beside else None
    for attribute, value in assigned.items():
        writer.add(Set(made, attribute, writer.make(value)))
    returned = [writer.call_method(made, *step) for step in steps]
    parts: dict[str, Any] = {RETURNED: returned[-1]} if steps else {}
    parts |= {each: writer.add(Get(made, each)) for each in observed}
    if other is not None:
        parts[BESIDE] = [writer.add(Get(other, each)) for each in observed]
        parts[GIVEN] = [each for each in given if isinstance(each, Result)]
    return writer.finish(list(parts.values())), tuple(parts)


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
    measures: Mapping[str, int] = NOTHING


@dataclass(eq=False)
class PromisedClass:
    """What is said of a class, as `ObjectContract` describes it, and walks from its new objects by legal steps."""

    reference: type
    _: KW_ONLY
    start: str
    state: Sequence[str]
    actions: Mapping[str, AnyAction]
    kept: Sequence[str] = ()
    unordered: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    robust_share: float = 0.1
    part_shares: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.name = self.reference.__name__
        self.parsed = parse_signature(f"{self.start} -> made", name=self.name)
        self._require_consistent()
        for method in ("__init__", *self.actions):
            require_written(getattr(self.reference, method), f"{self.start} -> made")
        texts = {key: each.signature for key, each in self.actions.items() if isinstance(each, Action)}
        self._signatures = {
            key: parse_signature(text if "->" in text else f"{text} -> none", name=f"{self.name}.{key}")
            for key, text in texts.items()
        }
        joined = [*self.parsed.arguments, *(one for each in self._signatures.values() for one in each.arguments)]
        self._chooser = SizeChooser(Signature(self.name, tuple(joined), (), self.parsed.condition))
        self._of_start = {*SizeChooser(self.parsed).names, *(each.name for each in self.parsed.arguments)}
        counted = Counter(name for each in self._signatures.values() for name in SizeChooser(each).names)
        shared = {name for name, count in counted.items() if count > 1}  # by several methods
        self._kept_sizes = self._of_start | shared
        self._listed, self._items = _find_free_list(self.parsed.arguments)

    def _require_consistent(self) -> None:
        for key, each in self.actions.items():
            if not callable(getattr(self.reference, key, None)):
                raise ContractError(f"{self.name}: the right class has no method {key}")
            for name in each.after if isinstance(each, Action) else ():
                if name not in self.actions:
                    raise ContractError(f"{self.name}: {key} comes after {name}, which is no action")
            if isinstance(each, Repeated) and not callable(self.actions.get(each.action)):
                raise ContractError(f"{self.name}: {key} repeats {each.action}, which is no action with legal values")
        for name in (*self.unordered, *self.part_shares):
            if name not in (*self.state, *self.kept, RETURNED):
                raise ContractError(f"{self.name}: {name} is none of the attributes {', '.join(self.state)}")

    @property
    def takes_lists(self) -> bool:
        """Whether an argument of the constructor is a list of texts or numbers."""
        return self._items is not None

    def draw_start(self, style: str, length: int, rng: np.random.Generator) -> tuple[dict[str, Any], tuple[Any, ...]]:
        """Draw sizes, and the arguments of the constructor."""
        sizes = self._choose_sizes(rng)
        return sizes, self._draw_start(sizes, self._draw_items(style, length, sizes, rng), rng)

    def find_situations(self, rng: np.random.Generator, *, is_ordinary: bool = False) -> list[Situation]:
        """List situations: of short walks of each style, and of long ones; for ordinary cases, of short ones alone."""
        found: list[Situation] = []
        first = self._walk(rng, DISTINCT, _LENGTHS[6], None)
        labels = (None, *dict.fromkeys(self.name_step(each.step) for each in first))
        if len(labels) > _MOST_LABELS:
            many = f"its methods have {len(labels) - 1} legal values, and each is judged apart"
            raise ContractError(f"{self.name}: {many}; list a few, or write an Action, or the checks by hand")
        for style, repeats in {DISTINCT: STYLES[DISTINCT]}.items() if is_ordinary else STYLES.items():
            for length in _LENGTHS * repeats if self.takes_lists or style == DISTINCT else ():
                found += self._walk(rng, style, length, pick(labels, rng))
        for label in labels if self.takes_lists and not is_ordinary else ():
            found += self._walk(rng, DISTINCT, LONG_LISTS, label, is_long=True)
        return found

    def _walk(
        self, rng: np.random.Generator, style: str, length: int, label: str | None, *, is_long: bool = False
    ) -> list[Situation]:
        """Walk from a new object; `label`: the step that is taken where it is legal, most times."""
        sizes, arguments = self.draw_start(style, length, rng)
        made = self.reference(*copy.deepcopy(arguments))
        steps: list[Step] = []
        states: list[tuple[int, Mapping[str, Any], list[Step]]] = []
        most = _MOST_STEPS if self.state else _MOST_STEPS_UNSEEN
        for number in range(_LONG_STEPS if is_long else most):
            calls = list(self._list_calls(made, sizes, rng, {step.method for step in steps}))
            if not calls:
                break
            if not is_long or number % _EVERY < 2:
                states.append((number, read_state(made, self.state), calls))
            alike = (each for each in calls if self.name_step(each) == label)
            favoured = [each for each in alike if is_long or rng.random() < _FAVOURED]
            chosen = pick(favoured or calls, rng)
            steps.append(chosen)
            take_steps(made, [chosen])
        return [
            Situation(arguments, tuple(steps[:number]), state, call, style, tuple(steps[number:]))
            for number, state, calls in states
            for call in calls
        ]

    def _list_calls(
        self, made: Any, sizes: Mapping[str, Any], rng: np.random.Generator, called: set[str]
    ) -> Iterator[Step]:
        """List the legal calls; one of each method whose arguments are drawn. `called`: the methods before."""
        for key, each in self.actions.items():
            if callable(each):
                yield from (Step(key, (value,)) for value in each(made))
            elif isinstance(each, Action) and called.issuperset(each.after) and self.is_legal(made, Step(key, ())):
                chosen = self._choose_sizes(rng, sizes)
                yield Step(key, tuple(self._draw(one, chosen, rng) for one in self._signatures[key].arguments))

    def is_legal(self, made: Any, step: Step) -> bool:
        """Tell whether an object takes a step."""
        action = self.actions[step.method]
        if isinstance(action, Action):
            return action.when is None or bool(action.when(made))
        return callable(action) and step.arguments[0] in action(made)

    def list_repeated(self, step: Step) -> list[Step]:
        """List the steps that a step repeats; of others, itself."""
        action = self.actions[step.method]
        return [Step(action.action, (each,)) for each in step.arguments[0]] if isinstance(action, Repeated) else [step]

    def describe_step(self, step: Step) -> str:
        """Say which kind of step it is: the value of a closed set; empty where the method has one kind alone."""
        return str(step.arguments[0]) if callable(self.actions[step.method]) else ""

    def name_step(self, step: Step) -> str:
        """Name a step by its kind, or by its method."""
        return self.describe_step(step) or step.method

    def _choose_sizes(self, rng: np.random.Generator, fixed: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
        """Choose sizes; those of the constructor, or of several methods, stay as in `fixed`.

        Others are from 1 to 8, and often one of those, for square arrays.
        """
        names = [name for name in self._chooser.names if name not in self._of_start]
        kept = {name: size for name, size in fixed.items() if name in self._kept_sizes}
        usual = [*range(1, _MOST_ROWS + 1), *_SQUARE * [each for each in kept.values() if type(each) is int]]
        free = {name: int(rng.choice(usual)) for name in names}
        sizes = self._chooser.choose(rng, {**free, **kept})
        if sizes is None:
            raise ContractError(f"{self.name}: no sizes fit")
        return sizes

    def _draw_start(
        self, sizes: Mapping[str, Any], items: Sequence[Any] | None, rng: np.random.Generator
    ) -> tuple[Any, ...]:
        """Draw the arguments of the constructor; `items`: those of its first list, of which others have as many."""
        return tuple(
            list(items)
            if each.name == self._listed and items is not None
            else self._draw(each, sizes, rng, count=None if items is None else len(items))
            for each in self.parsed.arguments
        )

    def _draw(
        self, argument: Argument, sizes: Mapping[str, Any], rng: np.random.Generator, *, count: int | None = None
    ) -> Any:
        """Draw an argument; `count`: the length of a list that may have any."""
        kind = argument.kind
        if isinstance(kind, ListKind) and isinstance(kind.item, ScalarKind):
            count = int(rng.integers(1, _MOST_ROWS)) if count is None else count
            if self._items is None or kind.length is not None:  # words that other calls have, too
                return draw_value(kind, GENERIC, {**sizes, "items": count}, rng)
            return draw_items(kind.item, count, sizes, rng)
        if argument.name in sizes:
            return sizes[argument.name]
        if isinstance(kind, ChoiceKind):
            return pick(kind.values, rng)
        if kind == ScalarKind("str"):
            return draw_items(kind, 1, sizes, rng)[0]
        if isinstance(kind, ScalarKind):
            return pick(list_scalars(kind, None, sizes), rng)[0]
        found = draw_value(kind, pick(_ARRAY_STYLES, rng), sizes, rng)
        value = draw_value(kind, GENERIC, sizes, rng) if found is None else found
        if value is None:
            raise ContractError(f"{self.name}: {argument.name} cannot be drawn")
        return value

    def _draw_items(
        self, style: str, length: int, sizes: Mapping[str, Any], rng: np.random.Generator
    ) -> list[Any] | None:
        if self._items is None:
            return None
        items = draw_items(self._items, length, sizes, rng)
        if style == EQUAL:
            return items[:1] * length
        if style == IN_TURN:
            return [items[place % 2 if place < length - 1 else place] for place in range(length)]
        if style == TWINS and length > 1:
            place = int(rng.integers(length - 1))
            return [*items[: place + 1], items[place], *items[place + 2 :]]
        for text in self._list_texts(items) if style == NAMED else ():
            items[int(rng.integers(length))] = text
        return items

    def _list_texts(self, items: list[Any]) -> Iterator[str]:
        """List the texts that a new object holds of its own."""
        sizes = self._choose_sizes(np.random.default_rng(0))
        made = self.reference(*self._draw_start(sizes, items, np.random.default_rng(0)))
        lists = [each for each in read_state(made, self.state).values() if isinstance(each, list)]
        return (each for one in lists for each in one if isinstance(each, str) and each not in items)


def read_state(made: Any, attributes: Sequence[str]) -> dict[str, Any]:
    """Read a copy of the attributes; None for one that is not there yet."""
    return {name: copy_value(getattr(made, name, None)) for name in attributes}


def _find_free_list(arguments: Sequence[Argument]) -> tuple[str, ScalarKind | None]:
    """Find the first list of texts or numbers that has any length: its name and the kind of its items."""
    for each in arguments:
        kind = each.kind
        if isinstance(kind, ListKind) and isinstance(kind.item, ScalarKind) and kind.length is None:
            return each.name, kind.item
    return "", None


def draw_items(kind: ScalarKind, count: int, sizes: Mapping[str, Any], rng: np.random.Generator) -> list[Any]:
    """Draw different words, or numbers that may be equal."""
    if kind == ScalarKind("int"):
        return [int(each) for each in rng.integers(0, _NUMBERS, size=count)]
    if kind.type != "str":
        return list(draw_value(ListKind(kind), GENERIC, {**sizes, "items": count}, rng))
    words: dict[str, None] = {}
    while len(words) < count:
        places = rng.integers(0, (len(_CONSONANTS), len(_VOWELS)) * 3)
        letters = (each[place] for each, place in zip((_CONSONANTS, _VOWELS) * 3, places, strict=True))
        words["".join(letters)] = None
    return list(words)
