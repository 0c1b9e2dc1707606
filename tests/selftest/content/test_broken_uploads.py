"""Submissions that fail when they are loaded are graded as far as they can be, with exactly the recorded results."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tests.selftest.golden.regenerate import BROKEN, BROKEN_STEMS, golden_path, results_of_broken_uploads

pytestmark = [pytest.mark.content, pytest.mark.ci, pytest.mark.once]


@cache
def results() -> dict[str, Any]:
    """Grade the uploads once."""
    return results_of_broken_uploads()


def test_each_upload_gets_the_results_written_down() -> None:
    assert results() == json.loads(golden_path(BROKEN).read_text(encoding="utf-8"))


def test_there_are_twenty_and_each_has_something_to_say_or_full_points() -> None:
    assert len(results()) == 20
    for name, upload in results().items():
        questions = [upload[stem] for stem in BROKEN_STEMS if stem in upload]
        assert questions, name
        assert all(each["notes"] or each.get("lost") == [] or "SyntaxError" in each["lost"][0] for each in questions)


def test_no_points_are_lost_but_by_what_is_missing_or_cannot_be_read() -> None:
    losing = {name for name, upload in results().items() for stem in BROKEN_STEMS if upload.get(stem, {}).get("lost")}
    assert losing == {"decorator_of_a_missing_library", "python_2", "syntax_error", "unfinished"}
