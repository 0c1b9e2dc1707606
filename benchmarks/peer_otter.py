"""Peer: runs otter-grader on the hidden tests, with a notebook that imports the student's modules in a Jupyter kernel.

python benchmarks/peer_otter.py SUBMISSION; the last line says how many tests passed. otter-grader is in
requirements-peers.txt.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path

from otter.api import grade_submission

PROJECT = Path(__file__).resolve().parents[1]
SCRIPT = """
import sys
sys.path.insert(0, {project!r})
from pathlib import Path
from benchmarks.in_process_student import InProcessStudent
student = InProcessStudent(Path({submission!r}))
"""
TESTS = """
from pathlib import Path
from otter.test_files import test_case
from benchmarks.in_process_student import hidden_tests_of
OK_FORMAT = False
name = "hidden"
points = None
for title, test in hidden_tests_of(Path({submission!r})).items():
    globals()[title] = test_case(name=title)(test)
"""


def main() -> None:
    """Run otter without its containers, which would cost more."""
    submission = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        script, settings = Path(folder, "submission.py"), Path(folder, "autograder.zip")
        script.write_text(SCRIPT.format(project=str(PROJECT), submission=submission), encoding="utf-8")
        with zipfile.ZipFile(settings, "w") as archive:
            archive.writestr("otter_config.json", "{}")
            archive.writestr("tests/hidden.py", TESTS.format(submission=submission))
        results = grade_submission(str(script), str(settings), quiet=True)
    (hidden,) = results.results.values()
    print(f"passed {sum(result.passed for result in hidden.test_case_results)}")


if __name__ == "__main__":
    main()
