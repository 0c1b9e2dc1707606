"""Promised: records what a contract says of a function and its gradients, and computes what its cases are made of."""

from __future__ import annotations

import inspect
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from autograder.checks.values import is_equal
from autograder.contracts.call_values import convert_reals
from autograder.contracts.case import ROBUST, Arguments, Case, Named, Reply, Segments, Shares
from autograder.contracts.check import CaseCheck
from autograder.contracts.drawing import Rng, Sizes
from autograder.contracts.driver import Driver, DriverError, Traced, trace
from autograder.contracts.given import Cases, read_cases, require_known
from autograder.contracts.kinds import Values, Way
from autograder.contracts.law import Law, find_generator
from autograder.contracts.part_comparison import InAllCases, list_uses, read_right
from autograder.contracts.reply import CaseReply, find_failure, is_as_before
from autograder.contracts.signature import ContractError, Function, require_written
from autograder.contracts.signature_parser import parse_signature
from autograder.contracts.size_expression import read_expression
from autograder.contracts.sizes import SizeChooser
from autograder.programs.calls import write_call
from autograder.programs.plain_values import IMMUTABLE
from autograder.programs.program import Program, run_program
from autograder.programs.recipes import Toy

DrawOne = Callable[[Named, Rng, str], Any]  # of what is known, a generator and the style
Draw = DrawOne | Mapping[str, DrawOne]  # by the words of a kind, empty for all others
_LARGEST = 20.0  # entries of sums that naive right formulas with exponentials stand
_ROBUST_SHARE = 0.1  # of a row, for robustness and promises


@dataclass(frozen=True)
class Slopes:
    """Whose slopes returned gradients are.

    `by`: by part, the argument that it is the gradient by. `of`: a driver that returns the value whose slopes they are;
    without it, that is the number which the function itself returns. `right`: in its place, a right function of the
    arguments, whose slopes are kept. `times`: the arguments, one for each array of the value, by which it is multiplied
    and summed; an array without such a one has a Jacobian. `at`: the driver that returns the gradients, where that of
    the contract takes other arguments. `draw`: a function of a generator that returns small arguments.
    `alone`: the arguments of which each row has a value of its own. `mean`: then, by name, another right function than
    the one that `of` calls; the gradients may be divided as its value is. `nearest`: a function of a value and the case
    (`case.arguments`) that returns the nearest right one, where several are right.
    """

    by: Mapping[str, str]
    of: Driver | None = None
    right: Function | None = None
    times: Sequence[str] = ()
    at: Driver | None = None
    draw: Callable[[Rng], Arguments] | None = None
    alone: Sequence[str] = ()
    mean: Mapping[str, Function] = field(default_factory=dict)
    nearest: Function | None = None

    def list_arguments(self, names: Sequence[str]) -> list[str]:
        """List the names of the arguments, of the signature or of a driver that takes others."""
        if self.at is None:
            return list(names)
        _, *own = inspect.signature(self.at).parameters
        return own


@dataclass(eq=False)
class Promised:
    """What is said of a function, as `Contract` describes it, and what its cases are made of."""

    reference: Function
    signature: str = ""
    _: KW_ONLY
    draw: Mapping[str, Draw] = field(default_factory=dict)
    cases: Cases = ()
    right: Mapping[str, Function | InAllCases] = field(default_factory=dict)
    law: Sequence[Law] = ()
    naive: Sequence[Function] = ()
    gradient: Mapping[str, str] | Slopes = field(default_factory=dict)
    shares: Shares = field(default_factory=dict)
    stable: Sequence[str] | Mapping[str, Sequence[str]] = ()
    usual: Mapping[str, Sequence[int]] = field(default_factory=dict)
    integers: Sequence[str] = ()
    driver: Driver | None = None
    segments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    untouched: str = ""
    largest: float = _LARGEST
    keeps_arguments: bool = False

    def __post_init__(self) -> None:
        self.name = self.reference.__qualname__.rpartition("<locals>.")[2]
        require_written(self.reference, self.signature)
        self.parsed = parse_signature(self.signature, name=self.name)
        self.leaves = list(self.parsed.list_leaves())
        self.said = read_cases(self.cases, self.name)
        self.rules, self.alternatives = read_right(self.parsed, self.right)
        uses = list_uses(self.parsed)
        self.uses = {name: uses[name] for name in uses if name in self.rules}
        self.slopes = self.gradient if isinstance(self.gradient, Slopes) else Slopes(self.gradient)
        self.robust_share = self.shares.get(ROBUST, _ROBUST_SHARE)
        self._require_names()
        self._require_taken()
        if self.law:
            find_generator(self.parsed)

    def _require_names(self) -> None:
        """Raise ContractError where an option names what is not there."""
        slopes = self.slopes
        parts = self.form.parts
        keys = [leaf.name for _, leaf in self.leaves]
        arguments = [*self.form.arguments, *keys]
        known = {"argument": arguments, "part": parts, "size": self.chooser.names}
        for what, names in self._list_named():
            require_known(self.name, what, names, known[what])
        moved = [*slopes.by.values(), *slopes.times, *slopes.alone]
        movable = slopes.list_arguments(arguments)
        returned = [each.name for each in self.parsed.parts]
        require_known(self.name, "argument", moved, movable)
        require_known(self.name, "part", slopes.by, returned)
        if not self.said.rows:
            require_known(self.name, "part", self.shares, (*parts, ROBUST))

    def _list_named(self) -> Iterator[tuple[str, Iterable[str]]]:
        """List the names in options, each list with what they are names of."""
        yield "argument", [*self.draw, *self.integers, *self.stable]
        yield "part", self.segments
        yield "size", self.usual
        if isinstance(self.stable, Mapping):
            for judged in self.stable.values():
                yield "part", judged
        for given in self.said.given:
            yield "part", given.unjudged
        for condition in self.said.conditions:
            yield "part", condition.unjudged
        for lengths in self.segments.values():
            for length in lengths.values():
                yield "size", read_expression(length).names

    def list_unjudged(self, argument: str) -> list[str]:
        """List the parts that are not looked at where entries of a stable argument are huge."""
        if not isinstance(self.stable, Mapping):
            return []
        judged = self.stable[argument]
        return [part for part in self.parsed.part_names if part not in judged]

    def _require_taken(self) -> None:
        """Raise ContractError where the driver, or the right function, takes fewer arguments than the signature has."""
        count = len(self.parsed.arguments)
        function = self.reference
        whose = "right function"
        if self.driver is not None:
            count += 1  # the student's names
            function = self.driver
            whose = "driver"
        try:
            inspect.signature(function).bind_partial(*[None] * count)
        except TypeError as error:
            raise ContractError(f"{self.name}: the signature has more arguments than the {whose}") from error

    def list_drawn(self, name: str) -> Sequence[str]:
        """List the words of the kinds that the author draws of an argument besides ordinary values."""
        draw = self.draw.get(name)
        if isinstance(draw, Mapping):
            return list(filter(None, draw))
        return ()

    def measure_segments(self, sizes: Sizes) -> Segments:
        """Measure the pieces of flat arrays, by their words, for the sizes of a case."""
        segments = {}
        for part, lengths in self.segments.items():
            measured = {}
            for words, text in lengths.items():
                length = read_expression(text).evaluate(sizes)
                measured[words] = int(length)
            segments[part] = measured
        return segments

    def find_draw(self, name: str, style: str) -> DrawOne:
        """Find the author's function that draws an argument in a style."""
        draw = self.draw[name]
        if isinstance(draw, Mapping):
            return draw.get(style, draw[""])
        return draw

    def find_defaults(self, left_out: str, absent: Way) -> Values:
        """Find the scalars that a call leaves out, each with the default that it then has, which sizes have to fit."""
        defaults = {}
        is_behind = False
        for way, each in self.leaves:
            is_behind |= way[0] == left_out
            is_left_out = is_behind and len(way) == 1
            default = each.known_default
            if default is not None and (is_left_out or way == absent):
                defaults[way] = default
        return defaults

    @cached_property
    def chooser(self) -> SizeChooser:
        """Chooses the sizes of what is drawn first."""
        return SizeChooser(self.parsed, self.usual)

    @cached_property
    def form(self) -> CaseCheck:
        """The check without its cases, and with all keys of dicts as parts that the function could change."""
        left = {}
        for place, argument in enumerate(self.parsed.arguments):
            for item in argument.kind.items:
                words = f"{argument.name}[{item.name!r}] after the call"
                left[words] = (place, item.name)
        for use, place in self.uses.items():
            left[use] = (place, "")
        parts = self.parsed.parts
        return CaseCheck(
            function=self.name,
            arguments=tuple(each.name for each in self.parsed.arguments),
            parts=(*self.parsed.part_names, *left),
            cases=(),
            shares={},
            part_shares={},
            values=tuple(each.value_name for each in parts),
            left=left,
            keys={each.name: each.keys for each in parts if each.keys},
            untouched=self.untouched,
            rules=self.rules,
        )

    def make_program(self, arguments: Arguments, left: Iterable[int] = (), before: Arguments = ()) -> Traced:
        """Make the program of a case whose reply has its arguments at these places as they were left, if these change.

        `before`: the arguments of a call before it, if there is no driver.

        Returns the places, too: those of what a driver returns as it was given are among them.
        """
        given = list(arguments)
        places = []
        for place, argument in enumerate(arguments):
            if place not in left or isinstance(argument, IMMUTABLE):
                continue
            places.append(place)
            if isinstance(argument, Toy):
                given[place] = argument.listen()
        return self._trace(self.driver, given, places, before)

    def write_program(self, driver: Driver | None, arguments: Arguments) -> Program:
        """Write the program of a driver, or of one call, whose reply has no argument."""
        program, left = self._trace(driver, arguments)
        count = len(program.returned) - len(left)
        return replace(program, returned=program.returned[:count])

    def _trace(
        self, driver: Driver | None, arguments: Arguments, left: Sequence[int] = (), before: Arguments = ()
    ) -> Traced:
        if driver is None:
            program = write_call(self.name, arguments, left=left, before=before)
            return program, tuple(left)
        with telling(f"{self.name}: the driver fails", driver):
            try:
                return trace(driver, arguments, self.find_right, left)
            except DriverError as error:
                raise ContractError(f"{self.name}: {error}") from error

    def find_idle(self, program: Program, count: int) -> Arguments:
        """Find the first `count` parts of the reply where the method under test does nothing; none if one fails."""
        owner, _, method = self.name.rpartition(".")
        if not owner or self.driver is None:
            return ()
        methods = {method: lambda *_arguments, **_keywords: None}
        idle = type(owner, (self.find_right(owner),), methods)

        def find(name: str) -> Any:
            if name == owner:
                return idle
            return self.find_right(name)

        with np.errstate(all="ignore"):
            reply = run_program(program, find)[:count]
            right = run_program(program, self.find_right)[:count]
        if find_failure(reply) is not None or is_as_before(reply, right):
            return ()
        return tuple(reply)

    def find_right(self, name: str, function: Function | None = None) -> Any:
        """Find a name in the module of the right function; `function`: in its place."""
        if name == self.name:
            return function or self.reference
        names = getattr(self.reference, "__globals__", None) or vars(sys.modules[self.reference.__module__])
        return names[name]

    def find_expected(
        self, arguments: Arguments, function: Function | None = None, *, what: str = "the right function fails"
    ) -> Named:
        """Compute the right parts by name, or those of another `function`; ContractError, with `what`, if it raises.

        What the function changes in a dict is a part, too.
        """
        try:
            return self._compute_parts(arguments, function)
        except ContractError:
            raise
        except Exception as error:
            told = [self.name, what, find_place(error, function or self.reference), type(error).__name__, str(error)]
            raise ContractError(": ".join(filter(None, told))) from error

    def require_shapes(self, expected: Named, sizes: Sizes) -> None:
        """Require the shapes that the signature says of right values; ContractError for another one."""
        for name, kind in self.parsed.parts:
            if kind.axes is None or not set(kind.list_sizes()) <= sizes.keys():
                continue
            said = tuple(axis.evaluate(sizes) for axis in kind.axes)
            found = np.shape(expected[name])
            if found != said:
                problem = f"{name} has the shape {found} in the right function, and {said} in its signature"
                raise ContractError(f"{self.name}: {problem}")

    def _compute_parts(self, arguments: Arguments, function: Function | None) -> Named:
        form = self.form
        given = convert_reals(arguments, np.float64)
        places = {place for place, _ in form.left.values()}
        program, left = self.make_program(given, places)
        case = Case(program, given, {}, left=left)
        find = partial(self.find_right, function=function)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # staff see them in their own runs
            reply = run_program(program, find, describe=lambda error: error)
        for each in reply:
            if isinstance(each, BaseException):
                raise each
        form.name_right(reply[: case.part_count])
        replied = CaseReply(form, case, reply).find_parts(form.places)
        parts = dict(replied.parts)
        returned = [reply[0]]
        if isinstance(reply[0], (list, tuple)):
            returned += reply[0]
        lacking = set(form.parts) - parts.keys()
        for part, (place, key) in form.left.items():
            if not key:
                continue
            lacking.discard(part)
            after = replied.left.get(place)
            if self._is_as_before(key, returned, given[place], after):
                parts.pop(part, None)
        if lacking:
            raise KeyError(*sorted(lacking))
        return parts

    def _is_as_before(self, key: str, returned: Reply, before: Any, after: Any) -> bool:
        """Return whether a call left a key of a dict as it was, or the dict itself is among the returned values."""
        if not isinstance(after, dict) or key not in after:
            return True
        is_returned = any(is_equal(each, after) for each in returned)
        return is_returned or is_equal(after[key], before.get(key))


@contextmanager
def telling(what: str, function: Any) -> Iterator[None]:
    """Turn an error of a function of the author's into a ContractError that says what fails, and in which line."""
    try:
        yield
    except ContractError:
        raise
    except Exception as error:
        place = find_place(error, function)
        where = f"in {place}:" if place else "by"
        raise ContractError(f"{what} {where} {type(error).__name__}: {error}") from error


def find_place(error: Exception, function: Any) -> str:
    """Return the file and line of a function of the author's in which an error arose; "" where that is unknown."""
    code = getattr(function, "__code__", None)
    file, line = "", 0
    if code is not None:
        file, line = code.co_filename, code.co_firstlineno
    elif hasattr(function, "__module__"):  # a class
        file = getattr(sys.modules.get(function.__module__), "__file__", "")
    for each in traceback.extract_tb(error.__traceback__):
        if each.filename == file:
            line = each.lineno or line
    return f"{Path(file).name}:{line}" if line else ""
