"""Recording: the requests that a hidden test makes of any submission, learned from a dry run of its body.

A test whose requests depend on replies, or that hands over a function without a source, has no recording. No reply
takes part, so a recording holds inputs only.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from autograder.checks import CheckFailed, NotWritten
from autograder.checks.dry_run import LookedAtReply, Unknown, is_unknown, make_unknown, start_dry_run
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.material import find_classes
from autograder.sandbox.calls.question_module import QuestionModule
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Handle
from autograder.student import CallFailed, Student


class Step(NamedTuple):
    """One request of a test, or the name of a function that it looks up; `function`: the one that a request calls."""

    kind: str
    arguments: tuple[Any, ...]
    function: str = ""


def make_step_handle(number: int) -> Handle:
    """Return what stands for the object that step `number`, counted from 1, gave."""
    return Handle(number, "", is_callable=True, attributes={})


class RecordedModule(QuestionModule):
    """One question in a dry run: it records each request; a reply is unknown, or stands for an object."""

    def __init__(self, reference: ModuleType) -> None:
        super().__init__(find_classes(reference))
        self._functions: dict[str, Handle] = {}
        self._names: dict[int, str] = {}
        self.steps: list[Step] = []

    def end_as_garbled(self, _detail: str) -> NoReturn:
        """End the dry run: a reply is not of the kind that was requested."""
        raise LookedAtReply

    def function(self, name: str) -> Handle:
        """Record the first lookup of a function."""
        if name not in self._functions:
            self.steps.append(Step(messages.FIND, (name,)))
            self._functions[name] = make_step_handle(len(self.steps))
            self._names[len(self.steps)] = name
        return self._functions[name]

    def request(self, kind: str, *arguments: Any) -> Any:
        """Record a request and return a reply of its form, whose values are unknown."""
        if _is_unknown(arguments):
            raise LookedAtReply
        called = self._names.get(arguments[0].id, "") if kind in _CALLS else ""
        self.steps.append(Step(kind, arguments, called))
        if kind in messages.MADE_OBJECTS or self.is_class(called):
            made: object = make_step_handle(len(self.steps))
        elif kind == messages.EACH:
            return list(make_unknown(len(arguments[1])))
        else:
            made = Unknown()
        if kind == messages.CALL_KEEPING_ARGUMENTS:
            return made, make_unknown(len(arguments[1]))
        return (made, []) if kind == messages.CALL_RECORDING_WARNINGS else made


_CALLS = (*messages.FUNCTION_CALLS, messages.CALL_KEEPING_VALUE, messages.EACH)


class DryAttempt:
    """The attempt that a test sees in a dry run."""

    def __init__(self, references: Mapping[str, ModuleType]) -> None:
        self._references = references
        self.modules: dict[str, RecordedModule] = {}
        self.notes: list[str] = []
        self.observations: list[object] = []
        self.leaderboard: list[float | str] = []

    def module(self, stem: str) -> RecordedModule:
        """Return the module of a question."""
        if stem not in self.modules:
            self.modules[stem] = RecordedModule(self._references[stem])
        return self.modules[stem]

    def begin_probing(self) -> bool:
        """Refuse: nothing has failed."""
        return False


def record_steps(test: RunnableTest, references: Mapping[str, ModuleType]) -> tuple[Step, ...]:
    """Return the requests of a test in their order; none where they depend on replies or concern two questions."""
    attempt = DryAttempt(references)
    try:
        with start_dry_run():
            test.call(Student(attempt))
    except (LookedAtReply, CheckFailed, NotWritten, CallFailed):
        return ()
    except Exception:  # noqa: BLE001  (what fails without any reply says nothing of the test)
        return ()
    steps = [module.steps for module in attempt.modules.values()]
    return tuple(steps[0]) if len(steps) == 1 and set(attempt.modules) == {test.test.stem} else ()


def _is_unknown(value: Any) -> bool:
    if type(value) in (list, tuple):
        return any(map(_is_unknown, value))
    if type(value) is dict:
        return any(map(_is_unknown, value.values()))
    return is_unknown(value)
