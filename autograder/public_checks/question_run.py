"""Question run: runs public checks of one question on the student's file, and reports each result as plain data.

The file's functions answer the requests of a check in this process, as a worker would. Nothing is isolated, because
everything here is the student's own. `check.py` starts a process for it, and ends that where a check takes too long.
"""

from __future__ import annotations

import gzip
import json
import signal
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from autograder.checks.check_failed import CheckFailed, NotWritten
from autograder.contracts.body import DerivedCheck, find_failing_case, judge_check
from autograder.grading import explain
from autograder.programs.calls import adapt_calls
from autograder.programs.lines import Spelling
from autograder.programs.outcome import CallFailed, OutcomeKind
from autograder.programs.program import Program, run_program
from autograder.public_checks import expected
from autograder.public_checks.student_file import StudentFile, Tell
from autograder.submission.source_scan import find_gap, have_code


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
        begin = partial(tell, {"runs": True})
        ended = run_public_check(question, check, file, begin)
        file.close()
        text = ended.text
        if ended.state != "passed" and check["hide_errors"] is not None:
            text = check["hide_errors"]
        tell({**vars(ended), "text": text, "notes": file.notes})


def run_public_check(
    question: Mapping[str, Any], check: Mapping[str, Any], file: StudentFile, begin: Callable[[], None]
) -> Ended:
    """Run one check on a file; `begin` is called once the file is loaded."""
    module = HomeModule(file)
    derived: DerivedCheck = expected.decode(check["data"])
    try:
        owner, _, _ = check["functions"][0].partition(".")
        file.find(owner)
        begin()
        judgement = judge_check(derived, module.run(derived.programs))
        if judgement.failure is not None:
            raise judgement.failure
    except CheckFailed as failed:
        return module.end_in_failure(failed, derived, check["functions"])
    except NotWritten as stub:
        if stub.failed is None or not module.has_code(check["functions"]):
            return Ended("open", f"Not written yet: {stub}")
        without_points = stub.failed.copy_with(earned={})
        return module.end_in_failure(without_points, derived, check["functions"])
    except CallFailed as error:
        text = explain.explain_outcome(error.outcome, shows_values=True)
        if error.outcome.kind is OutcomeKind.NOT_WRITTEN:
            return Ended("open", text)
        if error.outcome.is_at_load:
            return Ended("failed", text + file.mark, is_of_file=True)
        return Ended("failed", module.add_lines(text, derived))
    except Exception as error:  # noqa: BLE001  (our fault: the other checks are run all the same)
        return Ended("skipped", f"Not checked here: {type(error).__name__}: {error}. Gradescope checks it.")
    text = "\n".join(["Passed.", *judgement.notes])
    return Ended("passed", text, 1.0)


class HomeModule:
    """The functions and classes of a student's file, which answer the programs of a check; `replies`: those so far."""

    def __init__(self, file: StudentFile) -> None:
        self._file = file
        self.replies: list[list[Any]] = []

    def run(self, programs: Sequence[Program]) -> list[list[Any]]:
        """Return the reply to each program."""
        replies = []
        file = self._file
        for program in map(self.adapt, programs):
            take = partial(run_program, program, file.find, describe=file.describe, catch=BaseException)
            replies.append(file.run(take))
        self.replies += replies
        return replies

    def end_in_failure(self, failed: CheckFailed, check: DerivedCheck, functions: Sequence[str]) -> Ended:
        """Say what is wrong; of functions that still have the starter code, that nothing is written."""
        gap = find_gap(list(map(self._file.scan, functions)))
        if gap and not failed.share:
            return Ended("open", f"Not written yet: {gap}")
        text = explain.explain_check(failed, shows_values=True)
        shown = self.add_lines(text, check, failed)
        return Ended("failed", shown, failed.share)

    def has_code(self, functions: Sequence[str]) -> bool:
        """Return whether values like a stub's come from code; a method's may rest on others that are not written."""
        alone = [name for name in functions if "." not in name]
        return have_code(list(map(self._file.scan, alone)))

    def add_lines(self, text: str, check: DerivedCheck, failed: CheckFailed | None = None) -> str:
        """Add the first failing case as lines to run, if it fails in a file that is loaded for it alone, too."""
        failing = find_failing_case(check, self.replies, failed)
        if failing is None:
            return text
        lines = failing.write(self.adapt, self.spell)
        if not lines:
            return text
        file = self._file.load_again()
        (reply,) = HomeModule(file).run([failing.program])
        file.close()
        shown = explain.explain_reproducer(lines) if failing.is_shown_by(reply) else explain.RIGHT_ALONE
        return f"{text}\n{shown}"

    def adapt(self, program: Program) -> Program:
        """Return a program that gives functions the arguments that this variant of them takes."""
        return adapt_calls(program, self._file.drop_arguments)

    def spell(self, name: str) -> Spelling:
        """Return where a function is defined, and under which name."""
        parameters = self._file.question["parameters"].get(name, ())
        kept = self._file.drop_arguments(name, tuple(parameters))
        return Spelling(self._file.module_name, self._file.spell(name), kept)
