"""Gradescope format: the models of Gradescope's results.json, field by field.

Source: the "Autograder Specifications" page of Gradescope's documentation. Fields that it leaves out of a file are None
here; unknown fields, unknown words and numbers that JSON cannot carry are errors, because one NaN makes Gradescope
refuse the whole result.
"""

from __future__ import annotations

import json
from enum import Enum

from pydantic import Field, JsonValue

from autograder.results import Record, Visibility


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


class GradedTest(Record):
    """One test; without a score it is only shown."""

    name: str
    name_format: OutputFormat | None = None
    number: str | None = None
    score: float | None = None
    max_score: float | None = Field(default=None, ge=0)
    status: Status | None = None
    output: str | None = None
    output_format: OutputFormat | None = None
    tags: tuple[str, ...] | None = None
    visibility: Visibility | None = None
    extra_data: dict[str, JsonValue] | None = None


class LeaderboardColumn(Record):
    """One column of the leaderboard; Gradescope sorts it in descending order where `order` is absent."""

    name: str
    value: float | str
    order: Order | None = None


class Results(Record):
    """The whole file. `score` overrides the sum of the tests' and must be there when a test has none."""

    score: float | None = None
    execution_time: float | None = Field(default=None, ge=0)
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
        """The file's content: ASCII, so that no text of a student can be invalid in it."""
        fields = self.model_dump(mode="json", exclude_none=True)
        return json.dumps(fields, indent=1, allow_nan=False).encode("ascii") + b"\n"
