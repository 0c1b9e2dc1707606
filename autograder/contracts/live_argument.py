"""Live argument: turns what stands in a case for an object into an object that one call has for itself.

A `Toy` is an object or a function of the staff's, as source that stands alone: a call sees nothing of those before it,
and what student code asks can be written down in a dialogue. A `Generator` and a `Constant` are made beside the
student's code, so that drawing numbers, or twenty thousand calls, cross no border.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograder.contracts.dialogue import Dialogue, write_down
from autograder.sandbox.host.callbacks import CallbackSource, read_callback_source
from autograder.sandbox.protocol import messages
from autograder.student import Callback, MadeInWorker, Refuse, ServedObject


@dataclass(frozen=True)
class Toy:
    """An object or a function, by its source. `name`: what students read for an object.

    `keywords[i]`: the keywords that a function takes for argument i. `reads`: the attributes that it reads of objects
    among its arguments.
    """

    source: CallbackSource
    name: str
    keywords: tuple[tuple[str, ...], ...] = ()
    reads: tuple[str, ...] = ()

    def __deepcopy__(self, _: object) -> Toy:
        """Return itself: it never changes, and each call makes an object of its own."""
        return self

    def make(self, dialogue: Dialogue | None = None) -> Any:
        """Make it in this process; `dialogue`: gets what it is asked."""
        made = self.source.make()
        if dialogue is None:
            return made
        heard = {name: write_down(each, name, dialogue, self.reads) for name, each in _list_functions(made).items()}
        return heard[""] if "" in heard else SimpleNamespace(**heard)

    def serve(self, dialogue: Dialogue | None = None) -> Callback | ServedObject:
        """Make it as an argument of a call to student code; a RuntimeError's text, a constant, is shown to students.

        `dialogue`: gets what it is asked.
        """
        make, source = cache(self.source.make), replace(self.source, is_watched=dialogue is not None)
        said: Dialogue = [] if dialogue is None else dialogue
        is_heard = dialogue is not None or bool(self.reads)

        def serve(name: str) -> Callback:
            def function(*arguments: Any) -> Any:
                made = make()
                return (getattr(made, name) if name else made)(*arguments)

            heard = write_down(function, name, said, self.reads) if is_heard else function
            keywords = self._keywords_by_method[name]
            return Callback(_refuse(heard), keywords=keywords, snapshot=self.reads, source=None if name else source)

        if "" in self._keywords_by_method:
            return serve("")
        return ServedObject(self.name, source=source, **{name: serve(name) for name in self._keywords_by_method})

    @cached_property
    def _keywords_by_method(self) -> dict[str, Sequence[Sequence[str]]]:
        """The keywords that each method takes for its arguments; those of a function have an empty name."""
        functions = _list_functions(self.source.make())
        return {name: self.keywords or _list_keywords(each) for name, each in functions.items()}


@dataclass(frozen=True)
class Generator:
    """Stands for `numpy.random.default_rng(seed)`."""

    seed: int

    def make(self) -> np.random.Generator:
        """Make it in this process."""
        return np.random.default_rng(self.seed)

    def serve(self) -> MadeInWorker:
        """Make it as an argument of a call to student code."""
        return MadeInWorker(messages.GENERATOR, self.seed)


@dataclass(frozen=True)
class Constant:
    """Stands for a function that returns a value whatever its arguments."""

    value: Any

    def make(self) -> Any:
        """Make it in this process."""
        return lambda *_arguments, **_keywords: copy.deepcopy(self.value)

    def serve(self) -> MadeInWorker:
        """Make it as an argument of a call to student code."""
        return MadeInWorker(messages.CONSTANT, self.value)


STANDING = (Toy, Generator, Constant)  # what stands for an object; it is no plain value


def listen_to(arguments: Sequence[Any]) -> dict[int, Dialogue]:
    """Return a dialogue with each toy among arguments, by place, which a call fills."""
    return {place: [] for place, each in enumerate(arguments) if isinstance(each, Toy)}


def serve_live(arguments: Sequence[Any], heard: Mapping[int, Dialogue] | None = None) -> list[Any]:
    """Return arguments of a call to student code, with objects that this call alone has; `heard`: of `listen_to`."""
    return [_replace(each, "serve", (heard or {}).get(place)) for place, each in enumerate(arguments)]


def make_live(arguments: Sequence[Any], heard: Mapping[int, Dialogue] | None = None) -> list[Any]:
    """As `serve_live`, for a call to a function of this process."""
    return [_replace(each, "make", (heard or {}).get(place)) for place, each in enumerate(arguments)]


def _replace(value: Any, method: str, dialogue: Dialogue | None) -> Any:
    if not isinstance(value, STANDING):
        return value
    return getattr(value, method)(*[] if dialogue is None else [dialogue])


def make_toy(
    kind: Callable[..., Any], *arguments: Any, keywords: Sequence[Sequence[str]] = (), reads: Sequence[str] = ()
) -> Toy:
    """Make a toy of a class and plain arguments of its constructor, or of a function.

    Of its module the source may use only `np`. `keywords[i]`: the keywords that the function takes for argument i; by
    default the names of its parameters. `reads`: the attributes that it reads of objects among its arguments.
    """
    lines = read_callback_source(kind).definition.splitlines()  # students read them before a call
    definition, read = "\n".join(line for line in lines if line.strip()), tuple(reads)
    if inspect.isclass(kind):
        made = f"{kind.__name__}({', '.join(map(repr, arguments))})"
        return Toy(CallbackSource(definition, made, is_watched=False), kind.__name__.lower(), reads=read)
    if not keywords:
        return Toy(CallbackSource(definition, kind.__name__, is_watched=False), kind.__name__, reads=read)
    call = f"{kind.__name__}(*arguments, *keywords.values())"
    definition += f"\ndef toy(*arguments, **keywords):\n    return {call}"
    source = CallbackSource(definition, "toy", is_watched=False)
    return Toy(source, kind.__name__, tuple(map(tuple, keywords)), read)


def _list_functions(made: Any) -> dict[str, Callable[..., Any]]:
    """List the methods of an object, by name; a function has an empty name."""
    if callable(made):
        return {"": made}
    functions = {name: getattr(made, name) for name in dir(made) if not name.startswith("_")}
    return {name: each for name, each in functions.items() if callable(each)}


def _list_keywords(function: Callable[..., Any]) -> list[tuple[str, ...]]:
    parameters = inspect.signature(function).parameters.values()
    return [(each.name,) for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]


def _refuse(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except RuntimeError as error:
            raise Refuse(str(error)) from None

    return call
