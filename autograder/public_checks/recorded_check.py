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
    encoded: dict[str, Any] = round_numbers(encode_plain(check, _encode_record))
    return encoded


def decode_check(data: Mapping[str, Any]) -> Any:
    """Decode a check of `encode_check`."""
    return decode_plain(data)


def _encode_record(value: Any) -> dict[str, Any]:
    fields, name = list_fields(value), type(value).__name__
    if fields is None or name not in RECORDS:
        raise NotRecordable(f"a {name}")
    defaults = getattr(type(value), "_field_defaults", {})
    told = {key: item for key, item in fields.items() if not _is_same(item, defaults.get(key, _NO_DEFAULT))}
    return {
        "record": name,
        **{key: encode_plain(item, _encode_record) for key, item in told.items() if key not in _SECRET},
    }


def _is_same(value: object, default: object) -> bool:
    return value is default or (value == default if type(value) is type(default) is tuple else False)
