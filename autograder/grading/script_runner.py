"""Script runner: first tries all tests of one visibility together, in a shared worker, by their scripts.

It finds passes only. Whatever does not pass here is tried again alone, in a fresh worker, and only that is reported.
Hidden and visible tests never share a worker, since each pass has a runner of its own, and no function of the grader's
takes part in a script.

One worker answers the scripts of a pass, question after question, as long as they end soon and leave it clean; another
one goes on where it did not. It gets them in one message, and holds its replies until the grader reads them: those to
hidden tests wait outside of the grader until the visible pass has ended. It is closed before a test runs alone. Its
replies are untrusted: nothing else looks at them before their form is checked here.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeGuard

from autograder.grading.attempt import AttemptResult
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.material import Material
from autograder.grading.transcript import count_bytes
from autograder.results import Visibility
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError, Worker
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.host.exports import are_calls
from autograder.sandbox.host.worker_end import determine_outcome_of_end
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import OutcomeKind
from autograder.sandbox.protocol.wire import FRAME_LIMIT, WireError

_NAMES = 100  # library modules that are loaded for all questions together


class Asked(NamedTuple):
    """The scripts of a question's tests. `main`: the module that defines the functions. `preload`: for the worker."""

    stem: str
    main: str
    preload: tuple[str, ...]
    tests: Sequence[RunnableTest]


class ScriptRunner:
    """Runs the scripts of one pass over a submission, whose tests have one visibility; call `close` at its end."""

    def __init__(self, runner: AttemptRunner, tests: Sequence[RunnableTest]) -> None:
        _require_one_visibility(tests)
        self.runner = runner
        self._replies: dict[str, tuple[RunnableTest, list[messages.StepReply]]] = {}  # by the id of the test
        self._kept_bytes = 0
        self._preloads = {each.test.stem: runner.materials[each.test.stem].preload for each in tests}
        self._left = [each for stem in self._preloads if (each := self._find_scripts(stem, tests)) is not None]
        self._worker: Worker | None = None
        self._due = self._served = 0  # questions that the worker has, and those that it replied to

    def begin(self) -> None:
        """Send the scripts to a worker, which answers them until `collect` reads its replies."""
        with contextlib.suppress(SandboxError, OSError, WireError, Ended):
            if self._left:
                self._start()

    def collect(self) -> None:
        """Receive the replies to all scripts that are left, from one worker after another; no worker is left."""
        while self._left:
            self._receive_next()

    def close(self) -> None:
        """End the worker, if there is one. A zygote that cannot end it is replaced."""
        if self._worker is None:
            return
        worker, self._worker = self._worker, None
        try:
            worker.close()
        except SandboxError:
            self.runner.zygotes.close()

    def try_script(self, test: HiddenTest) -> AttemptResult | None:
        """Return how a test ends by its script; None where that is not known.

        Only a pass counts. Where there is none, an attempt of the test's own decides, and no worker is left.
        """
        while any(each.stem == test.stem for each in self._left):
            self._receive_next()
        result = None
        if test.test_id in self._replies and self.runner.scripts is not None:
            runnable, replies = self._replies.pop(test.test_id)
            result = self.runner.scripts.judge(runnable, self.runner.materials[test.stem], replies)
        if result is None or not result.is_passed:
            self.collect()
        return result

    def _find_scripts(self, stem: str, tests: Sequence[RunnableTest]) -> Asked | None:
        """Find the scripts of a question's tests; None where there is none, or its file is not loaded as a whole."""
        material, book = self.runner.materials[stem], self.runner.scripts
        main = material.files.main
        if main is None or book is None or not self.runner.memory.loads[stem, False].is_whole:
            return None
        found = [each for each in tests if each.test.stem == stem and book.find(each, material)]
        return Asked(stem, main.module, self._choose_preload(material), found) if found else None

    def _start(self) -> Worker:
        """Start a worker for the questions that are left, up to one that needs other library modules or more room."""
        preload = self._left[0].preload
        limits = replace(self.runner.limits, cpu_s=limit.SCRIPT_CPU_S)
        self._worker = worker = self.runner.zygotes.get().spawn(limits, preload=preload)
        self.runner.memory.layers = worker.layers
        questions = self._write_questions(preload)
        self._due, self._served = len(questions), 0
        deadline = time.monotonic() + limit.SCRIPT_WALL_S
        try:
            worker.connection.send((messages.SCRIPTS, preload, questions), replies=self._due, deadline=deadline)
        except BaseException:
            self.close()
            raise
        return worker

    def _write_questions(self, preload: tuple[str, ...]) -> list[tuple[object, ...]]:
        """Write the questions that one worker answers: as many as have room in one message."""
        questions: list[tuple[object, ...]] = []
        size = 0
        for asked in itertools.takewhile(lambda each: each.preload == preload, self._left):
            written = self._write(asked)
            size += count_bytes(written)
            if questions and size > FRAME_LIMIT // 2:
                break
            questions.append(written)
        return questions

    def _write(self, asked: Asked) -> tuple[object, ...]:
        material, book = self.runner.materials[asked.stem], self.runner.scripts
        scripts = [
            (
                material.find_supplied(each.test.functions),
                book.find(each, material) if book is not None else b"",
                limit.limit_callbacks(each.test.need).most,
            )
            for each in asked.tests
        ]
        return asked.main, material.encode_modules(support_wins=False), scripts

    def _receive_next(self) -> None:
        """Receive the replies to the scripts of the next question, or give them up.

        A question without any reply has another worker if this one served others before, which may have cost a limit.
        """
        asked, waiting = self._left[0], self.runner.memory.waiting
        if waiting.is_spent(asked.stem) or time.monotonic() >= self.runner.deadline:
            self.close()
            self._left.pop(0)
            return
        replies, is_late = self._receive(asked.stem)
        if replies or is_late or not self._served:
            self._keep(self._left.pop(0), replies)
        self._served += 1
        if len(replies) < len(asked.tests) or self._served >= self._due:
            self.close()

    def _receive(self, stem: str) -> tuple[list[object], bool]:
        """Return the next reply of the worker, and whether the time for it was up."""
        started = time.monotonic()
        try:
            worker = self._worker or self._start()
            reply = worker.connection.receive(deadline=min(self.runner.deadline, started + limit.SCRIPT_WALL_S))
        except Ended as ended:
            outcome = None
            if self._worker is not None:
                outcome = determine_outcome_of_end(ended, self._worker.close(), cpu_s=limit.SCRIPT_CPU_S)
            if outcome is not None and outcome.kind is OutcomeKind.TIMED_OUT:
                self.runner.memory.waiting.add(stem, time.monotonic() - started)
            return [], ended.kind is OutcomeKind.TIMED_OUT
        except (SandboxError, OSError, WireError):
            return [], True
        return (reply[1] if messages.is_returned(reply) and type(reply[1]) is list else []), False

    def _keep(self, asked: Asked, replies: Sequence[object]) -> None:
        """Keep replies of the right form, unless all together are too large."""
        self._kept_bytes += count_bytes(replies)
        answered = zip(asked.tests, replies, strict=False) if self._kept_bytes <= limit.REPLIES_BYTES else ()
        self._replies |= {each.test.test_id: (each, answer) for each, answer in answered if are_replies(answer)}

    def _choose_preload(self, material: Material) -> tuple[str, ...]:
        """Return the library modules to load: those of all questions, where none gains a submodule by another's."""
        own = _list_submodules(material.preload)
        names = {name for each in self._preloads.values() if _list_submodules(each) == own for name in each}
        return tuple(sorted(names)) if len(names) <= _NAMES else material.preload


def _require_one_visibility(tests: Sequence[RunnableTest]) -> None:
    if len({each.test.visibility is Visibility.VISIBLE for each in tests}) > 1:
        raise ValueError("visible and hidden tests would share a worker")


def _list_submodules(names: Iterable[str]) -> set[str]:
    """List the submodules that an import of their package alone would not give; numpy loads its parts by itself."""
    return {name for name in names if "." in name and not name.startswith("numpy.")}


def are_replies(value: object) -> TypeGuard[list[messages.StepReply]]:
    """Whether a value has the form of the replies to a script; their bytes may still mean anything."""
    return type(value) is list and all(map(_is_reply, value))


def _is_reply(value: object) -> bool:
    if type(value) is not tuple or len(value) != 2:
        return False
    payload, calls = value
    return (payload is None or type(payload) is bytes) and are_calls(calls)
