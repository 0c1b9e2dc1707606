"""Gradescope's submission_metadata.json: a valid file is read, a broken one gives a warning."""

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from autograder.gradescope.files import describe_outline, read_metadata

pytestmark = pytest.mark.once

WHOLE: dict[str, Any] = {
    "id": 123456,
    "created_at": "2018-07-01T14:22:32.365935-07:00",
    "assignment": {"due_date": "2018-07-31T23:00:00.000000-07:00", "late_due_date": None, "total_points": "20.0"},
    "users": [{"email": "student@example.com", "id": 1234, "name": "Student User"}],
    "previous_submissions": [
        {"submission_time": "2017-04-06T14:24:48.087023-07:00", "score": 0.0, "autograder_error": True, "results": {}}
    ],
    "a_field_of_next_year": 1,
}


def read_text(tmp_path: Path, text: str) -> tuple[Any, str]:
    """Read the metadata from a file with this text."""
    path = tmp_path / "submission_metadata.json"
    path.write_text(text)
    return read_metadata(path)


def test_a_complete_file_and_an_empty_one(tmp_path: Path) -> None:
    metadata, warning = read_text(tmp_path, json.dumps(WHOLE))
    assert warning == ""
    assert metadata.users[0].email == "student@example.com"
    assert metadata.assignment.total_points == 20.0
    assert metadata.created_at == datetime(2018, 7, 1, 21, 22, 32, 365935, tzinfo=timezone.utc)
    metadata, warning = read_text(tmp_path, "{}")
    assert (metadata.assignment, warning) == (None, "")


@pytest.mark.parametrize(
    ("text", "told"),
    {
        "": "the file: Invalid JSON",
        "[]": "the file: Input should be an object",
        '{"users": [{"email": 3}]}': "users.0.email: Input should be a valid string",
        "[" * 100_000: "the file: Invalid JSON: recursion limit",
        "\x00": "the file: Invalid JSON",
    }.items(),
    ids=["empty", "list", "wrong type", "deep", "zero byte"],
)
def test_a_broken_file_is_a_warning(tmp_path: Path, text: str, told: str) -> None:
    metadata, warning = read_text(tmp_path, text)
    assert metadata is None
    assert told in warning


def test_a_missing_or_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "submission_metadata.json"
    told = "submission_metadata.json cannot be read (No such file or directory); continuing without it"
    assert read_metadata(path) == (None, told)
    with path.open("wb") as file:
        file.truncate(10**9)
    assert read_metadata(path) == (None, "submission_metadata.json is larger than 64 MiB; continuing without it")


@pytest.mark.parametrize(
    ("outline", "by_hand", "described"),
    [
        (20.0, 5.0, ""),
        (25.0, 5.0, ""),
        (20.005, 0.0, ""),
        (20.5, 0.0, "has 20.5 points, the tests have 20"),
        (30.0, 5.0, "has 30 points, the tests have 20, or 25 with the texts graded by hand"),
    ],
)
def test_an_outline_fits_with_the_points_of_the_texts_and_without(
    outline: float, by_hand: float, described: str
) -> None:
    expected = described and f"the assignment on Gradescope {described}"
    assert describe_outline(outline, 20.0, by_hand=by_hand) == expected
