"""Recipes of arguments: a copy of a value, a generator of a seed, a constant function, a toy of its source.

Each call of student code that should share nothing with another has an argument of its own, which a recipe builds next
to that code. A toy is an object or a function of the staff's whose calls are written down: its dialogue. Student code
can forge that, so it decides points only where the grader's own copy gives the same answers. Of each call it has the
method, empty for a function, the arguments and the answer.
"""

from __future__ import annotations

import copy
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograder.programs.plain_values import IMMUTABLE, are_equal, copy_plain
from autograder.programs.program import Make, Program
from autograder.programs.source import Source, read_source

_MOST_HEARD = 20_000  # calls that are written down; a dialogue of a right solution has a hundred
Dialogue = list[tuple[str, tuple[Any, ...], Any]]


TRANSPOSED, SLICED = "transposed", "sliced"
LAYOUTS: Mapping[str, Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]] = {
    "": np.ndarray.copy,
    TRANSPOSED: lambda array: array.copy(order="F"),
    SLICED: lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
}
"""How an array of one axis or more lies in memory: row after row, column after column, or with gaps."""


@dataclass(frozen=True)
class Copy:
    """A copy of a value, which calls may change; `layout`: of the arrays in it, one of `LAYOUTS`."""

    value: Any
    layout: str = ""

    def build(self) -> Any:
        """Copy the value."""
        return copy_argument(self.value, LAYOUTS[self.layout])

    def refill(self, built: Any) -> None:
        """Replace the contents of another array, list or dict by these."""
        contents = copy_argument(self.value)
        if isinstance(built, dict):
            built.clear()
            built.update(contents)
        else:
            built[slice(None) if isinstance(built, list) else ...] = contents

    def read(self, built: Any) -> Any:
        """Return it as calls left it."""
        return built


@dataclass(frozen=True)
class Generator:
    """Stands for `numpy.random.default_rng(seed)`, which calls share. Read, it is the next number that it draws."""

    seed: int

    def build(self) -> np.random.Generator:
        """Make it."""
        return np.random.default_rng(self.seed)

    def read(self, built: np.random.Generator) -> float:
        """Draw a number."""
        return built.random()


@dataclass(frozen=True)
class Constant:
    """Stands for a function that returns a value whatever its arguments."""

    value: Any

    def build(self) -> Any:
        """Make it; a tuple of numbers needs no copy, which would cost more than many a call."""
        value = self.value
        parts = value if type(value) is tuple else (value,)
        if all(isinstance(each, IMMUTABLE) for each in parts):
            return lambda *_arguments, **_keywords: value
        return lambda *_arguments, **_keywords: copy_argument(value)

    def read(self, _built: Any) -> None:
        """Return nothing: it remembers nothing."""


@dataclass(frozen=True)
class Toy:
    """An object or a function, by its source.

    `reads`: the attributes that it reads of objects among its arguments, which its dialogue shows. `is_heard`: its
    dialogue is written down.
    """

    source: Source
    reads: tuple[str, ...] = ()
    is_heard: bool = False

    def __deepcopy__(self, _: object) -> Toy:
        """Return itself: it never changes, and each call makes an object of its own."""
        return self

    def listen(self) -> Toy:
        """Return the same toy with a dialogue."""
        return replace(self, is_heard=True)

    def build(self) -> Any:
        """Make it."""
        made = self.source.make()
        if not self.is_heard:
            return made
        heard: Dialogue = []
        if inspect.isfunction(made):
            function = _listen(made, "", heard, self.reads)
            function.heard_ = heard  # type: ignore[attr-defined]
            return function
        for name in list_methods(made):
            method = _listen(getattr(made, name), name, heard, self.reads)
            setattr(made, name, method)
        made.heard_ = heard
        return made

    def read(self, built: Any) -> Dialogue:
        """Return the dialogue as plain values."""
        return list(getattr(built, "heard_", ()))

    def confirm(self, dialogue: Any) -> list[tuple[str, tuple[Any, ...]]] | None:
        """Return the questions of a dialogue; None where a copy that is asked the same answers otherwise."""
        made = self.source.make()
        methods = {name: getattr(made, name) for name in list_methods(made)}
        questions = []
        try:
            for method, arguments, answer in dialogue:
                function = methods.get(method, made)
                given = map(_show, copy_argument(arguments))
                own = write_down(function(*given), ())
                if not are_equal(own, answer):
                    return None
                questions.append((method, arguments))
        except Exception:  # noqa: BLE001  (what a worker wrote down may be anything)
            return None
        return questions


RECIPES = (Copy, Generator, Constant, Toy)
STANDING = (Generator, Constant, Toy)  # what stands for an object; it is no plain value


def list_refusals(program: Program) -> dict[str, str]:
    """List the texts with which toys of a program may refuse a call, each by itself."""
    texts = {}
    for step in program.steps:
        if isinstance(step, Make) and isinstance(step.recipe, Toy):
            for text in step.recipe.source.texts:
                texts[text] = text
    return texts


def list_methods(made: Any) -> list[str]:
    """List the public methods of an object."""
    names = (name for name in dir(made) if not name.startswith("_"))
    return [name for name in names if callable(getattr(made, name))]


def _listen(function: Callable[..., Any], method: str, heard: Dialogue, reads: Sequence[str]) -> Callable[..., Any]:
    """Return a function that writes down each call, before it changes its arguments, and the answer."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        if len(heard) >= _MOST_HEARD:
            raise RuntimeError("it was called again and again")
        given = (*arguments, *keywords.values())
        asked = tuple(write_down(each, reads) for each in given)
        answer = function(*arguments, **keywords)
        heard.append((method, asked, write_down(answer, ())))
        return answer

    return call


def write_down(value: Any, reads: Sequence[str]) -> Any:
    """Copy a value; of an object keep the attributes that are read."""
    if isinstance(value, (*IMMUTABLE, np.ndarray, dict)):
        return copy_plain(value)
    if isinstance(value, (list, tuple)):
        return [write_down(each, reads) for each in value]
    found = {}
    for name in reads:
        if hasattr(value, name):
            found[name] = write_down(getattr(value, name), ())
    return list(value) if not found and isinstance(value, Iterable) else found


def _show(value: Any) -> Any:
    """Return an object with the attributes that were written down, and all other values unchanged."""
    if isinstance(value, list):
        return list(map(_show, value))
    if isinstance(value, dict) and all(type(key) is str for key in value):
        return SimpleNamespace(**value)
    return value


def copy_argument(value: Any, copy_array: Callable[..., Any] = np.ndarray.copy) -> Any:
    """Copy a value and all that it holds."""
    if isinstance(value, np.ndarray):
        return copy_array(value) if value.ndim else value.copy()
    if type(value) in (list, tuple):
        return type(value)(copy_argument(each, copy_array) for each in value)
    if type(value) is dict:
        return {key: copy_argument(each, copy_array) for key, each in value.items()}
    return value if isinstance(value, IMMUTABLE) else copy.deepcopy(value)


_KEYWORDS = """
def toy(*arguments, **keywords):
    accepted = {accepted}
    named = [keywords[each] for names in accepted[len(arguments):] for each in names if each in keywords]
    return {name}(*arguments, *named)"""


def make_toy(
    kind: Callable[..., Any], *arguments: Any, keywords: Sequence[Sequence[str]] = (), reads: Sequence[str] = ()
) -> Toy:
    """Make a toy of a class and plain arguments of its constructor, or of a function.

    Of its module the source may use only `np`. `keywords[i]`: the keywords that the function takes for argument i; by
    default the names of its parameters. `reads`: the attributes that it reads of objects among its arguments.
    """
    lines = read_source(kind).definition.splitlines()  # students read them before a call
    definition = "\n".join(line for line in lines if line.strip())
    expression = kind.__name__
    if inspect.isclass(kind):
        expression = f"{kind.__name__}({', '.join(map(repr, arguments))})"
    elif keywords:
        listed = str(list(map(list, keywords)))
        accepted = textwrap.fill(listed, 95, subsequent_indent=" " * 8)
        definition += _KEYWORDS.format(name=kind.__name__, accepted=accepted)
        expression = "toy"
    return Toy(Source(definition, expression), tuple(reads))
