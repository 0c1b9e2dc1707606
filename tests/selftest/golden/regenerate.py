"""Regenerate: grades the example submissions and records the expected content of results.json; review the difference.

Run as `python -m tests.selftest.golden.regenerate [EXAMPLE ...]` in the project's folder.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from autograder.grade import GradeRequest, grade
from autograder.gradescope.results_json import build_results
from autograder.results import Report

PROJECT = Path(__file__).resolve().parents[3]
GOLDEN = Path(__file__).resolve().parent
EXAMPLES = ("half_done", "right", "wrong")


def results_of(folder: Path, *, at_once: int = 1) -> dict[str, Any]:
    """Grade a submission and return its results.json without the fields that differ from run to run or by machine."""
    with tempfile.TemporaryDirectory() as results_dir:
        grade(GradeRequest(folder, Path(results_dir), at_once=at_once))
        return _drop_what_differs((Path(results_dir) / "results.json").read_bytes())


def convert_report(report: Report) -> dict[str, Any]:
    """Return the same for a report that was not written."""
    return _drop_what_differs(build_results(report).as_bytes())


def _drop_what_differs(text: bytes) -> dict[str, Any]:
    results: dict[str, Any] = json.loads(text)
    del results["execution_time"], results["extra_data"]["grader"], results["extra_data"]["layers"]
    return results


def as_text(results: dict[str, Any]) -> str:
    """Write the results as JSON with one line for each test."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in results.items() if key != "tests"]
    tests = ",\n  ".join(json.dumps(test) for test in results["tests"])
    return "\n ".join(["{", *lines, f'"tests": [\n  {tests}\n ]']) + "\n}\n"


def golden_path(example: str) -> Path:
    """Return the path of an example's recorded results."""
    return GOLDEN / f"{example}.json"


def main() -> None:
    """Write the files of the examples named, or of all."""
    for example in sys.argv[1:] or EXAMPLES:
        results = results_of(PROJECT / "examples" / example)
        golden_path(example).write_text(as_text(results), encoding="utf-8")
        print(f"{example}: {results['score']:g} points")


if __name__ == "__main__":
    main()
