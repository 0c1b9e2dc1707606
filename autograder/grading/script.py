"""Script: all requests of one test, sent to a worker at once, and the test's body run on the replies afterwards.

The body has to make exactly the requests of the script, in their order, and to use every reply; its callbacks are
called as the worker says that it called its copies of them, and have to give the same answers. Only then does a pass
count. Everything else ends with `ScriptLeft`, and the test is tried again, alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from autograder.grading.hidden_test import RunnableTest
from autograder.grading.known_passes import KnownPasses
from autograder.grading.material import Material
from autograder.grading.recording import Step, make_step_handle, record_steps
from autograder.grading.script_replies import Call, Reply, hash_replies
from autograder.sandbox import limits as limit
from autograder.sandbox.calls.question_module import QuestionModule, choose_find_request
from autograder.sandbox.host.callbacks import CallbackSource
from autograder.sandbox.host.exports import Exports
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.trusted_form import pack_trusted
from autograder.sandbox.protocol.wire import Handle, WireError
from autograder.student import Callback, ReplayStopped, ServedObject, Student

Variant = tuple[object, ...]


class ScriptLeft(ReplayStopped):
    """Ends the run of a body that does not follow the script, or whose replies show no pass."""


class Toy(NamedTuple):
    """A function or object of a test, as the worker makes it: its place among the exports, and its source."""

    export: tuple[Any, ...]
    definition: str
    expression: str
    unwatched: dict[str, int]  # by method, the number of arguments of calls that need not be repeated


class Script(NamedTuple):
    """The steps of one test as a worker receives them: an encoded request, or the spellings of a function to find."""

    toys: tuple[Toy, ...]
    steps: tuple[bytes | tuple[object, ...], ...]


class ScriptBook:
    """The scripts of tests, each made once for every variant of the assignment, since no submission changes them."""

    def __init__(self) -> None:
        self._steps: dict[str, tuple[Step, ...]] = {}
        self._scripts: dict[tuple[str, Variant], Script | None] = {}
        self._passes = KnownPasses()

    def record(self, test: RunnableTest, reference: ModuleType) -> tuple[Step, ...]:
        """Return the steps of a test; none where it cannot be scripted."""
        test_id = test.test.test_id
        if test_id not in self._steps:
            is_alone = test.test.column is not None  # a leaderboard may show how long something takes
            self._steps[test_id] = () if is_alone else record_steps(test, {test.test.stem: reference})
        return self._steps[test_id]

    def find(self, test: RunnableTest, material: Material) -> Script | None:
        """Return the script of a test for a submission; None where it has none."""
        key = (test.test.test_id, material.variant_key)
        if key not in self._scripts:
            self._scripts[key] = _write_script(self.record(test, material.reference), material)
        return self._scripts[key]

    def forget_passes(self) -> None:
        """Look at the replies of the next submission again, whatever they are."""
        self._passes = KnownPasses()

    def find_pass(self, test: RunnableTest, material: Material, replies: Sequence[Reply]) -> tuple[str, ...] | None:
        """Return the notes of a test that passes with these replies to its script; None where it does not."""
        script = self.find(test, material)
        if script is None:
            return None
        key = hash_replies((test.test.test_id, material.variant_key), replies)
        notes = self._passes.find(key)
        if notes is None:
            passed = run_on_replies(test, material, script, replies)
            if passed is None:
                return None
            notes = tuple(passed.notes)
            self._passes.add(key, notes)
        return notes


def _write_script(steps: Sequence[Step], material: Material) -> Script | None:
    exports = Exports()
    try:
        written = tuple(_write_step(step, material, exports) for step in steps)
    except (WireError, TypeError):  # an argument made of a reply, or one that is too large
        return None
    toys = tuple(_list_toys(exports))
    return Script(toys, written) if steps and len(toys) == exports.count else None


def _write_step(step: Step, material: Material, exports: Exports) -> bytes | tuple[object, ...]:
    if step.kind == messages.FIND:
        (name,) = step.arguments
        return (choose_find_request(name, material.classes), (material.find_spelling(name), name))
    arguments = step.arguments
    if step.function:
        handle, given, *parts = arguments
        if step.kind == messages.EACH:
            given = [material.drop_arguments(step.function, call) for call in given]
        else:
            given = material.drop_arguments(step.function, given)
        arguments = (handle, given, *parts)
    return pack_trusted((step.kind, *arguments), convert=exports.convert)


def _list_toys(exports: Exports) -> list[Toy]:
    found = []
    for export, value in exports.list_exported():
        source = getattr(value, "source", None)
        if isinstance(source, CallbackSource):
            fields = (export.id, export.name, export.is_callable, export.methods, export.snapshot)
            found.append(Toy(fields, source.definition, source.expression, _count_arguments(value, source)))
    return found


def _count_arguments(value: object, source: CallbackSource) -> dict[str, int]:
    if source.is_watched:
        return {}
    methods = value.methods if isinstance(value, ServedObject) else {"": value}
    return {name: len(each.keywords) for name, each in methods.items() if isinstance(each, Callback)}


class ScriptedModule(QuestionModule):
    """One question, for a test that runs on the replies to its script."""

    def __init__(self, material: Material, script: Script, replies: Sequence[Reply]) -> None:
        self._material = material
        self._script = script
        self._replies = replies
        super().__init__(material.classes)
        self._exports = Exports()
        self._functions: dict[str, Handle] = {}
        self._done = 0
        self._callback_s = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether every step of the script was taken."""
        return self._done == len(self._script.steps)

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that this variant of the assignment's function takes."""
        return self._material.drop_arguments(name, arguments)

    def end_as_garbled(self, _detail: str) -> NoReturn:
        """Leave the script: a reply is not of the kind that was requested."""
        raise ScriptLeft

    def function(self, name: str) -> Handle:
        """Return what stands for a function that the worker found."""
        if name not in self._functions:
            kind = choose_find_request(name, self.classes)
            self._functions[name] = self._take((kind, (self._material.find_spelling(name), name)))
        return self._functions[name]

    def request(self, kind: str, *arguments: object) -> Any:
        """Return the reply to the next request of the script, if this is the request."""
        try:
            return self._take(pack_trusted((kind, *arguments), convert=self._exports.convert))
        except (WireError, TypeError):
            raise ScriptLeft from None

    def _take(self, step: bytes | tuple[object, ...]) -> Any:
        if self._done >= min(len(self._script.steps), len(self._replies)) or step != self._script.steps[self._done]:
            raise ScriptLeft
        payload, calls = self._replies[self._done]
        self._done += 1
        if calls and not self._repeat_callbacks(calls):
            raise ScriptLeft
        if payload is None:  # an object, which stays in the worker
            return make_step_handle(self._done)
        return decode(payload, allow_handles=True, allow_exports=False)

    def _repeat_callbacks(self, calls: list[Call]) -> bool:
        """Repeat the calls of one step, unless those of earlier steps took as long as one step's may."""
        if self._callback_s > limit.CALLBACK_S:
            return False
        started = time.monotonic()
        try:
            return self._exports.repeat_callbacks(calls)
        finally:
            self._callback_s += time.monotonic() - started


class ScriptedAttempt:
    """The attempt that a test sees when it runs on the replies to its script."""

    def __init__(self, stem: str, module: ScriptedModule) -> None:
        self._stem = stem
        self._module = module
        self.notes: list[str] = []
        self.observations: list[object] = []
        self.leaderboard: list[float | str] = []

    def module(self, stem: str) -> ScriptedModule:
        """Return the module of the question."""
        if stem != self._stem:
            raise ScriptLeft
        return self._module

    def begin_probing(self) -> bool:
        """Leave the script: the test has failed."""
        raise ScriptLeft


def run_on_replies(
    test: RunnableTest, material: Material, script: Script, replies: Sequence[Reply]
) -> ScriptedAttempt | None:
    """Run the body of a test on the replies to its script; None unless it passes with full points and used them all."""
    module = ScriptedModule(material, script, replies)
    attempt = ScriptedAttempt(test.test.stem, module)
    try:
        score = test.call(Student(attempt))
    except ReplayStopped:
        return None
    except Exception:  # noqa: BLE001  (a wrong value, or a fault of the test: the attempt alone will show it)
        return None
    is_full = score is None or (np.isfinite(score) and score >= test.test.points)
    return attempt if is_full and module.is_complete and not attempt.leaderboard else None
