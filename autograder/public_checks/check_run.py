"""Check run: calls the body of one public check on the student's files, and turns what it showed into a result."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograder.checks import CheckFailed, NotWritten
from autograder.checks.comparison_log import Comparison, keep_comparisons
from autograder.grading import explain
from autograder.grading.expression import find_identity_texts
from autograder.grading.lines_function import FUNCTION, MODULE, is_shown, write_function
from autograder.grading.reproducer import NO_LINES, Lines, drop_silent, find_refused, write_reproducer
from autograder.public_checks.expected import NotRecorded
from autograder.public_checks.local_student import LocalAttempt, LocalModule, Source
from autograder.public_checks.results import PublicCheck, build_check, build_ended, build_failure, build_unwritten
from autograder.sandbox.protocol.outcome import CallFailed, Outcome
from autograder.student import Student

_NOT_WRITTEN_CHARACTERS = 160


@dataclass
class CheckRun:
    """One check of `questions.json` under way; `body`: its function."""

    check: Mapping[str, Any]
    body: Callable[..., object]
    attempt: LocalAttempt
    lines: Lines = NO_LINES
    _failed: CheckFailed | None = None
    _outcome: Outcome | None = None

    def run(self) -> PublicCheck:
        """Run the check; `lines` are then those that may show its failure."""
        with keep_comparisons() as compared:
            result = self._run_body()
        if not result.passed and (self._failed or self._outcome) and not result.is_shared:
            self.lines = self._write_lines(compared)
        return result

    def add_lines(self) -> PublicCheck:
        """Return the result of the check that failed, with the lines to run."""
        return self._describe(self.lines.text)

    def _run_body(self) -> PublicCheck:
        scores: list[float] = []
        try:
            self.body(Student(self.attempt), **_choose_setters(self.body, scores))
        except CheckFailed as failed:
            self._failed = failed
        except NotWritten as stub:
            text = explain.clean_student_text(f"Not written yet: {stub}", _NOT_WRITTEN_CHARACTERS)
            return build_unwritten(self.check, text)
        except CallFailed as error:
            self._outcome = error.outcome
        except NotRecorded as problem:
            return build_check(self.check, passed=False, output=f"Not checked here: {problem}. Gradescope checks it.")
        else:
            is_passed = not scores or scores[-1] >= self.check["points"]
            output = "\n".join(["Passed." if is_passed else "Partial.", *self.attempt.notes])
            return build_check(self.check, passed=is_passed, output=output)
        return self._describe()

    def _describe(self, lines: str = "") -> PublicCheck:
        printed = self.attempt.printed
        if self._failed is not None:
            text = explain.explain_check(self._failed, shows_values=True)
            return build_failure(self.check, text, lines, printed)
        assert self._outcome is not None  # noqa: S101  (neither passed nor failed a check)
        own = {source.path: source.text for source in self.attempt.own.values()}
        return build_ended(self.check, self._outcome, own, lines=lines, printed=printed)

    def _write_lines(self, compared: Sequence[Comparison]) -> Lines:
        module = self._find_module()
        if module is None:
            return NO_LINES
        refused = find_refused(compared)
        fresh_texts = find_identity_texts(source.text for source in self.attempt.own.values())
        remarks = self._failed.expectations if self._failed else ()
        tested = self.check["functions"]
        lines = write_reproducer(
            module.asked, module.spellings, remarks, fresh_texts=fresh_texts, refused=refused, tested=tested
        )
        return drop_silent(lines._replace(ending=self._outcome), refused)

    def _find_module(self) -> LocalModule | None:
        modules = self.attempt.modules
        return modules[0] if len(modules) == 1 else None


def show_failure(lines: Lines, attempt: LocalAttempt) -> bool:
    """Whether the lines, run beside the student's files, give the wrong values of the failed check, or its error.

    `attempt`: a fresh one.
    """
    ((stem, question),) = attempt.questions.items()
    text = Source(f"{MODULE}.py", write_function(lines.text), is_package=False)
    attempt.questions = {stem: replace(question, module=MODULE)}
    attempt.own = {**attempt.own, MODULE: text}
    try:
        got = getattr(getattr(Student(attempt), stem), FUNCTION)()
    except CallFailed as error:
        ending, outcome = lines.ending, error.outcome
        return ending is not None and (ending.kind, ending.error_type) == (outcome.kind, outcome.error_type)
    return lines.ending is None and is_shown(lines.shown, got)


def _choose_setters(body: Callable[..., object], scores: list[float]) -> dict[str, Callable[[Any], None]]:
    """The arguments that a decorator hands over on Gradescope: the handout has none of the decorators."""
    setters = {"set_score": scores.append, "set_leaderboard_value": lambda value: None}
    parameters = inspect.signature(body).parameters
    takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    return {name: setter for name, setter in setters.items() if takes_any or name in parameters}
