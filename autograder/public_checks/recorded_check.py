"""Recorded check: turns a visible check of a contract into plain data for the handout, and the data into the check.

The data holds requests, right values and shares. It holds neither the kinds of cases nor anything that they are drawn
from, so that nothing of a hidden check can be derived from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.contracts.packed_check import RECORDS, list_fields
from autograder.public_checks.expected import decode_plain, encode_plain, round_numbers

_SECRET = ("kinds",)
_NO_DEFAULT = object()


class NotRecordable(Exception):
    """A check has a part that is no plain data; the text names it."""


def encode_check(check: Any) -> dict[str, Any]:
    """Encode a check in JSON's types, without what is as by default; NotRecordable for one that is no plain data."""
    encoded: dict[str, Any] = round_numbers(_encode(check))
    return encoded


def decode_check(data: Mapping[str, Any]) -> Any:
    """Decode a check of `encode_check`."""
    return _decode(data)


def _encode(value: Any) -> Any:
    fields = list_fields(value)
    if fields is not None:
        name = type(value).__name__
        if name not in RECORDS:
            raise NotRecordable(f"a {name}")
        defaults = getattr(type(value), "_field_defaults", {})
        told = {key: item for key, item in fields.items() if not _is_same(item, defaults.get(key, _NO_DEFAULT))}
        return {"record": name, **{key: _encode(item) for key, item in told.items() if key not in _SECRET}}
    if type(value) in (list, tuple):
        items = [_encode(item) for item in value]
        return {"tuple": items} if isinstance(value, tuple) else items
    if isinstance(value, Mapping):
        if all(type(key) is str for key in value):
            return {"names": {key: _encode(item) for key, item in value.items()}}
        return {"dict": [[_encode(key), _encode(item)] for key, item in value.items()]}
    plain = encode_plain(value)
    if isinstance(plain, dict) and "named" in plain:
        raise NotRecordable(f"a {type(value).__name__}")
    return plain


def _is_same(value: object, default: object) -> bool:
    return value is default or (value == default if type(value) is type(default) is tuple else False)


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return [_decode(item) for item in value]
    if isinstance(value, Mapping) and "record" in value:
        fields = {name: _decode(item) for name, item in value.items() if name != "record"}
        return RECORDS[value["record"]](**fields)
    if isinstance(value, Mapping) and "tuple" in value:
        return tuple(_decode(value["tuple"]))
    if isinstance(value, Mapping) and "names" in value:
        return {name: _decode(item) for name, item in value["names"].items()}
    if isinstance(value, Mapping) and "dict" in value:
        return {_decode(key): _decode(item) for key, item in value["dict"]}
    return decode_plain(value)
