"""Question run: runs public checks of one question on the student's file, and tells each result as plain data.

`check.py` starts a process for it, and ends that where a check takes too long.
"""

from __future__ import annotations

import gzip
import inspect
import json
import signal
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from autograder.checks.cases import keep_comparisons
from autograder.checks.check_failed import CheckFailed, NotWritten
from autograder.contracts.body import run_check
from autograder.grading import explain
from autograder.public_checks.expected import OnlyOnGradescope, decode_plain
from autograder.public_checks.home_student import HomeAttempt
from autograder.public_checks.student_file import StudentFile, Tell
from autograder.sandbox.protocol.outcome import CallFailed, OutcomeKind
from autograder.student import Student


@dataclass(frozen=True)
class Ended:
    """How a check ended. `share`: of its points that are earned; `state`: passed, failed, open or skipped."""

    state: str
    text: str
    share: float = 0.0
    is_of_file: bool = False


def run_question(data: Path, path: str | None, numbers: Sequence[str], tell: Tell) -> None:
    """Run the checks with these numbers, in their order. `data`: the file of checks; `path`: of the student's file."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends check.py, which ends this process
    warnings.filterwarnings("ignore", "Creating an ndarray from ragged")  # numpy before 1.24
    question = json.loads(gzip.decompress(data.read_bytes()))
    checks = {check["number"]: check for check in question["checks"]}
    for check in map(checks.__getitem__, numbers):
        tell({"began": check["number"]})
        file = StudentFile(question, path, tell)
        ended = run_public_check(question, check, file, lambda: tell({"runs": True}))
        file.close()
        hidden = check["hide_errors"] if ended.state != "passed" else None
        text = ended.text if hidden is None else hidden
        tell({**vars(ended), "text": text, "notes": file.notes})


def run_public_check(
    question: Mapping[str, Any], check: Mapping[str, Any], file: StudentFile, begin: Callable[[], None]
) -> Ended:
    """Run one check on a file; `begin` is called once the file is loaded."""
    attempt = HomeAttempt(file)
    with keep_comparisons() as compared:
        try:
            file.find(file.adapt(check["functions"][0].partition(".")[0], ())[0])
            begin()
            share = call_body(question["id"], check, Student(attempt))
        except CheckFailed as failed:
            lines = attempt.write_lines(check["functions"], compared=compared, remarks=failed.expectations)
            return Ended("failed", _join(explain.explain_check(failed, shows_values=True), lines), failed.share)
        except NotWritten as stub:
            return Ended("open", f"Not written yet: {stub}")
        except OnlyOnGradescope as problem:
            return Ended("skipped", f"Not checked here: {problem}. Gradescope checks it.")
        except CallFailed as error:
            text = explain.explain_outcome(error.outcome, shows_values=True)
            if error.outcome.kind is OutcomeKind.NOT_WRITTEN:
                return Ended("open", text)
            if error.outcome.is_at_load:
                return Ended("failed", text + file.mark, is_of_file=True)
            return Ended("failed", _join(text, attempt.write_lines(check["functions"], ending=error.outcome)))
        except Exception as error:  # noqa: BLE001  (our fault: the other checks are run all the same)
            return Ended("skipped", f"Not checked here: {type(error).__name__}: {error}. Gradescope checks it.")
    text = "\n".join(["Passed." if share >= 1 else "Partial.", *attempt.notes])
    return Ended("passed" if share >= 1 else "failed", text, share)


def call_body(stem: str, check: Mapping[str, Any], student: Student) -> float:
    """Call the body of a check, recorded as data or written by hand; return the share of the points that it earns."""
    if "data" in check:
        run_check(decode_plain(check["data"]), student, stem)
        return 1.0
    body = getattr(import_module(f"tests.public.test_{stem}"), check["test"])
    scores: list[float] = []
    setters = {"set_score": scores.append, "set_leaderboard_value": lambda _: None}
    taken = inspect.signature(body).parameters
    body(student, **{name: setter for name, setter in setters.items() if name in taken})
    return scores[-1] / check["points"] if scores and check["points"] else 1.0


def _join(text: str, lines: str) -> str:
    return "\n".join(filter(None, [text, explain.explain_reproducer(lines)]))
