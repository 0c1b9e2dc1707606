"""Gradescope format: the records of Gradescope's results.json, field by field.

Source: the "Autograder Specifications" page of Gradescope's documentation. Fields that it leaves out of a file are None
here. Plain dataclasses, because this module is on the path of every start; what was read from a file is checked against
them by `results_file`. One NaN makes Gradescope refuse the whole result, so none is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from autograder.results import Visibility


class _NotNegative:
    """Marks a number for the check of a file."""

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], dict[str, Any]]) -> object:
        return {**handler(source), "ge": 0}


class _Json:
    """Marks whatever JSON can carry, for the check of a file."""

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], object]) -> object:
        from pydantic import JsonValue  # noqa: PLC0415  (slow to load, and only for what is read)

        return handler(JsonValue)


NotNegative = Annotated[float, _NotNegative()]
if TYPE_CHECKING:
    from pydantic import JsonValue
else:
    JsonValue = Annotated[Any, _Json()]

_AS_READ: Mapping[str, object] = {"extra": "forbid", "allow_inf_nan": False}  # pydantic's settings of each record


class OutputFormat(str, Enum):
    """How Gradescope shows a text; students' text is always `text`, which it escapes."""

    TEXT = "text"
    HTML = "html"
    SIMPLE_FORMAT = "simple_format"
    MARKDOWN = "md"
    ANSI = "ansi"


class Status(str, Enum):
    """The mark beside a test; Gradescope derives it from the score where it is absent."""

    PASSED = "passed"
    FAILED = "failed"


class Order(str, Enum):
    """Which end of a leaderboard's column is the best."""

    DESCENDING = "desc"
    ASCENDING = "asc"


@dataclass(frozen=True, kw_only=True)
class GradedTest:
    """One test; without a score it is only shown."""

    __pydantic_config__ = _AS_READ

    name: str
    name_format: OutputFormat | None = None
    number: str | None = None
    score: float | None = None
    max_score: NotNegative | None = None
    status: Status | None = None
    output: str | None = None
    output_format: OutputFormat | None = None
    tags: tuple[str, ...] | None = None
    visibility: Visibility | None = None
    extra_data: dict[str, JsonValue] | None = None


@dataclass(frozen=True, kw_only=True)
class LeaderboardColumn:
    """One column of the leaderboard; Gradescope sorts it in descending order where `order` is absent."""

    __pydantic_config__ = _AS_READ

    name: str
    value: float | str
    order: Order | None = None


@dataclass(frozen=True, kw_only=True)
class Results:
    """The whole file. `score` overrides the sum of the tests' and must be there when a test has none."""

    __pydantic_config__ = _AS_READ

    score: float | None = None
    execution_time: NotNegative | None = None
    output: str | None = None
    output_format: OutputFormat | None = None
    test_output_format: OutputFormat | None = None
    test_name_format: OutputFormat | None = None
    visibility: Visibility | None = None
    stdout_visibility: Visibility | None = None
    extra_data: dict[str, JsonValue] | None = None
    tests: tuple[GradedTest, ...] | None = None
    leaderboard: tuple[LeaderboardColumn, ...] | None = None

    def as_bytes(self) -> bytes:
        """The file's content: ASCII, so that no text of a student can be invalid in it.

        ValueError where it holds a number or a letter that JSON cannot carry, TypeError for any other value.
        """
        fields = self.as_fields()
        json.dumps(fields, ensure_ascii=False, allow_nan=False).encode()  # half a UTF-16 pair is no letter
        return json.dumps(fields, indent=1, allow_nan=False).encode("ascii") + b"\n"

    def as_fields(self) -> dict[str, Any]:
        """The file's content as plain values; fields that are None are left out."""
        return {name: _plain(value) for name, value in vars(self).items() if value is not None}


def _plain(value: object) -> object:
    if isinstance(value, (GradedTest, LeaderboardColumn)):
        return {name: _plain(field) for name, field in vars(value).items() if field is not None}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, Enum) else value
