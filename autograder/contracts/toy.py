"""Toy: records an object or a function of the staff's that a case hands to student code, as source that stands alone.

It is made anew for each call, so that a call sees nothing of those before it. Nobody looks at what student code asks of
it: the values that the call returns are judged, and nothing else.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.sandbox.host.callback_source import CallbackSource
from autograder.student import Callback, Refuse, ServedObject


@dataclass(frozen=True)
class Toy:
    """An object or a function, by its source. `name`: what students read for an object.

    `keywords[i]`: the keywords that a function takes for argument i.
    """

    source: CallbackSource
    name: str
    keywords: tuple[tuple[str, ...], ...] = ()

    def serve(self) -> Callback | ServedObject:
        """Make it as an argument of a call to student code; a RuntimeError's text, a constant, is shown to students."""
        made = self.source.make()
        if inspect.isfunction(made):
            return Callback(_refuse(made), keywords=self.keywords, source=self.source)
        names = [name for name in dir(made) if not name.startswith("_") and callable(getattr(made, name))]
        methods = {name: Callback(_refuse(getattr(made, name))) for name in names}
        return ServedObject(self.name, source=self.source, **methods)


def make_toy(kind: Callable[..., Any], *arguments: Any, keywords: Sequence[Sequence[str]] = ()) -> Toy:
    """Make a toy of a class and plain arguments of its constructor, or of a function.

    Of its module the source may use only `np`. `keywords[i]`: the keywords that the function takes for argument i.
    """
    definition = _drop_docstrings(textwrap.dedent(inspect.getsource(kind)))
    if inspect.isclass(kind):
        made = f"{kind.__name__}({', '.join(map(repr, arguments))})"
        return Toy(CallbackSource(definition, made, is_watched=False), kind.__name__.lower())
    if not keywords:
        return Toy(CallbackSource(definition, kind.__name__, is_watched=False), kind.__name__)
    call = f"{kind.__name__}(*arguments, *keywords.values())"
    definition += f"\ndef toy(*arguments, **keywords):\n    return {call}"
    return Toy(CallbackSource(definition, "toy", is_watched=False), kind.__name__, tuple(map(tuple, keywords)))


def serve_toys(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Return arguments of a call to student code, with toys that this call alone has."""
    return tuple(each.serve() if isinstance(each, Toy) else each for each in arguments)


def make_toys(arguments: Sequence[Any]) -> list[Any]:
    """Return arguments of a call to a function of this process, with toys that this call alone has."""
    return [each.source.make() if isinstance(each, Toy) else each for each in arguments]


def _drop_docstrings(text: str) -> str:
    """Return Python without docstrings and empty lines: students read it before a call."""
    lines: list[str] = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            first, last = node.body[0].lineno, node.body[0].end_lineno or node.body[0].lineno
            lines[first - 1 : last] = [""] * (last - first + 1)
    return "\n".join(line for line in lines if line.strip())


def _refuse(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except RuntimeError as error:
            raise Refuse(str(error)) from None

    return call
