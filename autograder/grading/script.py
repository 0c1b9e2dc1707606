"""Script: all requests of one test, sent to a worker at once, and the test's body run on the replies afterwards.

A script is written without any student: it has the requests that the body makes while every reply is None, up to the
first use of a reply by a body that is written by hand. So it holds inputs only.

The body has to make exactly the requests of the script, in their order, and to use every reply; its callbacks are
called as the worker says that it called its copies of them, and have to give the same answers. Only then does a pass
count. Everything else ends with `ScriptLeft`, and the test is tried again, alone.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from autograder.contracts import CheckBody
from autograder.grading.attempt import AttemptResult, call_body
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.material import Material
from autograder.sandbox import limits as limit
from autograder.sandbox.calls.question_module import QuestionModule
from autograder.sandbox.host.bounded_exports import BoundedExports
from autograder.sandbox.host.exports import Gives
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.sandbox.protocol.trusted_form import pack_script, pack_trusted, unpack_script
from autograder.sandbox.protocol.wire import Handle, WireError
from autograder.student import ReplayStopped, RunningAttempt, Student

_MOST_STEPS = 5_000  # five times those of the longest check: a loop that waits for a certain reply ends here

ScriptStep = bytes | tuple[object, ...]  # an encoded request, or the kind and the spellings of a function to find


class ScriptLeft(ReplayStopped):
    """Ends the run of a body that does not follow the script."""


class NoValue(ReplayStopped):
    """Ends the run of a body at a call that the worker did not answer with a value; an attempt tells why."""


class ScriptBook:
    """The scripts of tests, each written once for every variant of the assignment, since no submission changes them.

    A script is the bytes that a worker receives; they are unpacked where they are read, so that memory has them once.
    """

    def __init__(self) -> None:
        self._scripts: dict[tuple[object, ...], bytes] = {}

    def find(self, test: RunnableTest, material: Material) -> bytes:
        """Return the script of a test for a submission; b"" where it has none."""
        key = (test.test.test_id, material.variant_key)
        if key not in self._scripts:
            kept = test.call.script if isinstance(test.call, CheckBody) and not any(material.variant_key) else b""
            self._scripts[key] = kept or write_script(test, material)
        return self._scripts[key]

    def judge(
        self, test: RunnableTest, material: Material, replies: Sequence[messages.StepReply]
    ) -> AttemptResult | None:
        """Return how a test ends with these replies to its script, see `run_on_replies`."""
        return run_on_replies(test, material, self.find(test, material), replies)


class ScriptedModule(QuestionModule):
    """One question, for a body that runs where there is no worker; `_take` returns the reply to a step."""

    def __init__(self, material: Material) -> None:
        super().__init__(material.classes)
        self._material = material
        self.exports = BoundedExports(Gives.ALL_TOYS)
        self._functions: dict[str, Handle] = {}

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that this variant of the assignment's function takes."""
        return self._material.drop_arguments(name, arguments)

    def end_as_garbled(self, _detail: str) -> NoReturn:
        """Leave the script: a reply is not of the kind that was requested."""
        raise ScriptLeft

    def function(self, name: str) -> Handle:
        """Return what stands for a function that the worker finds."""
        if name not in self._functions:
            kind, spellings = self.choose_find_request(name), (self._material.find_spelling(name), name)
            self._functions[name] = self._take((kind, spellings), kind, ())
        return self._functions[name]

    def request(self, kind: str, *arguments: Any) -> Any:
        """Return the reply to a request, if it can be a step."""
        try:
            return self._take(pack_trusted((kind, *arguments), convert=self.exports.convert), kind, arguments)
        except (WireError, TypeError):
            raise ScriptLeft from None

    @abstractmethod
    def _take(self, step: ScriptStep, kind: str, arguments: tuple[Any, ...]) -> Any:
        """Return the reply to a request, which is this step."""


class ScriptWriter(ScriptedModule):
    """Writes each step down; the reply is None, or stands for an object."""

    def __init__(self, material: Material) -> None:
        super().__init__(material)
        self.steps: list[ScriptStep] = []
        self._class_handles: set[int] = set()  # the numbers of their handles

    def _take(self, step: ScriptStep, kind: str, arguments: tuple[Any, ...]) -> Any:
        if len(self.steps) == _MOST_STEPS:
            raise ScriptLeft
        self.steps.append(step)
        made = _make_step_handle(len(self.steps))
        if kind == messages.FIND_CLASS:
            self._class_handles.add(made.id)
        if kind in (messages.FIND, messages.FIND_CLASS, *messages.MADE_OBJECTS):
            return made
        if kind == messages.EACH:
            return [None] * len(arguments[1])
        value = made if kind in messages.FUNCTION_CALLS and arguments[0].id in self._class_handles else None
        if kind == messages.CALL_KEEPING_ARGUMENTS:
            return value, (None,) * len(arguments[1])
        return (value, []) if kind == messages.CALL_RECORDING_WARNINGS else value


def _make_step_handle(number: int) -> Handle:
    """Return what stands for the object that step `number`, counted from 1, gave."""
    return Handle(number, "", is_callable=True, attributes={})


class ScriptReader(ScriptedModule):
    """Gives the worker's reply to each step, if it is the next one of the script.

    `is_derived`: the requests are data of a contract's check, which are the same each time. Where they give no
    functions, they are not encoded for a second time, to be compared.
    """

    def __init__(
        self, material: Material, script: bytes, replies: Sequence[messages.StepReply], *, is_derived: bool
    ) -> None:
        super().__init__(material)
        self._steps, has_toys = unpack_script(script)
        self._is_known = is_derived and not has_toys
        self._replies = replies
        self._done = 0
        self._callback_s = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether every step of the script was taken."""
        return self._done == len(self._steps)

    def request(self, kind: str, *arguments: Any) -> Any:
        """Return the reply to a request, if it is the next step."""
        if not self._is_known or self.is_complete:
            return super().request(kind, *arguments)
        return self._take(self._steps[self._done], kind, ())

    def _take(self, step: ScriptStep, kind: str, _arguments: tuple[Any, ...]) -> Any:
        if self.is_complete or not self._replies or step != self._steps[self._done]:
            raise ScriptLeft
        if self._done == len(self._replies):  # what an object lacks may show that nothing is written
            raise NoValue if kind in messages.ALL_CALLS else ScriptLeft
        payload, calls = self._replies[self._done]
        self._done += 1
        if calls and not self._repeat_callbacks(calls):
            raise ScriptLeft
        if payload is None:  # an object, which stays in the worker
            return _make_step_handle(self._done)
        return decode(payload, allow_handles=True, allow_exports=False)

    def _repeat_callbacks(self, calls: list[messages.ToyCall]) -> bool:
        """Repeat the calls of one step, unless those of earlier steps took as long as one step's may."""
        if self._callback_s > limit.CALLBACK_S:
            return False
        started = time.monotonic()
        try:
            return self.exports.repeat_callbacks(calls)
        finally:
            self._callback_s += time.monotonic() - started


class ScriptedAttempt(RunningAttempt):
    """The attempt that a test sees where there is no worker."""

    def __init__(self, stem: str, module: ScriptedModule) -> None:
        super().__init__()
        self._stem = stem
        self._module = module

    def module(self, stem: str) -> ScriptedModule:
        """Return the module of the question."""
        if stem != self._stem:
            raise ScriptLeft
        return self._module


def write_script(test: RunnableTest, material: Material) -> bytes:
    """Write the script of a test; b"" where it asks nothing or too much, or a function it gives has no source."""
    module = ScriptWriter(material)
    ask = test.call.ask if isinstance(test.call, CheckBody) else test.call
    with suppress(Exception, ScriptLeft):  # a body written by hand ends where it looks at a reply
        ask(Student(ScriptedAttempt(test.test.stem, module)))
    exports = module.exports
    is_whole = 0 < len(module.steps) < _MOST_STEPS and len(exports.toys) == exports.count
    return pack_script(module.steps, has_toys=bool(exports.toys)) if is_whole else b""


def run_on_replies(
    test: RunnableTest, material: Material, script: bytes, replies: Sequence[messages.StepReply]
) -> AttemptResult | None:
    """Run the body of a test on the replies to its script, and return a pass with full points, or a failure.

    A failure is a wrong value, or a call that brought none. None for any other end, which the attempt alone will show.
    """
    module = ScriptReader(material, script, replies, is_derived=isinstance(test.call, CheckBody))
    try:
        result = call_body(ScriptedAttempt(test.test.stem, module), test.call, test.test.points)
    except ScriptLeft:
        return None
    except NoValue:
        return AttemptResult(outcome=Outcome(OutcomeKind.RAISED))
    if result.is_passed:
        return result if module.is_complete and result.leaderboard is None else None
    return result if result.failed is not None else None
