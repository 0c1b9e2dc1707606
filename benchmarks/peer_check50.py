"""Peer: runs check50 on the hidden tests, with a process for each check that imports the student's modules.

python benchmarks/peer_check50.py SUBMISSION; the last line says how many tests passed. check50 is in
requirements-peers.txt.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import check50
from check50 import internal
from check50.__main__ import main as run_check50

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from benchmarks.in_process_student import InProcessStudent, hidden_tests_of

CHECKS = f"""
import sys
sys.path.insert(0, {str(PROJECT)!r})
from benchmarks.peer_check50 import checks_of
globals().update(checks_of())
"""


def main() -> None:
    """Run check50 on this machine, with its checks in a folder."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, ".cs50.yaml").write_text("check50:\n  checks: checks.py\n", encoding="utf-8")
        Path(folder, "checks.py").write_text(CHECKS, encoding="utf-8")
        results = Path(folder, "results.json")
        os.chdir(sys.argv[1])
        sys.argv[1:] = ["--dev", "--log-level", "warning", "--output", "json", "--output-file", str(results), folder]
        with contextlib.suppress(SystemExit):  # its status says whether all passed
            run_check50()
        passed = [check["passed"] for check in json.loads(results.read_text(encoding="utf-8"))["results"]]
    print(f"passed {passed.count(True)}")


def checks_of() -> dict[str, object]:
    """Return the hidden tests of the submission as check50's checks."""
    tests = hidden_tests_of(internal.student_dir)
    return {name: check50.check()(_check(name, test)) for name, test in tests.items()}


def _check(name: str, test: Callable[..., None]) -> Callable[[], None]:
    def check() -> None:
        test(student=InProcessStudent(Path.cwd()))  # check50 has copied the submission there

    check.__name__ = check.__qualname__ = name
    return check


if __name__ == "__main__":
    main()
