"""Submissions that fail when they are loaded are graded as far as they can be, with exactly the recorded results."""

import json
from functools import cache
from typing import Any

import pytest

from tests.selftest.golden.regenerate import BROKEN, golden_path, results_of_broken_uploads

pytestmark = [pytest.mark.content, pytest.mark.ci, pytest.mark.once]


@cache
def results() -> dict[str, Any]:
    """Grade the uploads once."""
    return results_of_broken_uploads()


def test_each_upload_gets_the_results_written_down() -> None:
    assert results() == json.loads(golden_path(BROKEN).read_text(encoding="utf-8"))
