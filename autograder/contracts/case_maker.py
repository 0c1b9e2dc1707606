"""Case maker: turns the plans of a contract's cases into calls with their right values, from a private seed."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.checks.values import is_equal
from autograder.contracts.call_values import (
    are_apart,
    convert_reals,
    is_finite,
    move_aside,
    require_crossing,
)
from autograder.contracts.case import ORDINARY, ROBUST, STATE, Case
from autograder.contracts.case_design import SINGLE, CaseDesign, Way, build_arguments, list_constants, pick_constant
from autograder.contracts.drawing import GENERIC, draw_value, make_generator
from autograder.contracts.given import LEFT_OUT, Where
from autograder.contracts.part_comparison import is_right
from autograder.contracts.promised import Promised, describe_fault
from autograder.contracts.signature import (
    Argument,
    ArrayKind,
    ContractError,
    GivenKind,
    ListKind,
    list_expressions,
)
from autograder.contracts.sizes import SizeValues, describe_labels, describe_sizes
from autograder.programs.recipes import Generator

_SHOWN_TYPES = (ArrayKind, ListKind)
_USUAL_ITEMS = (3, 7)  # from and below, of a list of which no size says how long it is
_SMALLER = 0.9  # each time, of large entries
_FITTED = 30  # constants that are tried at most, until sizes fit
_APART, _AGAIN = 1000, 20  # between the numbers of one case, drawn so often at most; a row has fewer cases


class CaseMaker:
    """Makes the cases of one check; `purpose`: separates the cases of a function's checks from each other."""

    def __init__(self, promised: Promised, seed: str, purpose: str) -> None:
        self._promised = promised
        self._leaves = list(promised.parsed.list_leaves())
        self._stem = f"{seed}\n{promised.name}\n{purpose}"
        self._first: dict[Way, Any] = {}
        self._first_sizes: SizeValues = {}
        self._first_number, self._largest = 0, promised.largest
        self._constants = {way: known for way, each in self._leaves if (known := list_constants(each))}

    def make(self, designs: Sequence[CaseDesign]) -> tuple[Case, ...]:
        """Make the cases that can be: where sizes, a style and finite right values exist."""
        return tuple(filter(None, map(self._make_telling, itertools.count(), designs)))

    def generate(self, number: int, *way: str) -> np.random.Generator:
        """Return the generator of one argument of one case."""
        return make_generator(self._stem, str(number), *way)

    def _make_telling(self, number: int, design: CaseDesign) -> Case | None:
        """Make a case, again while it is too hard, or an ordinary one tells little: a right value is all zeros."""
        for again in range(_AGAIN):
            self._largest = self._promised.largest * _SMALLER**again
            is_new = again >= _AGAIN // 2 and design.group != STATE  # drawn as the first case, it stays too hard
            like = design._replace(like_first=False) if is_new else design
            case = self._make_one(number + again * _APART, like)
            is_ordinary = number == 0 or design.group == ORDINARY
            if case is None or not ((is_ordinary and _has_zeros(case.expected)) or self._is_too_hard(case)):
                break
        return case

    def _is_too_hard(self, case: Case) -> bool:
        """Tell whether a naive right formula fails in a case that is not about robustness."""
        return case.group != ROBUST and not all(self._is_right_by(each, case) for each in self._promised.naive)

    def _is_right_by(self, formula: Callable[..., Any], case: Case) -> bool:
        try:
            found = self._promised.find_expected(case.arguments, formula)
        except Exception:  # noqa: BLE001  (whatever a formula raises, the case is too hard for it)
            return False
        judged = {part: right for part, right in case.expected.items() if part not in case.unjudged}
        return all(is_right(found.get(part), right, is_single=case.is_single) for part, right in judged.items())

    def _make_one(self, number: int, design: CaseDesign) -> Case | None:
        if design.given is not None:
            return self._finish(design, self._take_given(number, design), {})
        source = self._first_number if design.like_first else number
        defaults = self._promised.find_defaults(design.left_out, design.absent)
        design, sizes = self._fit(source, design._replace(constants={**design.constants, **defaults}))
        values = self._draw(number, source, design, sizes) if sizes is not None else None
        if values is None or sizes is None:
            return None
        case = self._finish(design, self._build(values, design), sizes)
        if case is None or (self._promised.said.avoids_jumps and self._has_jump(values, design)):
            return None
        labels = describe_labels(self._leaves, values) if design.group != ORDINARY else ()
        return case._replace(kinds=(*case.kinds, *labels))

    def _take_given(self, number: int, design: CaseDesign) -> tuple[Any, ...]:
        """Take the arguments of the author's, or have his function make them."""
        if not callable(design.given):
            return tuple(copy.deepcopy(design.given))
        try:
            return tuple(design.given(self.generate(number)))
        except Exception as error:
            what = f"{self._promised.name}: the case {' '.join(design.words)!r} fails"
            raise ContractError(f"{what} {describe_fault(error, design.given)}") from error

    def _build(self, values: Mapping[Way, Any], design: CaseDesign) -> tuple[Any, ...]:
        """Build the arguments of a call."""
        return build_arguments(self._promised.parsed.arguments, values, design)

    def _has_jump(self, values: Mapping[Way, Any], design: CaseDesign) -> bool:
        """Tell whether right values differ on the two sides of a point, as they do at ties and kinks."""
        sides = (self._build(move_aside(self._leaves, values, sign), design) for sign in (1, -1))
        return are_apart(*(self._promised.find_expected(each) for each in sides))

    def _fit(self, source: int, design: CaseDesign) -> tuple[CaseDesign, SizeValues | None]:
        """Choose sizes; where none fit the ordinary constants, with other ones that stand in the condition."""
        if design.like_first:
            return design, self._choose_sizes(source, design)
        condition = self._promised.parsed.condition
        free = {way: values for way, values in self._constants.items() if way not in design.constants}
        free = {way: free[way] for way in free if condition is not None and way[-1] in condition.names}
        for chosen in itertools.islice(itertools.product(*free.values()), _FITTED):
            constants = {way: value for way, (value, _) in zip(free, chosen, strict=True)}
            tried = design._replace(constants={**constants, **design.constants})
            sizes = self._choose_sizes(source, tried)
            if sizes is not None:
                return tried, sizes
        return design, None

    def _draw(self, number: int, source: int, design: CaseDesign, sizes: SizeValues) -> dict[Way, Any] | None:
        """Draw every argument; None where the design cannot be. `source`: the number of the case it is drawn like."""
        values: dict[Way, Any] = {}
        is_like_first, constants = design.like_first, {way[-1] for way in design.constants}
        for way, leaf in self._leaves:
            is_drawn_by_author = leaf.name in self._promised.draw and not design.redrawn
            has_other_shape = any(each.names & constants for each in list_expressions(leaf.kind))
            is_changed = is_drawn_by_author or has_other_shape or way in design.styles or way in design.constants
            if is_like_first and way in self._first and not is_changed:
                values[way] = self._first[way]
            else:
                is_varied = design.like_first and not is_drawn_by_author
                is_another = is_drawn_by_author and way in design.constants  # the author chooses which
                again = number if is_another else source + (number - number % _APART) * is_varied
                drawn = {way[-1]: value for way, value in values.items()} if leaf.name in self._promised.draw else {}
                for each in range(number, number + _AGAIN * _APART, _APART) if design.redrawn == way else (again,):
                    values[way] = self._draw_leaf(leaf, each, way, design, {**sizes, **drawn})
                    if not is_equal(values[way], self._first.get(way)):
                        break
            if values[way] is None:
                return None
        values |= {way: values[design.alike[0]].copy() for way in design.alike[1:]}
        if number % _APART == 0:
            self._first, self._first_sizes, self._first_number = values, sizes, number
        is_single = design.all_arrays == SINGLE
        return {way: convert_reals(each, np.float32) for way, each in values.items()} if is_single else values

    def _choose_sizes(self, source: int, design: CaseDesign) -> SizeValues | None:
        chooser = self._promised.chooser
        if (design.like_first or design.same_sizes) and self._first_sizes:
            changed = {way[-1]: value for way, value in design.constants.items() if way in self._constants}
            sizes = {**self._first_sizes, **{name: changed[name] for name in chooser.constants & changed.keys()}}
            return sizes if chooser.holds(sizes) else None
        constants = {
            each.name: design.constants.get(way, self._constants[way][0][0])
            for way, each in self._leaves
            if each.name in chooser.constants and way in self._constants
        }
        wanted = {**constants, **design.sizes}
        chosen = chooser.choose(self.generate(source, "sizes"), wanted, is_small=design.is_small)
        if chosen is not None:
            chosen.setdefault("items", int(self.generate(source, "items").integers(*_USUAL_ITEMS)))
        return chosen

    def _draw_leaf(self, leaf: Argument, number: int, way: Way, design: CaseDesign, sizes: SizeValues) -> Any:
        style, rng = design.styles.get(way, GENERIC), self.generate(number, *way)
        if leaf.name in self._promised.draw:
            draw = self._promised.draw[leaf.name]
            draw = draw.get(style, draw[""]) if isinstance(draw, Mapping) else draw
            return draw(sizes, rng, style)
        if leaf.name in self._promised.chooser.names and not isinstance(leaf.kind, _SHOWN_TYPES):
            return sizes[leaf.name]
        if leaf.is_generator:
            return Generator(int(rng.integers(2**31)))
        if isinstance(leaf.kind, GivenKind):
            what = f"{self._promised.name}: {leaf.name} is {leaf.kind.name}"
            raise ContractError(f"{what}; say how to draw it: draw={{{leaf.name!r}: function}}, in a contract by hand")
        if values := list_constants(leaf, sizes):
            return pick_constant(values, design.constants.get(way))
        try:
            return draw_value(leaf.kind, style, sizes, rng, largest=self._largest)
        except KeyError as error:
            what = f"{self._promised.name}: nothing says how large {error.args[0]} is, an axis of {leaf.name}"
            raise ContractError(f"{what}; name it in another argument, or draw the array") from error

    def _finish(self, design: CaseDesign, arguments: tuple[Any, ...], sizes: SizeValues) -> Case | None:
        """Compute the right values; None where they are not finite, or the author leaves such a case out."""
        require_crossing(self._promised.parsed, arguments)
        holding = [each for each in self._promised.said.conditions if self._holds(each, arguments)]
        said = holding if design.given is None else []
        group = next((each.group for each in said if each.group), design.group)
        if group == LEFT_OUT:
            return None
        kinds = self._describe(design, holding, sizes) if group != ORDINARY else ()
        expected = self._find_expected(arguments, kinds)
        unjudged = (*design.unjudged, *(part for each in said for part in each.unjudged))
        if not is_finite({part: value for part, value in expected.items() if part not in unjudged}):
            return None
        pieces = self._promised.lengths.items() if sizes else ()
        segments = {part: {words: int(one.evaluate(sizes)) for words, one in each.items()} for part, each in pieces}
        program, left = self._promised.make_program(arguments, ())
        single = design.all_arrays == SINGLE
        return Case(program, arguments, expected, group, kinds, single, unjudged, segments, left)

    def _find_expected(self, arguments: tuple[Any, ...], kinds: Sequence[str]) -> dict[str, Any]:
        try:
            return self._promised.find_expected(arguments)
        except ContractError:
            raise
        except Exception as error:
            where = kinds[0] if kinds else "in an ordinary case"
            name = self._promised.name
            raise ContractError(f"{name}: the right function fails {where}: {type(error).__name__}: {error}") from error

    def _describe(self, design: CaseDesign, holding: Sequence[Where], sizes: SizeValues) -> tuple[str, ...]:
        words = list(design.words)
        for each in holding:
            words += each.kinds
        words += describe_sizes(sizes, self._promised.chooser.names)
        return tuple(dict.fromkeys(words))

    def _holds(self, said: Where, arguments: tuple[Any, ...]) -> bool:
        condition: Any = said.condition
        try:
            return bool(condition(*arguments))
        except Exception as error:
            what = f"{self._promised.name}: the condition of {' '.join(said.kinds)!r} fails"
            raise ContractError(f"{what} {describe_fault(error, condition)}") from error


def _has_zeros(expected: Mapping[str, Any]) -> bool:
    """Whether an array among right values is all zeros."""
    return any(isinstance(each, np.ndarray) and each.size > 1 and not each.any() for each in expected.values())
