"""Program: the steps that are asked of student code, as plain data, and the one interpreter that takes them.

A worker takes them on student code, check.py at home, the grader on the reference, `matrix` on a mutant: what differs
is how names are found. A result is copied when its step has been taken; an argument is read when all steps have been
taken. What a failed call was given cannot be read any more, nor can the object whose method it was: a function that is
not written earns nothing with what it left as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import copy_plain

Find = Callable[[str], Any]
Keep = Callable[[Any], Any]
Describe = Callable[[BaseException], Any]


@dataclass(frozen=True)
class StepResult:
    """The result of an earlier step, by its number, counted from 0."""

    number: int


@dataclass(frozen=True)
class Failed:
    """How a step failed; what rests on it fails with the same. `ending`: its description, as `describe` gives it."""

    step: int
    error_type: str
    ending: Any


class RestsOn(Exception):
    """A step needs the result of one that failed; its argument is that failure."""


@dataclass(frozen=True)
class Name:
    """A name of the student's module."""

    name: str

    def take(self, run: Run) -> Any:
        """Find it."""
        return run.find(self.name)


@dataclass(frozen=True)
class Make:
    """An argument: a copy of a value, a generator, a toy. Its recipe says how it is built, and read at the end."""

    recipe: Any

    def take(self, run: Run) -> Any:
        """Build it."""
        return self.recipe.build()


@dataclass(frozen=True)
class Refill:
    """Other contents of an argument that calls were given, by a recipe: it stays the same object."""

    of: StepResult
    recipe: Any

    def take(self, run: Run) -> None:
        """Put them in."""
        self.recipe.refill(run.fill(self.of))


@dataclass(frozen=True)
class Call:
    """A call of a name, a class or a method that an earlier step found."""

    function: StepResult
    arguments: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)

    def take(self, run: Run) -> Any:
        """Call it."""
        function = run.fill(self.function)
        arguments = run.fill(self.arguments)
        keywords = run.fill(self.keywords)
        return function(*arguments, **keywords)


@dataclass(frozen=True)
class Get:
    """An attribute or a method."""

    of: StepResult
    name: str

    def take(self, run: Run) -> Any:
        """Read it."""
        return getattr(run.read(self.of), self.name)


@dataclass(frozen=True)
class Set:
    """An attribute that is set."""

    of: StepResult
    name: str
    value: Any

    def take(self, run: Run) -> None:
        """Set it."""
        owner = run.fill(self.of)
        setattr(owner, self.name, run.fill(self.value))


@dataclass(frozen=True)
class Item:
    """An item by a constant."""

    of: StepResult
    key: Any

    def take(self, run: Run) -> Any:
        """Take it."""
        return run.read(self.of)[self.key]


@dataclass(frozen=True)
class Unpack:
    """The items of a result, which must have `count` items."""

    of: StepResult
    count: int

    def take(self, run: Run) -> list[Any]:
        """List them; ValueError for another number."""
        items = list(run.read(self.of))
        if len(items) != self.count:
            raise ValueError(f"{len(items)} values were returned, not {self.count}")
        return items


@dataclass(frozen=True)
class ErrorOf:
    """The name of the error of a step; None where it has none. What is asked for spoils nothing."""

    of: StepResult

    def take(self, run: Run) -> str | None:
        """Name it."""
        result = run.results[self.of.number]
        if not isinstance(result, Failed):
            return None
        if result.step != self.of.number:
            raise RestsOn(result)
        run.forgive(result)
        return result.error_type


STEPS = (Name, Make, Refill, Call, Get, Set, Item, Unpack, ErrorOf)


@dataclass(frozen=True)
class Program:
    """Steps in order. `returned`: the parts of the reply, each a result or a list of results."""

    steps: tuple[Any, ...]
    returned: tuple[Any, ...]

    @cached_property
    def looked_at(self) -> frozenset[int]:
        """The numbers of the steps whose results are in the reply."""
        return frozenset(each.number for each in list_results(self.returned))


def list_results(given: Any) -> Iterator[StepResult]:
    """List the results in a part or in arguments, from first to last."""
    if isinstance(given, StepResult):
        yield given
    elif isinstance(given, (list, tuple)):
        for each in given:
            yield from list_results(each)
    elif isinstance(given, Mapping):
        yield from list_results(list(given.values()))


def describe_error(error: BaseException) -> Outcome:
    """Describe an error as the outcome of a call."""
    kind = OutcomeKind.NOT_WRITTEN if isinstance(error, NotImplementedError) else OutcomeKind.RAISED
    return Outcome(kind, error_type=type(error).__name__)


def run_program(
    program: Program,
    find: Find,
    *,
    keep: Keep = copy_plain,
    describe: Describe = describe_error,
    know_toy: Callable[[int, Any], object] = lambda *_: None,
    begin_step: Callable[[], object] = lambda: None,
    catch: type[BaseException] = Exception,
) -> list[Any]:
    """Take the steps on what `find` returns; return the parts of the reply, each a value or how it failed.

    `keep`: copies a value. `describe`: describes an error, one of those to `catch`, of which no part is kept.
    `know_toy`: is told the number of each step that makes an argument, and what it made. `begin_step`: is called before
    each step.
    """
    run = Run(find, describe, catch)
    kept: dict[int, Any] = {}
    for number, step in enumerate(program.steps):
        begin_step()
        run.take(step)
        if isinstance(step, Make):
            know_toy(number, run.results[number])
        elif number in program.looked_at:
            kept[number] = run.keep(number, run.results[number], keep)
    for number in program.looked_at - kept.keys():
        kept[number] = run.keep(number, run.read_argument(number), keep)
    return [join_part(part, kept) for part in program.returned]


class Run:
    """The results of the steps so far."""

    def __init__(self, find: Find, describe: Describe, catch: type[BaseException] = Exception) -> None:
        self.find = find
        self._catch = catch
        self.steps: list[Any] = []
        self.results: list[Any] = []
        self._describe = describe
        self._spoiled: dict[int, Failed] = {}  # by the number of the step that gave the object

    def take(self, step: Any) -> None:
        """Take a step; its result is what it gives, or how it failed."""
        number = len(self.results)
        self.steps.append(step)
        try:
            result = step.take(self)
        except RestsOn as error:
            (result,) = error.args
        except self._catch as error:
            result = Failed(number, type(error).__name__, self._describe(error))
            self._spoil(step, result)
        self.results.append(result)

    def keep(self, number: int, result: Any, keep: Keep) -> Any:
        """Keep a copy of a result; what cannot be handed over has failed."""
        if isinstance(result, Failed):
            return result
        try:
            return keep(result)
        except self._catch as error:  # as an object whose items are read by code of the student's
            return Failed(number, type(error).__name__, self._describe(error))

    def read_argument(self, number: int) -> Any:
        """Read an argument as the calls left it."""
        spoiled = self._spoiled.get(number)
        return spoiled or self.steps[number].recipe.read(self.results[number])

    def forgive(self, failed: Failed) -> None:
        """Forget what a failure spoiled: somebody has asked for it."""
        for number, each in list(self._spoiled.items()):
            if each is failed:
                del self._spoiled[number]

    def fill(self, given: Any) -> Any:
        """Put results in the places that stand for them."""
        if isinstance(given, StepResult):
            return self._get(given)
        if type(given) in (list, tuple):
            return type(given)(map(self.fill, given))
        if isinstance(given, Mapping):
            return {key: self.fill(value) for key, value in given.items()}
        return given

    def read(self, of: StepResult) -> Any:
        """Return a result that is looked into."""
        if of.number in self._spoiled:
            raise RestsOn(self._spoiled[of.number])
        return self._get(of)

    def _get(self, of: StepResult) -> Any:
        """Return the result of a step that did not fail."""
        result = self.results[of.number]
        if isinstance(result, Failed):
            raise RestsOn(result)
        return result

    def _spoil(self, step: Any, failed: Failed) -> None:
        """Remember what a failed step was given, and whose method or attribute it was."""
        if isinstance(step, Set):
            self._spoiled[step.of.number] = failed
        if isinstance(step, Call):
            called = self.steps[step.function.number]
            owner = [called.of] if isinstance(called, Get) else []
            for given in [*owner, *list_results([step.arguments, step.keywords])]:
                self._spoiled.setdefault(given.number, failed)


def join_part(part: Any, kept: Mapping[int, Any]) -> Any:
    """Return the value of a part, or how it failed; a list fails as its first failed item does."""
    if isinstance(part, StepResult):
        found = kept[part.number]
        return found.ending if isinstance(found, Failed) else found
    for each in list_results(part):
        found = kept[each.number]
        if isinstance(found, Failed):
            return found.ending
    return [join_part(each, kept) for each in part]
