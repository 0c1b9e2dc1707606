"""Gone names: turns what a hidden test once imported or gave to a contract into a sentence on what to write now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from autograder import UserError

_OF_CLASSES = "and is gone: write Contract(Class.method, ..., driver=function, cases=...)"
_OF_SOURCES = "and is gone: write make_toy(function)"
_GONE: Mapping[str, str] = {
    "Action": f"Action described a method for ObjectContract, {_OF_CLASSES}",
    "CallbackSource": f"CallbackSource was the source of a callback, {_OF_SOURCES}",
    "ObjectContract": f"ObjectContract was the contract of a class, {_OF_CLASSES}",
    "Repeated": f"Repeated described a method for ObjectContract, {_OF_CLASSES}",
    "made_by": "made_by named the contract of what makes a cache, and is gone: write a driver= that calls both",
    "part_shares": "part_shares said what parts are worth, and is gone: write shares=",
    "read_callback_source": f"read_callback_source read the source of a callback, {_OF_SOURCES}",
}


def refuse_gone(names: Iterable[str]) -> None:
    """Raise UserError for the first name that is gone."""
    for name in names:
        if name in _GONE:
            raise UserError(f"{_GONE[name]}; see docs/contracts.md")
