"""Peer: runs gradescope-utils' JSONTestRunner on the hidden tests, with the student's modules in the same process.

python benchmarks/peer_gradescope.py SUBMISSION; the last line says how many tests passed.
"""

from __future__ import annotations

import functools
import io
import json
import sys
import unittest
from pathlib import Path
from typing import Any

from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from benchmarks.in_process_student import InProcessStudent, question_ids_of, tests_of


def main() -> None:
    """Run the runner as documented."""
    student = InProcessStudent(Path(sys.argv[1]).resolve())
    question_ids = question_ids_of(Path(sys.argv[1]))
    suite = unittest.TestSuite(_tests_of(question_id, student) for question_id in question_ids)
    stream = io.StringIO()
    JSONTestRunner(visibility="visible", stream=stream).run(suite)
    results = json.loads(stream.getvalue())
    print(f"passed {sum(test['status'] == 'passed' for test in results['tests'])}")


def _tests_of(question_id: str, student: InProcessStudent) -> unittest.TestSuite:
    tests = {name: _method(value, student) for name, value in tests_of(question_id).items()}
    return unittest.defaultTestLoader.loadTestsFromTestCase(type(f"Test_{question_id}", (unittest.TestCase,), tests))


def _method(function: Any, student: InProcessStudent) -> Any:
    @functools.wraps(function)
    def method(self: unittest.TestCase) -> None:
        function(student=student)

    return method


if __name__ == "__main__":
    main()
