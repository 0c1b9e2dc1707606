"""Schema: the records of Gradescope's results.json, field by field.

Source: the "Autograder Specifications" page of Gradescope's documentation. Fields that are absent in a file are None
here. `files` validates the content of files against these records. A single NaN makes Gradescope reject the whole
result, so none is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import JsonValue, NonNegativeFloat

from autograder.machine import hide_all_paths
from autograder.results import AS_READ, LeaderboardEntry, Visibility


class OutputFormat(str, Enum):
    """How Gradescope shows a text: as `text`, which it escapes, and in no other of its formats."""

    TEXT = "text"


class Status(str, Enum):
    """The mark next to a test; if it is absent, Gradescope derives it from the score."""

    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class GradedTest:
    """One test; a test without a score is only shown."""

    __pydantic_config__ = AS_READ

    name: str
    number: str | None = None
    score: float | None = None
    max_score: NonNegativeFloat | None = None
    status: Status | None = None
    output: str | None = None
    output_format: OutputFormat | None = None
    tags: tuple[str, ...] | None = None
    visibility: Visibility | None = None
    extra_data: dict[str, JsonValue] | None = None


@dataclass(frozen=True, kw_only=True)
class Results:
    """The content of results.json. `score` overrides the sum of the tests' scores; required if a test has no score."""

    __pydantic_config__ = AS_READ

    score: float | None = None
    execution_time: NonNegativeFloat | None = None
    output: str | None = None
    output_format: OutputFormat | None = None
    test_output_format: OutputFormat | None = None
    test_name_format: OutputFormat | None = None
    visibility: Visibility | None = None
    stdout_visibility: Visibility | None = None
    extra_data: dict[str, JsonValue] | None = None
    tests: tuple[GradedTest, ...] | None = None
    leaderboard: tuple[LeaderboardEntry, ...] | None = None

    def as_bytes(self) -> bytes:
        """Serialize to the file's content; see `encode_fields`."""
        return encode_fields(self.as_fields())

    def as_fields(self) -> dict[str, Any]:
        """Return the file's content as plain values, without the fields that are None and this machine's folders."""
        fields = {name: _convert_to_json(value) for name, value in vars(self).items() if value is not None}
        return {name: hide_all_paths(value) for name, value in fields.items()}


def encode_fields(fields: Mapping[str, Any]) -> bytes:
    """Encode the fields of a results.json: in ASCII, so that no student text can be invalid in it.

    ValueError for a number or a character that JSON cannot represent, TypeError for any other such value.
    """
    json.dumps(fields, ensure_ascii=False, allow_nan=False).encode()  # fails on unpaired surrogates
    return json.dumps(fields, indent=1, allow_nan=False).encode("ascii") + b"\n"


def _convert_to_json(value: object) -> object:
    if isinstance(value, (GradedTest, LeaderboardEntry)):
        return {name: _convert_to_json(field) for name, field in vars(value).items() if field is not None}
    if isinstance(value, tuple):
        return [_convert_to_json(item) for item in value]
    return value.value if isinstance(value, Enum) else value
