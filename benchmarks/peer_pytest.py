"""Peer: runs plain pytest on the hidden tests, with the student's modules in the same process.

python benchmarks/peer_pytest.py SUBMISSION; the last line says how many tests passed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from autograder.contracts import Contract
from benchmarks.in_process_student import InProcessStudent, body_of, question_ids_of


class Plugin:
    """Provides the fixture `student`, and counts passed tests."""

    def __init__(self, submission: Path) -> None:
        self._student = InProcessStudent(submission)
        self.passed = 0

    @pytest.fixture
    def student(self) -> InProcessStudent:
        """The submission."""
        return self._student

    def pytest_pycollect_makeitem(self, collector: pytest.Module, obj: object) -> list[pytest.Function] | None:
        """Collect the rows of a contract."""
        if not isinstance(obj, Contract) or obj.table is None:
            return None
        question_id = collector.path.stem.removeprefix("test_")
        bodies = {row.name: body_of(row, question_id) for row in obj.table.rows}
        return [pytest.Function.from_parent(collector, name=name, callobj=body) for name, body in bodies.items()]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the tests that pass."""
        self.passed += report.when == "call" and report.passed


def main() -> None:
    """Run pytest like a grader's script."""
    plugin = Plugin(Path(sys.argv[1]).resolve())
    question_ids = question_ids_of(Path(sys.argv[1]))
    tests = [str(PROJECT / "tests" / "hidden" / f"test_{question_id}.py") for question_id in question_ids]
    pytest.main(["-q", "--noconftest", "--import-mode=importlib", "-p", "no:cacheprovider", *tests], plugins=[plugin])
    print(f"passed {plugin.passed}")


if __name__ == "__main__":
    main()
