"""The folder of an assignment's hidden tests."""

import sys
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for the hidden tests of an assignment, whose module no earlier test imported."""
    monkeypatch.delitem(sys.modules, "test_shapes", raising=False)
    (tmp_path / "tests" / "hidden").mkdir(parents=True)
    return tmp_path / "tests" / "hidden"
