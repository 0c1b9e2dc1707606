"""Action: what may be done with an object of a class, as the class's contract says it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Guard = Callable[[Any], Any]


class Action(NamedTuple):
    """A method whose arguments are drawn. `signature`: of these; `when`: tells whether an object takes the call.

    `returns`: the attribute that it returns, where it does; the two are compared alike. `after`: the methods that have
    to be called first.
    """

    signature: str = ""
    when: Guard | None = None
    returns: str = ""
    after: Sequence[str] = ()


class Repeated(NamedTuple):
    """A method that takes a list of arguments of `action`, each legal in turn; `returns`: as for an `Action`."""

    action: str
    returns: str = ""


AnyAction = Action | Repeated | Guard  # of a method with one argument, a guard lists the legal values for an object
