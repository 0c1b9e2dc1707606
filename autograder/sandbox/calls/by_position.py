"""By position: gives a function all arguments by position, also those that it takes by keyword alone.

Requests, contracts and the diagnosis know arguments by their places; student code gets each by the name that the right
solution has for it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

_MARK = "_takes_by_name"


class ByName(NamedTuple):
    """The keyword-only parameters of a function: their names, and the place of the first."""

    first: int = 0
    names: tuple[str, ...] = ()

    def write(self, texts: list[str]) -> list[str]:
        """Return the texts of arguments, those that are given by name after their names."""
        named = zip(self.names, texts[self.first :], strict=False)
        return [*texts[: self.first], *(f"{name}={text}" for name, text in named)] if self.names else texts


NONE_BY_NAME = ByName()


def find_by_name(function: Any) -> ByName:
    """Find the keyword-only parameters of a right function; none of a class, or of what has no signature."""
    if isinstance(function, type) or hasattr(function, _MARK):
        return getattr(function, _MARK, NONE_BY_NAME)
    code = getattr(function, "__code__", None)
    if code is not None and not code.co_kwonlyargcount and not hasattr(function, "__wrapped__"):
        return NONE_BY_NAME  # most functions, in no time
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return NONE_BY_NAME
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):  # takes whatever is given by position
        return NONE_BY_NAME
    names = tuple(each.name for each in parameters if each.kind is each.KEYWORD_ONLY)
    return ByName(sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters), names)


def take_by_position(function: Any, by_name: ByName | None = None) -> Any:
    """Return a function that takes by position what `function` takes by name; itself where that is nothing.

    `by_name`: of the right function, where this one is another; by default its own.
    """
    first, names = find_by_name(function) if by_name is None else by_name
    if not names or hasattr(function, _MARK):
        return function

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        return function(*arguments[:first], **dict(zip(names, arguments[first:], strict=False)), **keywords)

    setattr(call, _MARK, ByName(first, names))
    call.__signature__ = _write_signature(function)  # type: ignore[attr-defined]
    return call


def _write_signature(function: Callable[..., Any]) -> inspect.Signature:
    """Write the signature by position, where no default stands before a parameter without one."""
    signature = inspect.signature(function)
    parameters: list[inspect.Parameter] = []
    for each in reversed([*signature.parameters.values()]):
        kind = each.POSITIONAL_OR_KEYWORD if each.kind is each.KEYWORD_ONLY else each.kind
        is_required = any(other.default is each.empty for other in parameters if other.kind is not each.VAR_KEYWORD)
        parameters.append(each.replace(kind=kind, default=each.empty if is_required else each.default))
    return signature.replace(parameters=parameters[::-1])
