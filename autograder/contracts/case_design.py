"""Case design: lists the cases of a contract as plans, one kind at a time, before anything is drawn.

A plan says, too, how the values that are drawn for it stand in the arguments of a call.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from autograder.contracts.case import CONSTANTS, NOTHING, ORDINARY, ROBUST, SIZES, STATE, VALUES, Texts
from autograder.contracts.drawing import GENERIC, HUGE_STYLES, INTEGERS, REPEATED, SPARSE, Sizes
from autograder.contracts.given import Given, list_words
from autograder.contracts.kinds import ANY_SHAPE, ITEMS, Argument, Kind, Order, Value, Values, Way
from autograder.contracts.promised import Promised
from autograder.contracts.size_expression import Expression
from autograder.contracts.sizes import LONG, SizeChooser
from autograder.plain_text import count, join_words
from autograder.programs.recipes import SLICED, TRANSPOSED

SINGLE = "single"  # the style of all arrays in float32
_ORDINARY_CASES = 3
_ORDINARY_ITEMS = 3
_OTHERS = 24  # more cases of a function whose arguments the author draws: nothing says what differs in them
_VECTOR = (5,)
_LENGTHS = (*range(1, 9), 12)
_LAST_INDICES = (3, 4, 5, 6, 7, 8, LONG)
_EQUAL_CHAIN = (3, 3, 3, 3)
_MOST_CHOICES = 8
_LAYOUTS = {
    TRANSPOSED: "for arrays that are transposed in memory",
    SLICED: "for arrays that are slices of larger ones",
}


class CaseDesign(NamedTuple):
    """The plan of one case. `words`: its kind. `sizes`, `styles`, `constants`: where it differs from an ordinary case.

    `same_sizes`: it has the sizes of the first case. `like_first`: it is drawn as the first case, but for `redrawn`.
    `left_out`: the first argument that the call leaves out. `absent`: a key that a dict lacks. `all_arrays`: a style of
    all arrays at once. `alike`: arrays that take the values of the first of them. `key_order`: arranges the keys of
    dicts. `given`: arguments of the author's. `unjudged`: parts that are not looked at. `is_small`: sizes are as small
    as they can be and differ. `is_refilled`: the call gets the objects of the first case, with other contents.
    """

    group: str
    words: Texts = ()
    sizes: Sizes = NOTHING
    styles: Mapping[Way, str] = NOTHING
    constants: Values = NOTHING
    same_sizes: bool = False
    like_first: bool = False
    redrawn: Way = ()
    left_out: str = ""
    absent: Way = ()
    all_arrays: str = ""
    alike: tuple[Way, ...] = ()
    key_order: Order = iter
    given: Any = None
    unjudged: Sequence[str] = ()
    is_small: bool = False
    is_refilled: bool = False

    def unite(self, other: CaseDesign) -> CaseDesign:
        """Return this plan with what differs from an ordinary case in another one, too."""
        return self._replace(
            sizes={**self.sizes, **other.sizes},
            styles={**self.styles, **other.styles},
            constants={**self.constants, **other.constants},
            left_out=other.left_out or self.left_out,
            absent=other.absent or self.absent,
            all_arrays=other.all_arrays or self.all_arrays,
            alike=other.alike or self.alike,
        )

    @property
    def changed(self) -> set[str]:
        """The names of the scalars that differ from ordinary ones."""
        return {way[-1] for way in self.constants}


Designs = Iterator[CaseDesign]


def list_ordinary(promised: Promised) -> Designs:
    """List ordinary cases: the first leaves out what may be left out, the others give every argument.

    The second has the sizes of the first, so that what a function remembers shows. Arrays of any shape are matrices,
    and vectors in the last, so that code that takes matrices alone shows.
    """
    signature = promised.parsed
    chooser = promised.chooser
    ranks = rank_alike(promised)
    leaves = dict(promised.leaves)
    optional = [each.name for each in signature.arguments if each.is_optional]
    for number in range(_ORDINARY_CASES):
        chosen = {}
        for way, rank in ranks.items():
            values = leaves[way].list_values()
            if values:
                chosen[way], _ = values[(number + rank) % len(values)]
        design = CaseDesign(ORDINARY, constants=chosen)
        if number == 0 and optional:
            design = design._replace(left_out=optional[0])
        if number == 1 and signature.condition.names <= set(chooser.names):
            design = design._replace(same_sizes=True)
        if number == _ORDINARY_CASES - 1 and chooser.has_any_shape:
            design = design._replace(sizes={ANY_SHAPE: _VECTOR})
        yield design


def rank_alike(promised: Promised) -> dict[Way, int]:
    """Number the arguments that are alike but for their names, so that two such numbers differ in most cases."""
    ranks: dict[Way, int] = {}
    seen: list[Argument] = []
    for way, leaf in promised.leaves:
        if leaf.name not in promised.chooser.names:
            nameless = leaf._replace(name="")
            ranks[way] = seen.count(nameless)
            seen.append(nameless)
    return ranks


def list_everywhere(promised: Promised) -> Designs:
    """List the cases of a function, one kind at a time; the first is an ordinary one."""
    chooser = promised.chooser
    kinds = [leaf.kind for _, leaf in promised.leaves]
    given = promised.said.given
    lists = dict.fromkeys(chooser.indexed, _ORDINARY_ITEMS)
    yield CaseDesign(SIZES, sizes=lists)
    # Directly behind its like, so that a function that looks at the call before shows, too.
    yield _vary(STATE, "in a second call with the same arguments")
    for sizes in chooser.list_wanted():
        yield CaseDesign(SIZES, sizes=sizes)
    yield from _list_lengths(kinds)
    for way, leaf in promised.leaves:
        for style, words in _list_styles(leaf, promised).items():
            yield _vary(VALUES, words, styles={way: style})
    if any(kind.has_reals for kind in kinds):
        yield CaseDesign(VALUES, ("for float32",), all_arrays=SINGLE)
        for layout, words in _LAYOUTS.items():
            yield CaseDesign(VALUES, (words,), all_arrays=layout)
    yield from _list_alike(promised)
    yield from _list_others(promised)
    yield from _list_equal_items(promised)
    yield from (plan_given(each) for each in given if each.group != ROBUST)
    yield from _list_constant_cases(promised)
    yield from _list_second_calls(promised)
    if promised.driver is None and any(kind.is_redrawn for kind in kinds):
        words = "in a second call with the same objects, whose contents have changed"
        yield CaseDesign(STATE, (words,), same_sizes=True, is_refilled=True)
    yield from (plan_given(each) for each in given if each.group == ROBUST)
    yield from _list_huge(promised)


def plan_given(given: Given) -> CaseDesign:
    """Plan a case of the author's."""
    arguments, words, group, unjudged = given
    return CaseDesign(group, list_words(words), given=arguments, unjudged=unjudged)


def _vary(group: str, words: str, **differences: Any) -> CaseDesign:
    """Plan a case that differs from the first in little."""
    return CaseDesign(group, (words,), like_first=True, **differences)


def _list_huge(promised: Promised) -> Designs:
    """List cases in which entries of a stable argument are huge."""
    for way, leaf in promised.leaves:
        if leaf.name not in promised.stable:
            continue
        unjudged = promised.list_unjudged(leaf.name)
        for style, words in HUGE_STYLES.items():
            huge = words.format(leaf.name)
            yield _vary(ROBUST, huge, styles={way: style}, unjudged=unjudged)


def _list_styles(leaf: Argument, promised: Promised) -> dict[str, str]:
    """List the styles of an argument with their words: of its kind, and the author's."""
    name = leaf.name
    styles = {style: words.format(name) for style, words in leaf.kind.styles.items()}
    for words in promised.list_drawn(name):
        styles[words] = words
    if name in promised.integers:
        styles[INTEGERS] = f"for integer {name}"
    return styles


def _list_alike(promised: Promised) -> Designs:
    """List cases in which all arrays of one shape, or lists of one kind, are equal; one may have bounds, or be drawn.

    Also with zeros in some places, since where all arrays are 0 at one place there may be a kink.
    """
    groups: dict[str, dict[Way, Kind]] = {}
    for way, leaf in promised.leaves:
        if leaf.kind.likeness:
            group = groups.setdefault(leaf.kind.likeness, {})
            group[way] = leaf.kind
    for kinds in groups.values():
        has_reals = False
        bounded = []
        for way, kind in kinds.items():
            has_reals |= kind.is_real
            if way[-1] in promised.draw or (kind.is_real and not kind.interval.is_all):
                bounded.append(way)
        if len(kinds) < 2 or len(bounded) > 1:
            continue
        names = join_words([way[-1] for way in kinds])
        words = f"where {names} are equal"
        alike = tuple(dict.fromkeys([*bounded, *kinds]))
        yield _vary(VALUES, words, alike=alike)
        if has_reals and promised.said.avoids_jumps:
            yield _vary(VALUES, words, styles={alike[0]: SPARSE}, alike=alike)


def _list_others(promised: Promised) -> Designs:
    """List more cases where all that can differ is what the author draws, in one way."""
    others = []
    for _, leaf in promised.leaves:
        if leaf.kind.is_array or promised.list_drawn(leaf.name):
            return
        if leaf.kind.has_dialogue and leaf.name in promised.draw:
            others.append(f"another {leaf.name}")
    if others:
        words = f"for {join_words(others)}"
        yield from [CaseDesign(VALUES, (words,))] * _OTHERS


def _list_equal_items(promised: Promised) -> Designs:
    """List cases in which the items of a list are equal arrays."""
    chains = dict.fromkeys(promised.chooser.indexed, _EQUAL_CHAIN)
    for way, leaf in promised.leaves:
        if chains and leaf.kind.item is not None:
            words = f"where the items of {leaf.name} are equal"
            yield CaseDesign(VALUES, (words,), chains, {way: REPEATED})


def _list_lengths(kinds: Sequence[Kind]) -> Designs:
    """List lengths of lists that no size sets."""
    items = []
    for kind in kinds:
        if kind.item is not None and kind.length is None:
            items.append(kind.item)
    if not items or any(item.axes for item in items):
        return
    for length in _LENGTHS:
        words = f"for lists of {count(length, 'item')}"
        yield CaseDesign(SIZES, (words,), {ITEMS: length})


def _list_constant_cases(promised: Promised) -> Designs:
    chooser = promised.chooser
    for way, leaf in promised.leaves:
        name = leaf.name
        if name in chooser.names:
            continue
        yield from _list_indices(way, leaf, chooser)
        is_like = name not in promised.parsed.condition.names
        for value, words in leaf.list_values()[1:]:
            named = (f"where {name} {words}", *leaf.list_other_words())
            yield CaseDesign(CONSTANTS, named, constants={way: value}, like_first=is_like)
        if len(way) > 1 and leaf.is_optional:
            yield _vary(CONSTANTS, f"where {name} is absent", absent=way)
    yield from _list_combinations(promised)
    yield from _list_left_out(promised)


def _list_indices(way: Way, leaf: Argument, chooser: SizeChooser) -> Designs:
    """List the first and the last index below a size, and each that may be the last."""
    end = leaf.kind.below
    if end is None or not leaf.kind.is_scalar:
        return
    is_first = {way: _Index(1)}
    is_last = {way: _Index(2)}
    yield _vary(CONSTANTS, f"where {leaf.name} is the first", constants=is_first)
    yield _vary(CONSTANTS, f"where {leaf.name} is the last", constants=is_last)
    for last in _LAST_INDICES:
        words = f"where {leaf.name} is {last}"
        sizes = _find_sizes(end, last + 1, chooser)
        if sizes:
            yield CaseDesign(CONSTANTS, (words,), sizes, constants=is_last)


def _find_sizes(end: Expression, wanted: int, chooser: SizeChooser) -> Sizes:
    """Find sizes by which an expression is `wanted`: a size itself, or the last one of a list, `D[-1]`."""
    if end.text in chooser.names:
        return {end.text: wanted}
    name = end.text.removesuffix("[-1]")
    if name in chooser.indexed and name != end.text:
        return {name: (2, 3, wanted)}
    return {}


class _Index(NamedTuple):
    """The place of an index in the list of an argument's values."""

    place: int


def pick_constant(values: Sequence[Value], wanted: Any) -> Any:
    """Return the `wanted` value of a scalar, which may be a named index."""
    if not isinstance(wanted, _Index):
        return wanted
    place = min(wanted.place, len(values) - 1)
    value, _ = values[place]
    return value


def _list_combinations(promised: Promised) -> Designs:
    """List the combinations of closed sets, if there are few."""
    choices = {way: leaf.kind.choices for way, leaf in promised.leaves if leaf.kind.choices}
    combined = list(itertools.product(*choices.values()))
    if len(choices) < 2 or len(combined) > _MOST_CHOICES:
        return
    for values in combined:
        chosen = dict(zip(choices, values, strict=True))
        each = [f"{way[-1]} is {value!r}" for way, value in chosen.items()]
        words = f"where {' and '.join(each)}"
        yield CaseDesign(CONSTANTS, (words,), constants=chosen)


def _list_left_out(promised: Promised) -> Designs:
    """List calls that leave out the last arguments; those before have other values than their defaults."""
    optional = [each for each in promised.parsed.arguments if each.is_optional]
    others: dict[Way, Any] = {}
    for each in optional:
        for value, _ in each.list_values()[1:2]:
            others[each.name,] = value
    for place, first in enumerate(optional):
        words = [f"where {each.name} is left out" for each in optional[place:]]
        for each in optional[:place]:
            words += each.list_other_words()
        if place:
            words.append(f"where {optional[place - 1].name} is given and {first.name} left out")
        yield CaseDesign(CONSTANTS, tuple(words), constants=others, left_out=first.name, like_first=True)


def _list_second_calls(promised: Promised) -> Designs:
    """List calls that differ from the first in one argument, or in the order of a dict."""
    for way, leaf in promised.leaves:
        words = f"in a second call with another {leaf.name}"
        if leaf.kind.is_redrawn:
            yield _vary(STATE, words, styles={way: GENERIC}, redrawn=way)
        elif leaf.name in promised.parsed.condition.names:  # in no case like the first
            for value, _ in leaf.list_values()[1:]:
                yield _vary(STATE, words, constants={way: value})
    for argument in promised.parsed.arguments:
        if len(argument.kind.items) > 1:
            words = f"where the keys of {argument.name} are in another order"
            yield _vary(STATE, words, key_order=reversed)
            yield _vary(STATE, words, key_order=sorted)
