"""Script runner: first tries all tests of a question and one visibility together, in one worker, by their scripts.

It finds passes only. Whatever does not pass here is tried again alone, in a fresh worker, and only that is reported.
Hidden and visible tests never share a worker, since each pass has a runner of its own, and no function of the grader's
takes part in a script.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.grading.attempt_result import AttemptResult
from autograder.grading.attempt_runner import AttemptRunner
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.material import Material
from autograder.grading.script import Script, run_on_replies
from autograder.results import Visibility
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.host.replies import determine_outcome_of_end
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import OutcomeKind
from autograder.sandbox.protocol.wire import WireError

Replies = dict[str, tuple[RunnableTest, Script, list[object]]]  # by the id of the test


@dataclass
class ScriptRunner:
    """Runs the scripts of one pass over a submission; `deadline` is the monotonic time at which the run ends."""

    runner: AttemptRunner
    tests: Sequence[RunnableTest]
    deadline: float
    _stem: str = ""
    _replies: Replies = field(default_factory=dict)

    def find_pass(self, test: HiddenTest) -> AttemptResult | None:
        """Return the result of a test that passes by its script; None where an attempt of its own has to decide."""
        if test.stem != self._stem:
            self._stem = test.stem
            self._replies = self._run_question(self.runner.materials[test.stem])
        if test.test_id not in self._replies:
            return None
        runnable, script, replies = self._replies.pop(test.test_id)
        passed = run_on_replies(runnable, self.runner.materials[test.stem], script, replies)
        return AttemptResult(notes=tuple(passed.notes)) if passed is not None else None

    def _run_question(self, material: Material) -> Replies:
        """Send the scripts of the question's tests to one worker; return the replies of those that it answered."""
        main, stem, book = material.files.main, material.question.stem, self.runner.scripts
        memory = self.runner.memory
        is_broken = (stem, False) in memory.statement_loads or (stem, False) in memory.load_failures
        if main is None or book is None or is_broken or memory.waiting.is_spent(stem):
            return {}
        found = [(each, book.find(each, material)) for each in self._list_tests(stem)]
        scripts = [(each, script) for each, script in found if script is not None]
        if not scripts:
            return {}
        tests = [
            (material.find_supplied(each.test.functions), [tuple(toy) for toy in script.toys], list(script.steps))
            for each, script in scripts
        ]
        replies = self._exchange(material, (messages.SCRIPT, main.module, material.preload, tests))
        answered = zip(scripts, replies, strict=False)
        return {
            each.test.test_id: (each, script, answer) for (each, script), answer in answered if type(answer) is list
        }

    def _list_tests(self, stem: str) -> list[RunnableTest]:
        tests = [each for each in self.tests if each.test.stem == stem]
        if len({each.test.visibility is Visibility.VISIBLE for each in tests}) > 1:
            raise ValueError("visible and hidden tests would share a worker")
        return tests

    def _exchange(self, material: Material, request: tuple[object, ...]) -> list[object]:
        """Return the worker's reply to a script; empty where there is none, for whatever reason."""
        with contextlib.suppress(SandboxError, OSError, WireError, Ended):
            modules = self.runner.memory.get_compiled_files(material).encode_modules(support_wins=False)
            zygote = self.runner.start_zygote()
            worker = zygote.spawn(Limits(cpu_s=limit.SCRIPT_CPU_S), preload=material.preload, modules=modules)
            self.runner.memory.layers = worker.layers
            started = time.monotonic()
            try:
                reply = worker.connection.exchange(request, deadline=min(self.deadline, started + limit.SCRIPT_WALL_S))
            except Ended as ended:
                outcome = determine_outcome_of_end(ended, worker.close(), cpu_s=limit.SCRIPT_CPU_S)
                if outcome.kind is OutcomeKind.TIMED_OUT:
                    self.runner.memory.waiting.add(material.question.stem, time.monotonic() - started)
                return []
            finally:
                worker.close()
            if messages.is_returned(reply) and type(reply[1]) is list:
                return reply[1]
        return []
