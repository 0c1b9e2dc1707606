"""Shared workers: runs the first attempts of a pass, all checks of a question in one worker that is reset between them.

It finds passes only. What does not pass here is tried again alone, in a fresh worker, and only that is reported. Hidden
and visible checks never share a worker, since each pass has its own. The next check is sent before this one is judged,
so that worker and grader work at the same time. Replies are untrusted: nothing else looks at them before their form is
checked here.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autograder.contracts import CheckBody
from autograder.grading.attempt import AttemptResult, call_body
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.hidden_test import RunnableTest
from autograder.programs.program import Program
from autograder.results import Visibility
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError, Worker
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.host.replies import read_parts
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.sandbox.protocol.wire import WireError
from autograder.student import RunningAttempt

_NO_VALUE = Outcome(OutcomeKind.RAISED)  # an attempt alone tells why


class SharedWorkers:
    """The first attempts at the tests of one pass, in their order; close it to end its worker."""

    def __init__(self, runner: AttemptRunner, tests: Sequence[RunnableTest]) -> None:
        _require_one_visibility(tests)
        self._runner = runner
        self._left = list(tests)
        self._worker: Worker | None = None
        self._stem = ""
        self._sent: RunnableTest | None = None

    def close(self) -> None:
        """End the worker, if there is one. A zygote that cannot end it is replaced."""
        worker, self._worker, self._sent = self._worker, None, None
        if worker is not None:
            try:
                worker.close()
            except SandboxError:
                self._runner.zygotes.close()

    def try_first(self, test: RunnableTest) -> AttemptResult | None:
        """Return how a test ends that is the next one; None where that is not known, and for one by hand."""
        while self._left and self._left[0].test is not test.test:
            self._left.pop(0)
        if not self._left:
            return None
        if self._sent is not self._left[0]:
            self._send()
        asked = self._left.pop(0)
        found = self._receive(asked) if self._sent is asked else None
        self._sent = None
        if self._worker is not None:
            self._send()
        return None if found is None else self._judge(asked, found)

    def _send(self) -> None:
        """Send the next test, if it has a contract; to a new worker, where there is none for its question."""
        if not self._left or not self._may_share(self._left[0]):
            return
        asked = self._left[0]
        with contextlib.suppress(SandboxError, OSError, WireError, Ended):
            try:
                self._write(asked)
            except BaseException:
                self.close()
                raise
            self._sent = asked

    def _may_share(self, asked: RunnableTest) -> bool:
        runner, test = self._runner, asked.test
        is_asked = isinstance(asked.call, CheckBody) and test.column is None and runner.shares_workers
        is_over = runner.memory.waiting.is_spent(test.stem) or time.monotonic() >= runner.deadline
        has_file = runner.materials[test.stem].files.main is not None
        return is_asked and has_file and not is_over and runner.memory.loads[test.stem, False].is_whole

    def _write(self, asked: RunnableTest) -> None:
        material, modules = self._runner.materials[asked.test.stem], b""
        if self._worker is not None and self._stem != asked.test.stem:
            self.close()
        if self._worker is None:
            limits = replace(self._runner.limits, cpu_s=limit.CPU_S)
            self._worker = self._runner.zygotes.get().spawn(limits, preload=material.preload)
            self._runner.memory.layers = self._worker.layers
            self._stem = asked.test.stem
            modules = material.encode_modules(support_wins=False)
        main = material.files.main
        assert main is not None  # noqa: S101  (see _may_share)
        programs = _list_programs(asked)
        adapted = [material.adapt(each) for each in programs]
        connection = self._worker.connection
        connection.exports.give_toys(adapted)
        withheld = material.find_supplied(asked.test.functions)
        request = (messages.CHECK, material.preload, modules, main.module, withheld)
        asked_for = (material.list_places(programs), adapted, limit.FIRST_CPU_S)
        connection.send((*request, *asked_for), replies=len(adapted), deadline=self._find_deadline())

    def _receive(self, asked: RunnableTest) -> list[list[Any]] | None:
        """Return the replies to the programs of a test; None where there are fewer."""
        assert self._worker is not None  # noqa: S101  (it was sent)
        found, size = [], 0
        try:
            for program in _list_programs(asked):
                message = self._worker.connection.receive(deadline=self._find_deadline())
                if not messages.is_returned(message):
                    raise CallFailed(_NO_VALUE)
                size += sum(len(each) for each in message[1] if type(each) is bytes)
                if size > limit.REPLIES_BYTES:
                    raise CallFailed(_NO_VALUE)
                found.append(read_parts(message[1], len(program.returned), lambda _: _NO_VALUE))
        except (CallFailed, Ended, SandboxError, OSError, TypeError):
            self.close()
            return None
        return found

    def _find_deadline(self) -> float:
        return min(self._runner.deadline, time.monotonic() + limit.FIRST_WALL_S)

    def _judge(self, asked: RunnableTest, replies: list[list[Any]]) -> AttemptResult:
        parts = [part for reply in replies for part in reply]
        if all(isinstance(each, Outcome) for each in parts):
            return AttemptResult(outcome=_NO_VALUE)
        body = asked.call
        assert isinstance(body, CheckBody)  # noqa: S101  (see _may_share)
        return call_body(_Judged(), lambda student: body.judge(replies, student), asked.test.points)


class _Judged(RunningAttempt):
    """An attempt whose replies are there already."""

    def module(self, stem: str) -> Any:
        """Fail: nothing can be asked any more."""
        raise NotImplementedError(stem)


def _list_programs(asked: RunnableTest) -> Sequence[Program]:
    return asked.call.derived.programs if isinstance(asked.call, CheckBody) else ()


def _require_one_visibility(tests: Sequence[RunnableTest]) -> None:
    if len({each.test.visibility is Visibility.VISIBLE for each in tests}) > 1:
        raise ValueError("visible and hidden tests would share a worker")
