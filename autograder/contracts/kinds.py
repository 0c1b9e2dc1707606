"""Kinds: a class for each kind of argument, with its styles, its values, its sizes and how it is drawn.

`Kind` has what the rest of the package asks of a kind. A new kind is a class here that overrides what differs from it,
with its word in `WORDS`; only a kind that is not said by one word needs a rule in `signature_parser.py`, too. A scalar
lists its values, every other kind draws them; a value that is not plain is one of the recipes of `programs/recipes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from autograder.checks.wording import ENTRY
from autograder.contracts.case import NOTHING, Texts
from autograder.contracts.drawing import (
    GENERIC,
    INTEGER_STYLES,
    LABEL_STYLES,
    MASK_STYLES,
    REPEATED,
    STYLES,
    SURE_STYLES,
    Array,
    Drawing,
    Shape,
    Sizes,
    Styles,
    draw_distinct,
    draw_distribution,
    draw_labels,
    draw_mask,
    draw_reals,
)
from autograder.contracts.interval import ALL, Interval
from autograder.contracts.size_expression import Expression
from autograder.programs.recipes import Generator

ANY_SHAPE = "..."  # the name of the shape of arrays `(...)` among sizes
ITEM = "k"  # the number of an item, in the kind of a list's items
ITEMS = "items"  # among sizes, how long a list is of which no size says it
MOST_LABELS = 32  # of one array, in the words of a case
_MANY = 100
_MOST_ITEMS = 4  # in a list within a list
_TEXTS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
_SAME = "same"
_TWICE = "twice"
_DIFFERENT = "different"
_POOL_STYLES: Styles = {
    _SAME: "where all items of {} are the same",
    _TWICE: "where an item of {} occurs twice",
    _DIFFERENT: "where all items of {} differ",
}
"""The styles of lists of texts, numbers or chosen values."""

Way = tuple[str, ...]  # the names that lead to an argument, or to a key of a dict
Values = Mapping[Way, Any]  # drawn ones
Value = tuple[Any, str]  # of a scalar, with its words
Order = Callable[[Iterable[Any]], Iterable[Any]]
Change = Callable[[Any, Interval], Any]  # of real numbers of this interval


class NotDrawn(Exception):
    """Only the author can draw such a value; says what it is."""


class Kind:
    """A kind of argument.

    `items`: the keys of a dict. `item`, `length`: of a list, the kind of its items and how many there are, None where
    only their axes may say it. `axes`, `entries`: of an array; the axes are None for any shape. `interval`: of numbers.
    `below`: what integers are below. `expression`: what it is. `choices`: of a closed set. `is_scalar`: it is a number,
    a truth value or a text; `type`: "float", "int", "bool" or "str". `word`: what its author draws. `is_redrawn`: a
    second call gets another one. `has_dialogue`: student code may ask it something.
    """

    items: tuple[Argument, ...] = ()
    item: Kind | None = None
    length: Expression | None = None
    axes: tuple[Expression, ...] | None = None
    entries: str = ""
    interval: Interval = ALL
    below: Expression | None = None
    expression: Expression | None = None
    choices: tuple[Any, ...] = ()
    type: str = ""
    word: str = ""
    is_array = False
    is_scalar = False
    is_redrawn = False
    has_dialogue = False
    is_generator = False

    @property
    def styles(self) -> Styles:
        """The styles in which it is drawn besides the generic one, with their words."""
        return NOTHING

    @property
    def item_styles(self) -> Styles:
        """The styles of a list of such items."""
        return self.styles

    def list_values(self, default: Any, sizes: Sizes | None) -> list[Value]:
        """List the values of a scalar with words for each, the ordinary one first; none for other kinds.

        `default`: of the argument, or None. `sizes`: without them there are none for an index either.
        """
        return []

    def draw(self, drawing: Drawing) -> Any:
        """Draw a value; None where the kind has none in the style. KeyError for a size without a number."""
        raise NotDrawn("of a kind that is not drawn here")

    def draw_items(self, count: int, drawing: Drawing) -> list[Any] | None:
        """Draw the items of a list; None where there are none in the style."""
        style = GENERIC if drawing.style == REPEATED else drawing.style
        items = []
        for number in range(count):
            sizes = {**drawing.sizes, ITEM: number}
            items.append(self.draw(drawing._replace(style=style, sizes=sizes)))
        if any(item is None for item in items):
            return None
        if drawing.style == REPEATED:
            return [np.array(items[0]) for _ in items]
        return items

    def build(self, values: Values, way: Way, absent: Way = (), order: Order = iter) -> Any:
        """Build the value of an argument from drawn values, by the way to each.

        `absent`: a key that a dict lacks. `order`: arranges the keys of a dict.
        """
        return values[way]

    def map_reals(self, change: Change, value: Any) -> Any:
        """Return a value with `change` of its real numbers, for which no conditions but bounds are said."""
        return value

    def describe(self, name: str, value: Any) -> Iterator[str]:
        """Say what is special about a drawn value."""
        return iter(())

    def measure(self, value: Any) -> Sizes:
        """Read the sizes that are axes of a value."""
        return NOTHING

    def list_expressions(self) -> Iterator[Expression]:
        """Yield the expressions over sizes in it."""
        yield from self.axes or ()
        for expression in (self.below, self.length, self.expression):
            if expression is not None:
                yield expression
        if self.item is not None:
            yield from self.item.list_expressions()

    def list_sizes(self) -> Iterator[str]:
        """Yield the names in them, but for the number of an item."""
        not_sizes = set() if self.item is None else {ITEM}
        for expression in self.list_expressions():
            yield from sorted(expression.names - not_sizes)

    @property
    def labels(self) -> Texts:
        """The axis of a vector of labels, and the size that they are below; nothing for other kinds."""
        return ()

    @property
    def is_size(self) -> bool:
        """Whether it is a size where its name stands in a shape: an int without conditions."""
        return self == ScalarKind("int")

    @property
    def is_real(self) -> bool:
        """Whether it is an array of reals."""
        return self.entries == "real" and self.below is None

    @property
    def has_reals(self) -> bool:
        """Whether it is an array of reals, or a distribution, or a list of such."""
        array = self.item or self
        return array.is_real or array.entries == "distribution"

    @property
    def likeness(self) -> str:
        """What is equal for kinds that may have the same value; empty where that is not tried."""
        return ""


class Argument(NamedTuple):
    """An argument, or a key of a dict. `default`: its value where it is left out; None if it never is.

    `may_be_absent`: a key that callers may leave out.
    """

    name: str
    kind: Kind
    default: Expression | None = None
    may_be_absent: bool = False

    @property
    def is_optional(self) -> bool:
        """Whether callers may leave it out."""
        return self.default is not None or self.may_be_absent

    def list_values(self, sizes: Sizes | None = None) -> list[Value]:
        """List the values of a scalar with their words, the ordinary one first; none for other kinds.

        `sizes`: without them there are none for an index either.
        """
        return self.kind.list_values(self.known_default, sizes)

    def list_other_words(self) -> list[str]:
        """List the words for another value than the default, if there is one."""
        if self.default is None:
            return []
        return [f"where {self.name} is not its default"]

    def describe(self, value: Any) -> Iterator[str]:
        """Say what is special about a value."""
        yield from self.kind.describe(self.name, value)
        if self.kind.is_scalar and self.known_default not in (None, value):
            yield from self.list_other_words()

    @property
    def known_default(self) -> Any:
        """The default; None where there is none, or sizes say it."""
        if self.default is None or self.default.names:
            return None
        return self.default.evaluate({})


AS_RETURNED = Kind()  # of a part: whatever the reference returns


@dataclass(frozen=True)
class ArrayKind(Kind):
    """An array. `axes`: the sizes, None for any shape.

    `entries`: "real", "int", "bool", "onehot" or "distribution". `below`: entries are integers from 0 below this.
    """

    axes: tuple[Expression, ...] | None
    entries: str = "real"
    interval: Interval = ALL
    below: Expression | None = None
    is_distinct: bool = False
    type = ""
    is_array = True
    is_redrawn = True

    @property
    def styles(self) -> Styles:
        """The styles of its entries."""
        if self.below is not None:
            return LABEL_STYLES
        styles = {"int": INTEGER_STYLES, "onehot": LABEL_STYLES, "bool": MASK_STYLES, "distribution": SURE_STYLES}
        return styles.get(self.entries, STYLES)

    def draw(self, drawing: Drawing) -> Any:
        """Draw an array."""
        shape = self._compute_shape(drawing.sizes)
        if self.below is not None or self.entries == "int":
            return self._draw_integers(shape, drawing)
        if self.entries == "onehot":
            *shape_of_labels, classes = shape
            labels = draw_labels(tuple(shape_of_labels), classes, drawing)
            return None if labels is None else np.eye(classes)[labels]
        if self.entries == "bool":
            return draw_mask(shape, drawing)
        if self.entries == "distribution":
            return draw_distribution(shape, drawing)
        drawn = draw_reals(shape, self.interval, drawing)
        if drawn is None or not self.is_distinct:
            return drawn
        has_equal = np.unique(drawn).size < drawn.size
        return None if has_equal else drawn

    def _draw_integers(self, shape: Shape, drawing: Drawing) -> Array | None:
        if self.below is None:
            low, end = self.interval.find_integers()
        else:
            low = 0
            end = int(self.below.evaluate(drawing.sizes))
        draw = draw_distinct if self.is_distinct else draw_labels
        drawn = draw(shape, end - low, drawing)
        return None if drawn is None else low + drawn

    def _compute_shape(self, sizes: Sizes) -> Shape:
        if self.axes is None:
            return tuple(sizes[ANY_SHAPE])
        return tuple(int(axis.evaluate(sizes)) for axis in self.axes)

    def measure(self, value: Any) -> Sizes:
        """Read the sizes that are axes of an array."""
        if not isinstance(value, np.ndarray):
            return NOTHING
        if self.axes is None:
            return {ANY_SHAPE: value.shape}
        names = [axis.text for axis in self.axes]
        return dict(zip(names, value.shape, strict=False))

    def map_reals(self, change: Change, value: Any) -> Any:
        """Change reals."""
        if self.is_real:
            return change(value, self.interval)
        return value

    def describe(self, name: str, value: Any) -> Iterator[str]:
        """Say which integers occur."""
        if self.below is not None:
            for label in np.unique(value)[:MOST_LABELS]:
                yield f"{ENTRY}{name} is {label}"

    @property
    def labels(self) -> Texts:
        """The two sizes of a vector of integers, or of rows that are one-hot."""
        axes = tuple(axis.text for axis in self.axes or ())
        if self.entries == "onehot" and len(axes) == 2:
            return axes
        if self.below is not None and len(axes) == 1:
            return (*axes, self.below.text)
        return ()

    @property
    def likeness(self) -> str:
        """The axes of reals, whatever their bounds; all that is said of integers."""
        if self.below is not None or self.entries == "int":
            return repr(self)
        if not self.is_real or self.is_distinct:
            return ""
        if self.axes is None:
            return ANY_SHAPE
        return str([axis.text for axis in self.axes])


class PoolKind(Kind):
    """A kind with some values, from which lists draw their items."""

    @property
    def item_styles(self) -> Styles:
        """The styles of such lists."""
        return _POOL_STYLES

    def list_pool(self, sizes: Sizes) -> Sequence[Any]:
        """List the values."""
        return [value for value, _ in self.list_values(None, sizes)]

    def draw_items(self, count: int, drawing: Drawing) -> list[Any] | None:
        """Draw items, the first values more often: lists of one call have some in common, and some occur twice."""
        pool = self.list_pool(drawing.sizes)
        rng = drawing.rng
        style = drawing.style
        if style == _DIFFERENT:
            places = rng.permutation(len(pool))
            return [pool[place] for place in places[:count]] if count <= len(pool) else None
        shares = rng.random(size=count)
        items = [pool[int(len(pool) * share**3)] for share in shares]
        if style == _SAME:
            return items[:1] * count
        if style == _TWICE:
            return [*items[:-1], items[0]] if count > 1 else None
        return items


@dataclass(frozen=True)
class ScalarKind(PoolKind):
    """A number, truth value or text. `below`: as for arrays."""

    type: str
    interval: Interval = ALL
    below: Expression | None = None
    is_scalar = True

    def list_values(self, default: Any, sizes: Sizes | None) -> list[Value]:
        """List values of the type, or some indices."""
        if self.below is not None:
            return [] if sizes is None else _list_indices(int(self.below.evaluate(sizes)))
        if self.type == "bool":
            return [(True, "is True"), (False, "is False")]
        if self.type == "str":
            return [(text, "is another text") for text in _TEXTS]
        interval = self.interval
        numbers = interval.list_integers() if self.type == "int" else interval.list_reals(default)
        values = [] if default is None else [default]
        for number in numbers:
            if number != default and interval.contains(number, number):
                values.append(number)
        return [(value, _describe_number(value)) for value in values]

    def list_pool(self, sizes: Sizes) -> Sequence[Any]:
        """List the values, or all indices."""
        if self.below is None:
            return super().list_pool(sizes)
        return range(int(self.below.evaluate(sizes)))

    def map_reals(self, change: Change, value: Any) -> Any:
        """Change a real without bounds."""
        if self == ScalarKind("float"):
            return change(value, self.interval)
        return value


def _list_indices(end: int) -> list[Value]:
    middle = end // 2 if end <= _MANY else end - 2  # beyond 100, too, where there are as many
    words = {middle: "is between the first and the last"}
    words.setdefault(0, "is the first")
    words.setdefault(end - 1, "is the last")
    return list(words.items())


def _describe_number(value: float) -> str:
    if value in (0, 1):
        return f"is {value:g}"
    if value >= 20:
        return "is very large"
    if value >= 10:
        return "is large"
    if value > 1 and not isinstance(value, int):
        return "is above 1"
    if abs(value) < 0.05:
        return "is small"
    if 0.98 < value < 1:
        return "is near 1"
    return "is another number"


@dataclass(frozen=True)
class ChoiceKind(PoolKind):
    """One of some plain values; the first is the ordinary one."""

    choices: tuple[Any, ...]

    def list_values(self, default: Any, sizes: Sizes | None) -> list[Value]:
        """List all of them."""
        return [(value, f"is {value!r}") for value in self.choices]


@dataclass(frozen=True)
class ValueKind(Kind):
    """A value made of sizes."""

    expression: Expression

    def draw(self, drawing: Drawing) -> Any:
        """Compute it."""
        return self.expression.evaluate(drawing.sizes)


@dataclass(frozen=True)
class DictKind(Kind):
    """A dict with text keys."""

    items: tuple[Argument, ...]

    def build(self, values: Values, way: Way, absent: Way = (), order: Order = iter) -> Any:
        """Build a dict; dicts in it keep their order."""
        built = {}
        for item in self.items:
            item_way = (*way, item.name)
            if item_way != absent:
                built[item.name] = item.kind.build(values, item_way, absent)
        return dict(order(built.items()))


@dataclass(frozen=True)
class ListKind(Kind):
    """A list whose items are of one kind; `k` in it is the number of the item, from 0. `length`: of `str (N,)`."""

    item: Kind
    length: Expression | None = None
    is_redrawn = True

    @property
    def styles(self) -> Styles:
        """The styles of its items."""
        return self.item.item_styles

    @property
    def item_styles(self) -> Styles:
        """None: a list of lists is drawn in one way."""
        return NOTHING

    def draw(self, drawing: Drawing) -> Any:
        """Draw a list."""
        return self.item.draw_items(self._compute_length(drawing.sizes), drawing)

    def _compute_length(self, sizes: Sizes) -> int:
        lengths: list[int] = []
        for each in self.item.list_expressions():
            if ITEM in each.names:
                lengths += [len(sizes[name]) for name in each.indexed]
        if lengths:
            return min(lengths) - 1
        if self.length is not None:
            return int(self.length.evaluate(sizes))
        return int(sizes.get(ITEMS, 3))

    def draw_items(self, count: int, drawing: Drawing) -> list[Any] | None:
        """Draw lists, each of another length."""
        lists = []
        for _ in range(count):
            length = int(drawing.rng.integers(1, _MOST_ITEMS + 1))
            sizes = {**drawing.sizes, ITEMS: length}
            lists.append(self.draw(drawing._replace(sizes=sizes)))
        return lists

    def map_reals(self, change: Change, value: Any) -> Any:
        """Change the numbers of each item."""
        if isinstance(value, list):
            return [self.item.map_reals(change, item) for item in value]
        return value

    @property
    def likeness(self) -> str:
        """All that is said of it, if its items are from a pool."""
        if self.styles is _POOL_STYLES:
            return repr(self)
        return ""


@dataclass(frozen=True)
class GivenKind(Kind):
    """A value that the author draws; `word`: `any`, or what it is."""

    word: str
    is_redrawn = True
    has_dialogue = True

    def draw(self, drawing: Drawing) -> Any:
        """Say what it is."""
        raise NotDrawn(self.word)


@dataclass(frozen=True)
class GeneratorKind(Kind):
    """A generator of random numbers."""

    is_redrawn = True
    is_generator = True

    def draw(self, drawing: Drawing) -> Any:
        """Draw its seed."""
        seed = int(drawing.rng.integers(2**31))
        return Generator(seed)


WORDS: Mapping[str, Kind] = {
    "bool": ScalarKind("bool"),
    "str": ScalarKind("str"),
    "generator": GeneratorKind(),
}
"""The kinds that one word of a signature says, without conditions behind it."""
