"""Named parts: names the values that a right function returns, and what it changes in a dict that it is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.contracts.signature import Signature


class ContractError(Exception):
    """A contract cannot be kept by its own reference, or does not say how to draw an argument."""


def name_changed(argument: str, key: str) -> str:
    """Name what a function changes in a dict that it is given."""
    return f"{argument}[{key!r}] after the call"


def name_parts(signature: Signature, value: Any, *, with_cache: bool = False) -> dict[str, Any]:
    """Name the values that a right function returned; ContractError where their number is another."""
    names = [each.name for each in signature.parts]
    values = value if len(names) > 1 else (value,)
    if not isinstance(values, (tuple, list)) or len(values) != len(names):
        named = f"{signature.name}: the signature names {', '.join(names)}"
        raise ContractError(f"{named}; the right function returns another number of values")
    return {name: each for name, each in zip(names, values, strict=True) if with_cache or name != "cache"}


def split_dicts(signature: Signature, named: Mapping[str, Any]) -> dict[str, Any]:
    """Name what stands in dicts whose keys the signature lists."""
    keys = {each.name: each.keys for each in signature.parts}
    split = (
        {part: value[key] for part, key in keys[name].items()} if keys[name] else {name: value}
        for name, value in named.items()
    )
    return {part: value for parts in split for part, value in parts.items()}
