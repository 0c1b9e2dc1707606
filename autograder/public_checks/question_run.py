"""Question run: runs public checks of one question on the student's file, and tells each result as plain data.

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
from pathlib import Path
from typing import Any

from autograder.checks.cases import Comparison, keep_comparisons
from autograder.checks.check_failed import CheckFailed, NotWritten
from autograder.contracts.body import run_check
from autograder.grading import explain
from autograder.grading.reproducer import Spelling, drop_silent, find_refused, write_reproducer
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.programs.program import Program, run_program
from autograder.public_checks import expected
from autograder.public_checks.student_file import StudentFile, Tell
from autograder.sandbox.calls.question_module import InProcessModule
from autograder.sandbox.host.exports import Exports
from autograder.sandbox.host.replies import read_failure
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.wire import WireError
from autograder.student import RunningAttempt, Student


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
            run_check(expected.decode(check["data"]), Student(attempt), question["id"])
        except CheckFailed as failed:
            lines = attempt.write_lines(check["functions"], compared=compared, remarks=failed.expectations)
            return Ended("failed", _join(explain.explain_check(failed, shows_values=True), lines), failed.share)
        except NotWritten as stub:
            return Ended("open", f"Not written yet: {stub}")
        except CallFailed as error:
            text = explain.explain_outcome(error.outcome, shows_values=True)
            if error.outcome.kind is OutcomeKind.NOT_WRITTEN:
                return Ended("open", text)
            if error.outcome.is_at_load:
                return Ended("failed", text + file.mark, is_of_file=True)
            return Ended("failed", _join(text, attempt.write_lines(check["functions"], ending=error.outcome)))
        except Exception as error:  # noqa: BLE001  (our fault: the other checks are run all the same)
            return Ended("skipped", f"Not checked here: {type(error).__name__}: {error}. Gradescope checks it.")
    return Ended("passed", "\n".join(["Passed.", *attempt.notes]), 1.0)


def _join(text: str, lines: str) -> str:
    return "\n".join(filter(None, [text, explain.explain_reproducer(lines)]))


class HomeAttempt(RunningAttempt):
    """One attempt at a check on a student's file."""

    def __init__(self, file: StudentFile) -> None:
        super().__init__()
        self._file = file
        self._module = HomeModule(file)

    def module(self, _stem: str) -> HomeModule:
        """Return the functions of the file."""
        return self._module

    def begin_probing(self) -> bool:
        """Keep later calls, which only explain a failure, out of the lines to run, and their prints out of sight."""
        self._module.is_probing = True
        self._file.mute()
        return True

    def write_lines(
        self,
        tested: Sequence[str],
        *,
        compared: Sequence[Comparison] = (),
        remarks: Sequence[str] = (),
        ending: Outcome | None = None,
    ) -> str:
        """Write lines that repeat the call whose value the check refused, or that had none, with the remarks."""
        refused, asked, spellings = find_refused(compared), self._module.asked, self._module.spellings
        lines = write_reproducer(asked, spellings, remarks, refused=refused, tested=tested)
        return drop_silent(lines._replace(ending=ending), refused).text


class HomeModule(InProcessModule):
    """The functions and classes of a student's file.

    `spellings`: the functions by the numbers of their handles.
    """

    def __init__(self, file: StudentFile) -> None:
        exports = Exports()
        super().__init__(file.question["classes"], exports.convert, exports.answer_callback)
        self._file = file
        self.spellings: dict[int, Spelling] = {}

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that this variant of the assignment's function takes."""
        return self._file.adapt(name, arguments)[1]

    def function(self, name: str) -> Handle:
        """Return the handle of a function, or of a function that makes an object of a class."""
        spelling, parameters = self._file.adapt(name, tuple(self._file.question["parameters"].get(name, ())))
        handle = self.keep(name, self._file.find(spelling))
        self.spellings[handle.id] = Spelling(self._file.module_name, spelling, parameters, name)
        return handle

    def run(self, programs: Sequence[Program]) -> list[list[Any]]:
        """Return the reply to each program."""
        return [self._file.run(run_program, (self._adapt(each), self._find)) for each in programs]

    def _find(self, name: str) -> Any:
        return self._file.find(self._file.adapt(name, ())[0])

    def _adapt(self, program: Program) -> Program:
        """Return a program that gives functions the arguments that this variant of them takes."""
        return program

    def _answer(self, kind: str, arguments: tuple[Any, ...]) -> object:
        try:
            value = self._file.run(self._handlers[kind], self.copy_arguments(arguments))
            return decode(self._values.pack(value), allow_handles=True, allow_exports=False)
        except CallFailed as error:
            return error.outcome
        except WireError as error:
            return read_failure((messages.UNSENDABLE, str(error)), (), {})
