"""Case maker: turns the plans of a contract's cases into calls with their right values, from a private seed.

Each argument of a case is drawn by a generator of its own, which its number and the name of the argument seed. So cases
that have a number in common have arguments in common.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from autograder.checks.values import is_equal
from autograder.contracts.call_values import convert_reals, is_finite, move_aside, require_crossing
from autograder.contracts.case import NOTHING, ORDINARY, ROBUST, STATE, Arguments, Case, Named
from autograder.contracts.case_design import SINGLE, CaseDesign, pick_constant, rank_alike
from autograder.contracts.drawing import GENERIC, Drawing, Rng, Sizes, make_generator
from autograder.contracts.given import LEFT_OUT, Where, list_words
from autograder.contracts.kinds import ITEMS, Argument, NotDrawn, Value, Values, Way
from autograder.contracts.part_comparison import is_right
from autograder.contracts.promised import Promised, telling
from autograder.contracts.signature import ContractError, Function
from autograder.contracts.sizes import describe_sizes

_USUAL_ITEMS = (3, 7)  # from and below, of a list of which no size says how long it is
_SMALLER = 0.9  # each time, of large entries
_FITTED = 30  # constants that are tried at most, until sizes fit
_AGAIN = 20  # times that one case is drawn at most
_APART = 1000  # between the numbers of one case that is drawn again; a row has fewer cases


class _Attempt(NamedTuple):
    """An attempt at a case. `place`: of its plan in the list; `again`: how many attempts at it there were before."""

    design: CaseDesign
    place: int
    again: int = 0
    sizes: Sizes = NOTHING

    @property
    def number(self) -> int:
        """What seeds its own generators."""
        return self.place + self.again * _APART

    def fix(self, constants: Values) -> _Attempt:
        """Return the attempt with these values of scalars."""
        design = self.design._replace(constants={**self.design.constants, **constants})
        return self._replace(design=design)


class CaseMaker:
    """Makes the cases of one check; `purpose`: separates the cases of a function's checks from each other."""

    def __init__(self, promised: Promised, seed: str, purpose: str) -> None:
        self._promised = promised
        self._signature = promised.parsed
        self._leaves = promised.leaves
        self._seed_text = f"{seed}\n{promised.name}\n{purpose}"
        self._first = _Attempt(CaseDesign(ORDINARY), 0)  # which others are like
        self._first_values: Values = {}
        self._ranks = rank_alike(promised)
        self._constants: dict[Way, list[Value]] = {}  # the values of each scalar
        for way, leaf in self._leaves:
            values = leaf.list_values()
            if values:
                self._constants[way] = self._turn(way, values)

    def _turn(self, way: Way, values: list[Value]) -> list[Value]:
        """Put another value first than for an argument that is alike."""
        turns = self._ranks.get(way, 0) % len(values)
        return values[turns:] + values[:turns]

    def make(self, designs: Iterable[CaseDesign]) -> tuple[Case, ...]:
        """Make the cases that can be: where sizes, a style and finite right values exist."""
        cases = map(self._make_telling, designs, itertools.count())
        return tuple(case for case in cases if case is not None)

    def generate(self, number: int, *way: str) -> Rng:
        """Return the generator of one argument of one case."""
        return make_generator(self._seed_text, str(number), *way)

    def _make_telling(self, design: CaseDesign, place: int) -> Case | None:
        """Make a case, again while it is too hard, or an ordinary one shows little: a right value is all zeros.

        After many tries the last case is taken as it is.
        """
        is_ordinary = place == 0 or design.group == ORDINARY
        for again in range(_AGAIN):
            if again >= _AGAIN // 2 and design.group != STATE:  # drawn as the first case, it stays too hard
                design = design._replace(like_first=False)
            case = self._make_one(_Attempt(design, place, again))
            if case is None:
                return None
            tells_little = is_ordinary and _has_zeros(case.expected)
            if not tells_little and not self._is_too_hard(case):
                break
        return case

    def _is_too_hard(self, case: Case) -> bool:
        """Return whether a naive right formula fails in a case that is not about robustness."""
        if case.group == ROBUST:
            return False
        passed = [self._is_right_by(formula, case) for formula in self._promised.naive]
        return not all(passed)

    def _is_right_by(self, formula: Function, case: Case) -> bool:
        try:
            found = self._promised.find_expected(case.arguments, formula)
        except Exception:  # noqa: BLE001  (whatever a formula raises, the case is too hard for it)
            return False
        for part in case.expected.keys() - set(case.unjudged):
            expected = case.expected[part]
            if not is_right(found.get(part), expected, is_single=case.is_single):
                return False
        return True

    def _make_one(self, attempt: _Attempt) -> Case | None:
        design = attempt.design
        if design.given is not None:
            return self._make_given(attempt)
        defaults = self._promised.find_defaults(design.left_out, design.absent)
        fitted = self._fit(attempt.fix(defaults))
        if fitted is None:
            return None
        values = self._draw(fitted)
        if values is None:
            return None
        arguments = self._build(values, design)
        case = self._finish(design, arguments, fitted.sizes)
        if case is None or self._has_jump(values, design):
            return None
        return self._describe_values(case, values)

    def _make_given(self, attempt: _Attempt) -> Case | None:
        """Make a case of the author's, and say of its arguments what is said of drawn ones."""
        design = attempt.design
        arguments = self._take_given(attempt.number, design)
        named = self._promised.form.name_arguments(arguments)
        values: dict[Way, Any] = {}
        sizes: dict[str, Any] = {}
        for way, leaf in self._leaves:
            value = _find_value(named, way)
            values[way] = value
            sizes.update(leaf.kind.measure(value))
        case = self._finish(design, arguments, sizes)
        if case is None:
            return None
        return self._describe_values(case, values)

    def _describe_values(self, case: Case, values: Values) -> Case:
        """Add words on the arguments to those of a case that is no ordinary one."""
        if case.group == ORDINARY:
            return case
        words = list(case.kinds)
        for way, leaf in self._leaves:
            value = values[way]
            if value is not None:
                words += leaf.describe(value)
        return case._replace(kinds=tuple(dict.fromkeys(words)))

    def _take_given(self, number: int, design: CaseDesign) -> Arguments:
        """Take the arguments of the author's, or have his function make them."""
        given = design.given
        if not callable(given):
            return tuple(copy.deepcopy(given))
        words = " ".join(design.words)
        with telling(f"{self._promised.name}: the case {words!r} fails", given):
            rng = self.generate(number)
            return tuple(given(rng))

    def _build(self, values: Values, design: CaseDesign) -> Arguments:
        """Build the arguments of a call."""
        built = []
        for name, kind, *_ in self._signature.arguments:
            if name == design.left_out:
                break
            value = kind.build(values, (name,), design.absent, design.key_order)
            built.append(value)
        return tuple(built)

    def _has_jump(self, values: Values, design: CaseDesign) -> bool:
        """Return whether right values jump and should not: they differ on two sides of a point, as at ties or kinks."""
        if not self._promised.said.avoids_jumps:
            return False
        sides = []
        for sign in (1, -1):
            moved = move_aside(self._signature, values, sign)
            arguments = self._build(moved, design)
            sides.append(self._promised.find_expected(arguments))
        return not is_right(*sides)

    def _fit(self, attempt: _Attempt) -> _Attempt | None:
        """Choose sizes; where none fit the ordinary constants, with other ones that stand in the condition."""
        design = attempt.design
        if design.like_first:
            return self._choose_sizes(attempt)
        free = {}
        for way, values in self._constants.items():
            if way[-1] in self._signature.condition.names and way not in design.constants:
                free[way] = values
        tried = itertools.product(*free.values())
        for chosen in itertools.islice(tried, _FITTED):
            constants = {}
            for way, (value, _) in zip(free, chosen, strict=True):
                constants[way] = value
            fitted = self._choose_sizes(attempt.fix(constants))
            if fitted is not None:
                return fitted
        return None

    def _choose_sizes(self, attempt: _Attempt) -> _Attempt | None:
        design = attempt.design
        chooser = self._promised.chooser
        constants: dict[str, Any] = {}  # by name, of scalars that stand in conditions
        for way, values in self._constants.items():
            name = way[-1]
            if name in chooser.constants:
                usual, _ = values[0]
                constants[name] = design.constants.get(way, usual)
        first = self._first
        if (design.like_first or design.same_sizes) and first.sizes:
            sizes = {**first.sizes}
            for name in design.changed & constants.keys():
                sizes[name] = constants[name]
            if not chooser.holds(sizes):
                return None
            return attempt._replace(sizes=sizes)
        number = first.number if design.like_first else attempt.number
        wanted = {**constants, **design.sizes}
        rng = self.generate(number, "sizes")
        chosen = chooser.choose(rng, wanted, is_small=design.is_small)
        if chosen is None:
            return None
        rng = self.generate(number, ITEMS)
        length = int(rng.integers(*_USUAL_ITEMS))
        return attempt._replace(sizes={ITEMS: length, **chosen})

    def _draw(self, attempt: _Attempt) -> Values | None:
        """Draw every argument; None where the design cannot be."""
        design = attempt.design
        values: dict[Way, Any] = {}
        for way, leaf in self._leaves:
            if self._stays(way, leaf, design):
                values[way] = self._first_values[way]
            else:
                values[way] = self._draw_new(way, leaf, attempt, values)
            if values[way] is None and not leaf.kind.choices:
                return None
        for way in design.alike[1:]:
            first = design.alike[0]
            values[way] = values[first].copy()
        if attempt.place == 0:
            self._first = attempt
            self._first_values = values
        if design.all_arrays == SINGLE:
            return {way: convert_reals(value, np.float32) for way, value in values.items()}
        return values

    def _stays(self, way: Way, leaf: Argument, design: CaseDesign) -> bool:
        """Return whether an argument has the value of the first case."""
        if not design.like_first or way not in self._first_values:
            return False
        if way in design.styles or way in design.constants or self._may_depend(way):
            return False
        return design.changed.isdisjoint(leaf.kind.list_sizes())

    def _may_depend(self, way: Way) -> bool:
        """Return whether an argument is drawn by the author, perhaps from what differs in the design."""
        return way[-1] in self._promised.draw

    def _find_number(self, way: Way, attempt: _Attempt) -> int:
        """Find the number whose generator draws an argument: of the first case, if the case is to be like it."""
        design = attempt.design
        if not design.like_first or design.redrawn == way:
            return attempt.number
        if not self._may_depend(way):
            return self._first.number + attempt.again * _APART
        if way in design.constants:  # the author chooses which
            return attempt.number
        return self._first.number

    def _draw_new(self, way: Way, leaf: Argument, attempt: _Attempt, values: Values) -> Any:
        """Draw an argument; again while it equals the first case's, if it has to differ."""
        number = self._find_number(way, attempt)
        has_to_differ = attempt.design.redrawn == way
        for again in range(_AGAIN):
            rng = self.generate(number + again * _APART, *way)
            value = self._draw_leaf(way, leaf, attempt, values, rng)
            if not has_to_differ or not is_equal(value, self._first_values.get(way)):
                break
        return value

    def _draw_leaf(self, way: Way, leaf: Argument, attempt: _Attempt, values: Values, rng: Rng) -> Any:
        """Draw an argument; `values`: of those before it, which the author's functions may use."""
        promised = self._promised
        name = leaf.name
        sizes = attempt.sizes
        style = attempt.design.styles.get(way, GENERIC)
        if name in promised.draw:
            drawn = {other[-1]: value for other, value in values.items()}
            draw = promised.find_draw(name, style)
            with telling(f"{promised.name}: `draw` of {name} fails", draw):
                return draw({**sizes, **drawn}, rng, style)
        if leaf.kind.is_size and name in promised.chooser.names:
            return sizes[name]
        constants = leaf.list_values(sizes)
        if constants:
            ordinary, _ = self._turn(way, constants)[0]
            wanted = attempt.design.constants.get(way, ordinary)
            return pick_constant(constants, wanted)
        largest = promised.largest * _SMALLER**attempt.again
        drawing = Drawing(style, sizes, rng, largest)
        try:
            return leaf.kind.draw(drawing)
        except KeyError as error:
            what = f"nothing says how large {error.args[0]} is, an axis of {name}"
            advice = "name it in another argument, or draw the array"
            raise ContractError(f"{promised.name}: {what}; {advice}") from error
        except NotDrawn as error:
            advice = f"say how to draw it: draw={{{name!r}: function}}"
            also = f"for `new question` write `{name}: word`, and draw_word(known, rng, style) in the solution"
            raise ContractError(f"{promised.name}: {name} is {error}; {advice}; {also}") from error

    def _finish(self, design: CaseDesign, arguments: Arguments, sizes: Sizes) -> Case | None:
        """Compute the right values; None where they are not finite, or the author leaves such a case out."""
        promised = self._promised
        require_crossing(self._signature, arguments)
        design = self._meet_conditions(design, arguments)
        if design.group == LEFT_OUT:
            return None
        kinds: list[str] = []
        if design.group != ORDINARY:
            kinds = [*design.words, *describe_sizes(sizes, promised.chooser.names)]
        fails = f"the right function fails {kinds[0] if kinds else 'in an ordinary case'}"
        expected = promised.find_expected(arguments, what=fails)
        promised.require_shapes(expected, sizes)
        judged = expected.keys() - set(design.unjudged)
        if not is_finite([expected[part] for part in judged]):
            return None
        before = self._build_before(design)
        program, left = promised.make_program(arguments, before=before)
        is_single = design.all_arrays == SINGLE
        return Case(
            program,
            arguments,
            expected,
            design.group,
            tuple(dict.fromkeys(kinds)),
            is_single,
            tuple(design.unjudged),
            segments=promised.measure_segments(sizes) if design.given is None else {},
            left=left,
            layout="" if is_single else design.all_arrays,
            before=before,
        )

    def _meet_conditions(self, design: CaseDesign, arguments: Arguments) -> CaseDesign:
        """Return the design with what the author's conditions on the arguments say; of a given case, words alone."""
        words = [*design.words]
        group = ""
        unjudged = [*design.unjudged]
        for where in self._promised.said.conditions:
            if not self._holds(where, arguments):
                continue
            words += list_words(where.words)
            if design.given is None:
                group = group or where.group
                unjudged += where.unjudged
        return design._replace(words=tuple(words), group=group or design.group, unjudged=unjudged)

    def _build_before(self, design: CaseDesign) -> Arguments:
        """Build the arguments of the first case, for a call before; none where there is no such call."""
        if design.is_refilled and self._first_values:
            return self._build(self._first_values, design)
        return ()

    def _holds(self, said: Where, arguments: Arguments) -> bool:
        condition: Any = said.condition
        words = " ".join(list_words(said.words))
        with telling(f"{self._promised.name}: the condition of {words!r} fails", condition):
            return bool(condition(*arguments))


def _find_value(arguments: Named, way: Way) -> Any:
    """Find what the author gives for an argument, or for a key of a dict; None where that is nothing."""
    value: Any = arguments
    for name in way:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _has_zeros(expected: Named) -> bool:
    """Whether an array among right values is all zeros."""
    arrays = [each for each in expected.values() if isinstance(each, np.ndarray)]
    return any(array.size > 1 and not array.any() for array in arrays)
