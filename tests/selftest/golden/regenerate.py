"""Regenerate: grades the example submissions and records the expected content of results.json; review the difference.

Run as `python -m tests.selftest.golden.regenerate [EXAMPLE ...]` in the project's folder. The example `broken_uploads`
is a folder of submissions that fail when they are loaded, of which only what a student reads first is recorded, and
`explained` the accounts that staff read of single checks of `half_done`.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from autograder.assignment import load_assignment
from autograder.explanation import explain, write_explanation
from autograder.grade import GradeRequest, grade
from autograder.grader import Grader
from autograder.results import Report, Verdict
from autograder.sandbox import limits
from autograder.submission import read_submission

PROJECT = Path(__file__).resolve().parents[3]
GOLDEN = Path(__file__).resolve().parent
EXAMPLES = ("half_done", "right", "wrong")
# The questions that the examples answer: one that is added later changes no recorded result.
ANSWERED = tuple(
    question.question_id
    for question in load_assignment(PROJECT).questions
    if any((PROJECT / "examples" / "right" / name).exists() for name in question.files)
)
BROKEN = "broken_uploads"
EXPLAINED = "explained"
# Failed by a value (visible, hidden, in a later case), by an error, partly; advice; not written yet; passed.
EXPLAINED_CHECKS = "1.1 1.5 1.8 1.12 2.3 4.4 5.3 7.13 7.15 8.9 10.3 10.8 10.11".split()  # noqa: SIM905
BROKEN_IDS = ("normalization", "dropout")  # the questions that the broken uploads answer
_LOAD_CPU_S = 0.3  # for the endless loops among them


def results_of(folder: Path) -> dict[str, Any]:
    """Grade a submission and return what its results.json has on every machine."""
    with tempfile.TemporaryDirectory() as results_dir:
        grade(GradeRequest(PROJECT, folder, Path(results_dir), only=ANSWERED))
        return drop_what_differs(json.loads((Path(results_dir) / "results.json").read_bytes()))


def drop_what_differs(results: dict[str, Any]) -> dict[str, Any]:
    """Return results without the fields that differ from run to run or by machine."""
    del results["execution_time"]
    for key in ("grader", "layers", "layers_are"):
        del results["extra_data"][key]
    for test in results["tests"]:  # a busy machine may take one more
        test["extra_data"].pop("attempts", None)
    return results


def as_text(results: dict[str, Any]) -> str:
    """Write the results as JSON with one line for each test."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in results.items() if key != "tests"]
    tests = ",\n  ".join(json.dumps(test) for test in results["tests"])
    return "\n ".join(["{", *lines, f'"tests": [\n  {tests}\n ]']) + "\n}\n"


def results_of_broken_uploads() -> dict[str, Any]:
    """Grade each broken upload, and return its points, its notes and the first lines of the checks that lost points."""
    assignment, kept = load_assignment(PROJECT), limits.LOAD_CPU_S
    limits.LOAD_CPU_S = _LOAD_CPU_S  # type: ignore[assignment]
    try:
        with Grader(assignment, only=BROKEN_IDS) as grader:
            folders = sorted(path for path in (GOLDEN.parent / BROKEN).iterdir() if path.is_dir())
            uploads = {path.name: read_submission(path, assignment, only=BROKEN_IDS) for path in folders}
            return {name: _summarise(grader.grade(upload)) for name, upload in uploads.items()}
    finally:
        limits.LOAD_CPU_S = kept


def _summarise(report: Report) -> dict[str, Any]:
    summary: dict[str, Any] = {"score": report.score, "notes": list(report.notes)}
    answered = (each for each in report.questions if each.file is not None or not each.notes[0].startswith("no file"))
    for question in answered:
        checks = [check for check in report.checks if check.question_id == question.question_id]
        points = sum(check.score or 0.0 for check in checks)
        lost = [check.output.splitlines()[:2] for check in checks if check.verdict is not Verdict.PASSED]
        said = [" ".join(line.strip() for line in lines) for lines in lost]
        summary[question.question_id] = {"file": question.file, "points": points, "notes": list(question.notes)}
        if question.file is not None:
            summary[question.question_id]["lost"] = list(dict.fromkeys(said))
    return summary


def explain_check(number: str) -> str:
    """Explain a check of the submission that is half done."""
    return write_explanation(explain(PROJECT, PROJECT / "examples" / "half_done", number))


def golden_path(example: str) -> Path:
    """Return the path of an example's recorded results."""
    return GOLDEN / f"{example}.json"


def main() -> None:
    """Write the files of the examples named, or of all."""
    for example in sys.argv[1:] or (*EXAMPLES, BROKEN, EXPLAINED):
        if example == EXPLAINED:
            for number in EXPLAINED_CHECKS:
                (GOLDEN / EXPLAINED / f"{number}.txt").write_text(explain_check(number), encoding="utf-8")
        elif example == BROKEN:
            uploads = json.dumps(results_of_broken_uploads(), indent=1, ensure_ascii=False)
            golden_path(BROKEN).write_text(f"{uploads}\n", encoding="utf-8")
        else:
            results = results_of(PROJECT / "examples" / example)
            golden_path(example).write_text(as_text(results), encoding="utf-8")
            print(f"{example}: {results['score']:g} points")


if __name__ == "__main__":
    main()
