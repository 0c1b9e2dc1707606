"""What tests of several kinds of fault grade."""

from pathlib import Path

import pytest

from tests.selftest.support.grader_process import build_command, write_submission


@pytest.fixture
def grading(tmp_path: Path) -> list[str]:
    """The command that grades a right submission."""
    return build_command(write_submission(tmp_path), tmp_path / "results")
