"""Question run: runs a question's checks in child processes, and ends those that take too long.

A child is started anew ("spawn", which every system has) and runs one check after another. Where it does not end, or
ends itself, the check that it was at has failed, and the next child goes on behind it; a file that does not load as a
whole is loaded statement by statement, without those that did not end.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from typing import Any

from autograder.grading.statement_load import StatementLoad
from autograder.public_checks.child import Began, Checked, Printed, Task, run_checks
from autograder.public_checks.local_student import Place, Stage
from autograder.public_checks.results import build_ended
from autograder.sandbox import limits as limit
from autograder.sandbox.host.replies import describe_end
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind

_START_S = 60.0  # Python and numpy on a slow disk, before any code of the student runs
_LIMITS_S = {  # by the clock
    Stage.START: _START_S,
    Stage.LOAD: limit.CPU_S,  # an import of a large library
    Stage.STATEMENT: limit.WALL_PER_CPU * limit.LOAD_CPU_S,
    Stage.RUN: limit.CPU_S,
    Stage.LINES: limit.CPU_AFTER_TIMEOUT_S,
}


@dataclass(frozen=True)
class _Ended:
    """A child ended before its task did: how, and in which stage."""

    outcome: Outcome
    stage: Stage
    place: Place
    printed: str
    tentative: Checked | None


@dataclass
class _Child:
    """A child process under way, and what it told."""

    process: Any
    connection: Connection
    run_limit_s: float
    stage: Stage = Stage.START
    place: Place = ("", 0, 0)
    printed: list[str] = field(default_factory=list)
    tentative: Checked | None = None

    def __post_init__(self) -> None:
        self._deadline = time.monotonic() + _START_S

    def receive(self) -> Checked | _Ended:
        """Wait for the next final result, or for the end of the process or its time."""
        while True:
            told = self._receive_one()
            if isinstance(told, Began):
                self._begin(told)
            elif isinstance(told, Printed):
                self.printed.append(told.text)
                if told.is_too_much:
                    return self._end(Outcome(OutcomeKind.OUTPUT_LIMIT))
            elif isinstance(told, Outcome):
                return self._end(told)
            elif told.is_final:
                return told
            else:
                self.tentative = told

    def _receive_one(self) -> Began | Printed | Checked | Outcome:
        left_s = max(self._deadline - time.monotonic(), 0.0)
        ready = wait([self.connection, self.process.sentinel], left_s)
        if not ready:
            return Outcome(OutcomeKind.TIMED_OUT)
        try:
            if self.connection.poll():
                return self.connection.recv()  # type: ignore[no-any-return]
        except (EOFError, OSError):  # Windows has an OSError for a pipe whose other end is gone
            pass
        self.process.join()
        return _describe_exit(self.process.exitcode)

    def _begin(self, began: Began) -> None:
        self.stage, self.place = began.stage, began.place
        limit_s = self.run_limit_s if began.stage is Stage.RUN else _LIMITS_S[began.stage]
        self._deadline = time.monotonic() + limit_s
        if began.stage is Stage.LOAD:  # a file that is loaded again prints again
            self.printed.clear()

    def _end(self, outcome: Outcome) -> _Ended:
        return _Ended(outcome, self.stage, self.place, "".join(self.printed), self.tentative)


class QuestionRun:
    """The run of one question, in as many child processes as it needs."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._checks = task.question["checks"]
        self._run_limit_s: float = task.question.get("cpu_s") or limit.CPU_S
        self._loads = 0

    def run(self) -> Iterator[Checked]:
        """Yield the result of each check as soon as it is known."""
        while self._task.done < len(self._checks):
            with _start_child(self._task, self._run_limit_s) as child:
                ended = yield from self._follow(child)
            if ended is not None:
                yield from self._conclude(ended)

    def _follow(self, child: _Child) -> Any:
        """Yield the results of a child; return its end if that came before the last."""
        while self._task.done < len(self._checks):
            told = child.receive()
            if isinstance(told, _Ended):
                return told
            yield self._count(told)
            child.printed.clear()
            child.tentative = None
        return None

    def _conclude(self, ended: _Ended) -> Iterator[Checked]:
        """Yield the results that follow from a child's end; none where the next child loads the file in another way."""
        if ended.tentative is not None:  # only its lines to run were left
            yield self._count(replace(ended.tentative, is_final=True))
        elif ended.stage in (Stage.LOAD, Stage.STATEMENT) and self._may_load_more(ended):
            self._leave_out(ended)
        elif ended.stage in (Stage.LOAD, Stage.STATEMENT):
            while self._task.done < len(self._checks):
                yield self._fail(replace(ended, outcome=replace(ended.outcome, is_at_load=True)))
        else:
            if ended.outcome.kind is OutcomeKind.TIMED_OUT:
                self._run_limit_s = limit.CPU_AFTER_TIMEOUT_S
            yield self._fail(ended)

    def _may_load_more(self, ended: _Ended) -> bool:
        is_whole = ended.stage is Stage.LOAD and self._task.load is not None
        return not is_whole and self._loads < limit.LOADS

    def _leave_out(self, ended: _Ended) -> None:
        """Have the next child load the file statement by statement, without the one that this child ended at."""
        self._loads += 1
        load = self._task.load or StatementLoad()
        if ended.stage is Stage.STATEMENT:
            load.leave_out(*ended.place, ended.outcome.kind)
        self._task = replace(self._task, load=load)

    def _fail(self, ended: _Ended) -> Checked:
        check = self._checks[self._task.done]
        printed = ended.printed.encode("utf-8", "backslashreplace")
        result = build_ended(check, ended.outcome, self._task.own, printed=printed)
        return self._count(Checked(result, self._task.load))

    def _count(self, checked: Checked) -> Checked:
        self._task = replace(self._task, done=self._task.done + 1, load=checked.load)
        return checked


@contextmanager
def _start_child(task: Task, run_limit_s: float) -> Iterator[_Child]:
    """Start a child, and end it."""
    context = multiprocessing.get_context("spawn")
    connection, of_child = context.Pipe(duplex=False)
    process = context.Process(target=run_checks, args=(task, of_child))
    process.start()
    of_child.close()
    try:
        yield _Child(process, connection, run_limit_s)
    finally:
        process.kill()
        process.join()
        connection.close()


def _describe_exit(status: int) -> Outcome:
    """Return the outcome for an exit status, which is negative where a signal ended the process."""
    return describe_end(signal.Signals(-status).name if status < 0 else "", status)
