"""Shared workers: runs the first attempts of a pass, all checks in one worker that is reset between them.

It finds passes only. What does not pass here is tried again alone, in a fresh worker, and only that is reported. Hidden
and visible checks never share a worker, since each pass has its own. The next check is sent before this one is judged,
so that worker and grader work at the same time. Replies are untrusted: nothing else looks at them before their form is
checked here.
"""

from __future__ import annotations

import operator
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autograder.contracts import CheckBody, ContractError
from autograder.grading.attempt import Attempt, Reason, Tried, call_body, count_bytes, judge_replies
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.ending import NoValue, Partial, Passed
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.material import Material
from autograder.grading.student_module import LentWorker
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.program import Program
from autograder.results import Visibility
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError, Worker
from autograder.sandbox.host.connection import Connection, Ended
from autograder.sandbox.host.replies import read_parts
from autograder.sandbox.preload import find_submodules
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.trusted_form import pack_records
from autograder.sandbox.protocol.wire import WireError
from autograder.student import TestCall

_NO_VALUE = Outcome(OutcomeKind.RAISED)  # an attempt alone shows why
_UNKNOWN = Tried(NoValue(_NO_VALUE), reasons=(Reason.SHARED,))
_FAILURES = (CallFailed, Ended, SandboxError, OSError, WireError, TypeError, ValueError)


class SharedWorkers:
    """The first attempts at the tests of one pass, in their order; close it to end its worker."""

    def __init__(self, runner: AttemptRunner, tests: Sequence[RunnableTest]) -> None:
        _require_one_visibility(tests)
        self._runner = runner
        self._left = list(tests)
        self._worker: Worker | None = None
        self._loaded: tuple[str, tuple[str, ...]] = ("", ())  # the question, and the supplied functions without a body
        self._bodies: set[str] = set()  # the supplied functions that it ever had a body of
        self._preload: tuple[str, ...] = ()  # of the worker
        question_ids = {each.test.question_id for each in tests}
        self._preloads = _join_preloads({each: runner.materials[each].preload for each in question_ids})
        self._sent: RunnableTest | None = None
        self._step_s = 0.0  # by the clock, for each program of the test that was sent

    def close(self) -> None:
        """End the worker, if there is one. A zygote that cannot end it is replaced."""
        worker, self._worker, self._sent = self._worker, None, None
        if worker is not None:
            try:
                worker.close()
            except SandboxError:
                self._runner.zygotes.close()

    def try_first(self, test: RunnableTest) -> Tried | None:
        """Return how a test ends that comes after those that were tried; None where it cannot be tried here."""
        while self._left and self._left[0].test is not test.test:
            self._left.pop(0)
        if not self._left:
            return None
        if self._sent is not self._left[0] and not self._send():
            return None
        asked, self._sent = self._left.pop(0), None
        if not isinstance(asked.call, CheckBody):
            return self._run_by_hand(asked.test, asked.call)
        replies = self._receive(asked.call.derived.programs, limit.limit_replies(asked.test.need))
        if self._worker is not None:
            self._send()
        if replies is None:
            return _UNKNOWN
        ending = judge_replies(asked.call, lambda _: replies, asked.test.points)
        return Tried(ending, reasons=(Reason.SHARED,))

    def _send(self) -> bool:
        """Send the next test, to a new worker where there is none for its question; whether that was possible."""
        if not self._left or not self._may_share(self._left[0]):
            return False
        try:
            self._write(self._left[0])
        except (*_FAILURES, ContractError):  # its own attempt reports it
            self.close()
            return False
        self._sent = self._left[0]
        return True

    def _may_share(self, asked: RunnableTest) -> bool:
        runner, question_id = self._runner, asked.test.question_id
        if not runner.shares_workers or time.monotonic() >= runner.deadline:
            return False
        has_file = runner.materials[question_id].files.main is not None
        return has_file and runner.memory.loads[question_id, False, ()].is_whole

    def _write(self, asked: RunnableTest) -> None:
        """Send what resets the worker, and the programs of a check."""
        material = self._runner.materials[asked.test.question_id]
        modules = b""
        withheld = material.list_withheld(asked.test.functions)
        files = asked.test.question_id, withheld
        preload = self._preloads[asked.test.question_id]
        if preload != self._preload or self._has_body(asked.test.functions):
            self.close()
        if self._worker is None:
            self._worker = self._runner.zygotes.get().spawn(self._runner.limits, preload=preload)
            self._runner.memory.layers = self._worker.layers
            self._loaded = "", ()
            self._bodies = set()
            self._preload = preload
        if self._loaded != files:
            modules = material.encode_modules(support_wins=False, withheld=withheld)
            self._loaded = files
            self._bodies |= material.supplied_names - set(withheld)
        connection = self._worker.connection
        connection.exports.close_all()
        cpu_s, self._step_s, _ = limit.choose_first_clock(asked.test.need)
        reset = (messages.RESET, preload, modules, material.main_module, cpu_s, self._step_s)
        connection.send(reset, deadline=self._find_deadline())
        if isinstance(asked.call, CheckBody):
            self._write_programs(connection, material, asked.call)

    def _has_body(self, functions: Iterable[str]) -> bool:
        """Whether code in the worker may have kept the body of a supplied function that is now under test."""
        return not self._bodies.isdisjoint(functions)

    def _write_programs(self, connection: Connection, material: Material, body: CheckBody) -> None:
        programs = body.derived.programs
        adapted = [material.adapt(each) for each in programs]
        is_as_kept = all(map(operator.is_, adapted, programs))
        packed = body.pack_programs() if is_as_kept else pack_records(adapted)
        connection.exports.give_toys(adapted)
        request = (messages.ALL_PROGRAMS, material.list_places(programs), packed)
        connection.send(request, replies=2, deadline=self._find_deadline())

    def _receive(self, programs: Sequence[Program], most_bytes: int) -> list[list[Any]] | None:
        """Return the replies to programs; None where there are fewer, or where they take more than `most_bytes`."""
        replies, size = [], 0
        try:
            self._receive_value()
            received = self._receive_value(len(programs))
            for program, parts in zip(programs, received, strict=True):
                sent = sum(len(each) for each in parts if type(each) is bytes)
                if size + sent > most_bytes:
                    raise CallFailed(_NO_VALUE)
                read = read_parts(parts, len(program.returned), lambda _: _NO_VALUE, most_bytes=most_bytes)
                size += count_bytes(read)  # of handles, many times what was sent
                replies.append(read)
        except _FAILURES:
            self.close()
            return None
        return replies

    def _run_by_hand(self, test: HiddenTest, call: TestCall) -> Tried | None:
        """Call the body of a test that asks a step at a time."""
        runner = self._runner
        try:
            names = self._receive_value()
            if not messages.has_form(names, [str]) or self._worker is None:
                raise CallFailed(_NO_VALUE)
        except _FAILURES:
            self.close()
            return _UNKNOWN
        attempt = Attempt(test.functions, runner.deadline, Reason.SHARED, test.need)
        with runner.open_run(attempt, test.question_id, LentWorker(self._worker, frozenset(names))) as run:
            ending = call_body(run, call, test.points)
        if not isinstance(ending, Passed):
            self.close()
        if isinstance(ending, (Passed, Partial)) and ending.entry is not None:  # it may show how long something takes
            return None
        return Tried(ending, reasons=(Reason.SHARED,))

    def _receive_value(self, steps: int = 1) -> Any:
        assert self._worker is not None  # noqa: S101  (it was sent)
        message = self._worker.connection.receive(deadline=self._find_deadline(steps))
        if not messages.is_returned(message):
            raise CallFailed(_NO_VALUE)
        return message[1]

    def _find_deadline(self, steps: int = 1) -> float:
        return min(self._runner.deadline, time.monotonic() + steps * self._step_s)


def _join_preloads(preloads: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    """Return by question what a worker preloads for it and all others with the same submodules."""
    joined: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for names in preloads.values():
        joined[find_submodules(names)].update(names)
    return {question_id: tuple(sorted(joined[find_submodules(names)])) for question_id, names in preloads.items()}


def _require_one_visibility(tests: Sequence[RunnableTest]) -> None:
    are_visible = {each.test.visibility is Visibility.VISIBLE for each in tests}
    if len(are_visible) > 1:
        raise ValueError("visible and hidden tests would share a worker")
