"""Script runner: first tries all tests of a question and one visibility together, in a shared worker, by their scripts.

It finds passes only. Whatever does not pass here is tried again alone, in a fresh worker, and only that is reported.
Hidden and visible tests never share a worker, since each pass has a runner of its own, and no function of the grader's
takes part in a script.

One worker answers the scripts of a pass, question after question, as long as they end soon and leave it clean. No other
worker of the pass runs at the same time: it is closed before a test runs alone. Its replies are untrusted: nothing else
looks at them before their form is checked here.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeGuard

from autograder.grading.attempt import AttemptResult
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.material import Material
from autograder.grading.script import Reply, ScriptFailed
from autograder.results import Visibility
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError, Worker
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.host.replies import determine_outcome_of_end
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import OutcomeKind
from autograder.sandbox.protocol.wire import WireError

_NAMES = 100  # library modules that are loaded for all questions together
_CALL = [int, str, bytes, bytes]


class ScriptRunner:
    """Runs the scripts of one pass over a submission, whose tests have one visibility; call `close` at its end."""

    def __init__(self, runner: AttemptRunner, tests: Sequence[RunnableTest]) -> None:
        self.runner = runner
        self.tests = tests
        self._stem = ""
        self._replies: dict[str, tuple[RunnableTest, list[Reply]]] = {}  # by the id of the test
        self._failed: set[str] = set()  # the ids of tests
        self._preloads = {each.test.stem: runner.materials[each.test.stem].preload for each in tests}
        self._worker: Worker | None = None
        self._preload: tuple[str, ...] = ()
        self._used_s = 0.0

    def close(self) -> None:
        """End the worker, if there is one; the next script starts another. A zygote that cannot end it is replaced."""
        if self._worker is None:
            return
        worker, self._worker = self._worker, None
        try:
            worker.close()
        except SandboxError:
            self.runner.zygotes.close()

    def find_pass(self, test: HiddenTest) -> AttemptResult | None:
        """Return the result of a test that passes by its script; None where an attempt of its own has to decide.

        No worker is left in that case.
        """
        if test.stem != self._stem:
            self._stem = test.stem
            self._replies = self._run_question(self.runner.materials[test.stem])
        notes = None
        if test.test_id in self._replies and self.runner.scripts is not None:
            runnable, replies = self._replies.pop(test.test_id)
            try:
                notes = self.runner.scripts.find_pass(runnable, self.runner.materials[test.stem], replies)
            except ScriptFailed:
                self._failed.add(test.test_id)
        if notes is None:
            self.close()
        return AttemptResult(notes=notes) if notes is not None else None

    def has_failed(self, test: HiddenTest) -> bool:
        """Whether the replies to the script of a test were wrong, or ended with a call that brought no value."""
        return test.test_id in self._failed

    def _run_question(self, material: Material) -> dict[str, tuple[RunnableTest, list[Reply]]]:
        """Send the scripts of the question's tests to one worker; return the replies of those that it answered."""
        main, stem, book = material.files.main, material.question.stem, self.runner.scripts
        memory = self.runner.memory
        if main is None or book is None or not memory.loads[stem, False].is_whole or memory.waiting.is_spent(stem):
            return {}
        tests = [each for each in self._list_tests(stem) if book.find(each, material)]
        scripts = [
            (
                material.find_supplied(each.test.functions),
                book.find(each, material),
                limit.limit_callbacks(each.test.need).most,
            )
            for each in tests
        ]
        replies = self._send(material, main.module, scripts) if scripts else []
        answered = zip(tests, replies, strict=False)
        return {each.test.test_id: (each, answer) for each, answer in answered if are_replies(answer)}

    def _list_tests(self, stem: str) -> list[RunnableTest]:
        tests = [each for each in self.tests if each.test.stem == stem]
        if len({each.test.visibility is Visibility.VISIBLE for each in tests}) > 1:
            raise ValueError("visible and hidden tests would share a worker")
        return tests

    def _send(self, material: Material, module: str, scripts: Sequence[tuple[object, ...]]) -> list[object]:
        """Return the replies to the scripts of a question's tests; fewer where the worker does not answer all of them.

        `module`: the one that defines the functions. A worker serves another question only while that costs no limit.
        """
        replies: list[object] = []
        with contextlib.suppress(SandboxError, OSError, WireError):
            try:
                reply = self._exchange(material, module, scripts)
                if messages.is_returned(reply) and type(reply[1]) is list:
                    replies = reply[1]
            finally:
                if len(replies) != len(scripts) or self._used_s > limit.SHARED_S:
                    self.close()
        return replies

    def _exchange(self, material: Material, module: str, scripts: Sequence[tuple[object, ...]]) -> object:
        worker, modules = self._start(material)
        started = time.monotonic()
        request = (messages.SCRIPT, module, self._preload, modules, list(scripts))
        deadline = min(self.runner.deadline, started + limit.SCRIPT_WALL_S)
        try:
            return worker.connection.exchange(request, deadline=deadline)
        except Ended as ended:
            outcome = determine_outcome_of_end(ended, worker.close(), cpu_s=limit.SCRIPT_CPU_S)
            if outcome.kind is OutcomeKind.TIMED_OUT:
                self.runner.memory.waiting.add(material.question.stem, time.monotonic() - started)
            return None
        finally:
            self._used_s += time.monotonic() - started

    def _start(self, material: Material) -> tuple[Worker, bytes]:
        """Return a worker, and the files of the question where it has those of another one."""
        modules = material.encode_modules(support_wins=False)
        preload = self._choose_preload(material)
        if self._worker is not None and self._preload == preload:
            return self._worker, modules
        self.close()
        limits = replace(self.runner.limits, cpu_s=limit.SCRIPT_CPU_S)
        worker = self.runner.zygotes.get().spawn(limits, preload=preload, modules=modules)
        self._worker, self._preload, self._used_s = worker, preload, 0.0
        self.runner.memory.layers = worker.layers
        return worker, b""

    def _choose_preload(self, material: Material) -> tuple[str, ...]:
        """Return the library modules to load: those of all questions, where none gains a submodule by another's."""
        own = _list_submodules(material.preload)
        names = {name for each in self._preloads.values() if _list_submodules(each) == own for name in each}
        return tuple(sorted(names)) if len(names) <= _NAMES else material.preload


def _list_submodules(names: Iterable[str]) -> set[str]:
    """List the submodules that an import of their package alone would not give; numpy loads its parts by itself."""
    return {name for name in names if "." in name and not name.startswith("numpy.")}


def are_replies(value: object) -> TypeGuard[list[Reply]]:
    """Whether a value has the form of the replies to a script; their bytes may still mean anything."""
    return type(value) is list and all(map(_is_reply, value))


def _is_reply(value: object) -> bool:
    if type(value) is not tuple or len(value) != 2 or type(value[1]) is not list:
        return False
    payload, calls = value
    return (payload is None or type(payload) is bytes) and all(map(_is_call, calls))


def _is_call(value: object) -> bool:
    return type(value) is tuple and [type(part) for part in value] == _CALL
