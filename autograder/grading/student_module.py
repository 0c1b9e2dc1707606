"""Student module: one question's file in a worker: finds its functions under any spelling, asks for their values."""

from __future__ import annotations

import inspect
import time
from dataclasses import astuple, replace
from typing import TYPE_CHECKING, Any, NoReturn

from autograder.grading.compiled_files import SharedCode
from autograder.grading.reproducer import Asked, Spelling
from autograder.sandbox import limits as limit
from autograder.sandbox.host.callbacks import Callback, ServedClass
from autograder.sandbox.host.client import SandboxError, Worker
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.host.replies import CallFailed, outcome_of_end, value_of, wanted_module
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.sandbox.protocol.wire import Handle

if TYPE_CHECKING:
    from types import ModuleType

    from autograder.grading.attempt import Attempt, Material


def is_class_of(reference: ModuleType, name: str) -> bool:
    """Whether the question of this reference asks for a class of that name."""
    return isinstance(getattr(reference, name, None), type)


def methods_of(reference: ModuleType) -> frozenset[str]:
    """The names of the methods of the classes that the question of this reference asks for."""
    classes = [value for value in vars(reference).values() if isinstance(value, type)]
    return frozenset(name for each in classes for name, value in vars(each).items() if callable(value))


class StudentModule:
    """One question; its worker starts at the first request, and once that has ended all requests fail alike."""

    def __init__(self, attempt: Attempt, material: Material) -> None:
        self._attempt = attempt
        self._material = material
        self._main = material.files.main
        self._worker: Worker | None = None
        self._deadline = 0.0
        self._functions: dict[str, Handle] = {}
        self._names: frozenset[str] = frozenset()
        self._failure: Outcome | None = None
        self.asked: list[Asked] = []  # what the test asked, while it lasted
        self.spellings: dict[int, Spelling] = {}  # by the numbers of their handles, what it looked up

    @property
    def printed(self) -> bytes:
        """What the worker printed so far."""
        return self._worker.connection.printed if self._worker is not None else b""

    def request(self, kind: str, *arguments: object) -> Any:
        """The value of a request; `CallFailed` where there is none."""
        worker = self._loaded_worker()
        try:
            reply = self._exchange(worker, (kind, *arguments))
        except CallFailed as error:
            self._keep(Asked(kind, arguments), error.outcome)
            raise
        self._keep(Asked(kind, arguments, reply), reply)
        return reply

    def _keep(self, asked: Asked, reply: object) -> None:
        if not self._attempt.is_probing:
            self._attempt.replies.append(reply)
            self.asked.append(asked)

    def function(self, name: str) -> Handle:
        """The handle of a function or class under any of its accepted names; `CallFailed` where it is not written."""
        worker = self._loaded_worker(name)
        if name not in self._functions:
            self._functions[name] = self._find(worker, name)
        return self._functions[name]

    def is_class(self, name: str) -> bool:
        """Whether the question asks for a class of that name."""
        return is_class_of(self._material.reference, name)

    @property
    def methods(self) -> frozenset[str]:
        """The names of the methods of the classes that the question asks for."""
        return methods_of(self._material.reference)

    def without_dropped(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments that this variant of the assignment's function takes."""
        variant = self._material.files.variant
        dropped = variant.dropped_arguments.get(name, ()) if variant else ()
        return tuple(argument for position, argument in enumerate(arguments) if position not in dropped)

    def end_as_garbled(self, detail: str) -> NoReturn:
        """Have this and every later request fail: the worker sent what its own code never sends."""
        self._stop(Outcome(OutcomeKind.GARBLED, detail=detail))

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()

    def _loaded_worker(self, wanted: str = "") -> Worker:
        if self._failure is not None:
            raise CallFailed(self._failure)
        if self._worker is None:
            self._worker = self._start()
            if self._shared.is_wanted and not self._attempt.substituted:
                self._share_code(self._worker)
            self._load(self._worker, wanted)
        return self._worker

    @property
    def _shared(self) -> SharedCode:
        material, memory = self._material, self._attempt.memory
        shared = memory.codes.get(material.question.stem)
        if shared is None:
            shared = SharedCode(material.own, material.support, is_wanted=memory.shares_code)
            memory.codes[material.question.stem] = shared
        return shared

    def _share_code(self, worker: Worker) -> None:
        """Before any of it runs, and before anything of the test is handed over, ask for the code of the files."""
        try:
            reply = worker.connection.exchange((messages.COMPILE,), deadline=self._deadline)
        except Ended as ended:
            reply = self._outcome_of(ended, worker)
            if reply.kind is OutcomeKind.SANDBOX_FAILED or (reply.was_killed and self._shared.may_be_asked_again()):
                self._stop(replace(reply, kind=OutcomeKind.SANDBOX_FAILED))
        if self._shared.take(reply):
            return
        try:
            worker.close()
        except SandboxError as error:
            self._stop(Outcome(OutcomeKind.SANDBOX_FAILED, detail=str(error)))
        self._worker = self._start()  # whose import says what it means that the compiler gave up

    def _start(self) -> Worker:
        attempt = self._attempt
        if self._main is None:
            looked_for = ", ".join(self._material.question.files)
            self._stop(Outcome(OutcomeKind.NOT_WRITTEN, detail=f"no file of this question was found ({looked_for})"))
        known = attempt.memory.load_failures.get(self._load_key())
        if known is not None:
            self._stop(known)
        late = attempt.memory.libraries.get(self._material.question.stem, ())
        try:
            modules = self._shared.modules(support_wins=bool(attempt.substituted))
            preload = (*self._material.preload, *late)
            worker = attempt.zygote.spawn(Limits(cpu_s=attempt.cpu_s), preload=preload, modules=modules)
        except SandboxError as error:
            self._stop(Outcome(OutcomeKind.SANDBOX_FAILED, detail=str(error)))
        attempt.memory.layers = worker.layers
        self._deadline = min(attempt.deadline, time.monotonic() + limit.WALL_PER_CPU * attempt.cpu_s)
        return worker

    def _load(self, worker: Worker, wanted: str) -> None:
        assert self._main is not None  # noqa: S101  (checked by _start, for the type checker)
        try:
            self._import_main(worker, self._main.module, wanted)
        except CallFailed as error:
            failure = replace(error.outcome, is_at_load=True)
            if failure.kind is not OutcomeKind.SANDBOX_FAILED and not failure.was_killed:
                self._attempt.memory.load_failures[self._load_key()] = failure
            self._stop(failure)
        for path in dict.fromkeys(self._substitute_path(name) for name in self._attempt.substituted):
            self._exchange(worker, (messages.SUBSTITUTE, self._main.module, path, self._substitute(worker, path)))

    def _import_main(self, worker: Worker, module: str, wanted: str) -> None:
        """Import the question's file, and have the function that is wanted handed over in the same reply."""
        if not wanted or self._attempt.substituted:  # which replace functions only after the import
            self._names = self._import(worker, module)
            return
        spellings = (self._spelling(wanted), wanted)
        reply = self._exchange(worker, (messages.IMPORT_AND_FIND, module, spellings, self._finding(wanted)))
        if not isinstance(reply, tuple) or len(reply) != 2:
            self.end_as_garbled("the worker did not say what the file defines")
        names, found = reply
        self._names = self._checked_names(names)
        if found is not None:
            if not isinstance(found, tuple) or len(found) != 2 or type(found[0]) is not str:
                self.end_as_garbled("the worker did not hand over the function")
            if found[0] in spellings:
                self._functions[wanted] = self._known_handle(found[1], module, found[0], wanted)

    def _finding(self, name: str) -> str:
        return messages.FIND_CLASS if self.is_class(name) else messages.FIND

    def _import(self, worker: Worker, module: str) -> frozenset[str]:
        return self._checked_names(self._exchange(worker, (messages.IMPORT, module)))

    def _checked_names(self, names: object) -> frozenset[str]:
        if not isinstance(names, list) or any(type(name) is not str for name in names):
            self.end_as_garbled("the worker did not say what the file defines")
        return frozenset(names)

    @property
    def _placeholders(self) -> set[str]:
        functions = self._material.question.functions
        return {name for each in functions if each.name in self._attempt.functions for name in each.placeholders}

    def _load_key(self) -> tuple[str, bool]:
        return (self._material.question.stem, bool(self._attempt.substituted))

    def _exchange(self, worker: Worker, request: tuple[object, ...]) -> Any:
        try:
            reply = worker.connection.exchange(request, deadline=self._deadline)
        except Ended as ended:
            self._stop(self._outcome_of(ended, worker))
        module = wanted_module(reply)
        if module is not None:
            self._repeat_with(module)
        files = {path for path, _, _ in self._material.own.values()}
        return value_of(reply, placeholders=self._placeholders, files=files)

    def _repeat_with(self, module: str) -> NoReturn:
        attempt = self._attempt
        if attempt.memory.learn_library(self._material.question.stem, module):
            attempt.is_to_be_repeated = True
            self._stop(Outcome(OutcomeKind.SANDBOX_FAILED, detail=f"{module} was not loaded"))
        message = f"{module} is not available in the grader, and your code imports it"
        self._stop(Outcome(OutcomeKind.RAISED, error_type="ModuleNotFoundError", message=message))

    def _outcome_of(self, ended: Ended, worker: Worker) -> Outcome:
        try:
            return outcome_of_end(ended, worker.close(), cpu_s=self._attempt.cpu_s)
        except SandboxError as error:
            return Outcome(OutcomeKind.SANDBOX_FAILED, detail=str(error))

    def _stop(self, outcome: Outcome) -> NoReturn:
        self._failure = outcome
        raise CallFailed(outcome)

    def _find(self, worker: Worker, name: str) -> Handle:
        assert self._main is not None  # noqa: S101  (a worker was started)
        for spelling in (self._spelling(name), name):
            if spelling in self._names:
                return self._handle_of(worker, self._main.module, spelling, name)
        for source in self._material.files.also.get(name, ()):
            if name in self._import(worker, source.module):
                return self._handle_of(worker, source.module, name, name)
        raise CallFailed(Outcome(OutcomeKind.NOT_WRITTEN, detail=f"the file does not define {name}"))

    def _handle_of(self, worker: Worker, module: str, spelling: str, name: str) -> Handle:
        handle = self._exchange(worker, (self._finding(name), module, spelling))
        return self._known_handle(handle, module, spelling, name)

    def _known_handle(self, handle: object, module: str, spelling: str, name: str) -> Handle:
        if not isinstance(handle, Handle):
            self.end_as_garbled("the worker did not hand over the function")
        right = getattr(self._material.reference, name, None)
        parameters = tuple(inspect.signature(right).parameters) if right is not None else ()
        self.spellings[handle.id] = Spelling(module, spelling, self.without_dropped(name, parameters))
        return handle

    def _spelling(self, name: str) -> str:
        variant = self._material.files.variant
        return variant.names.get(name, name) if variant else name

    def _substitute_path(self, function: str) -> str:
        name, _, method = function.partition(".")
        if not isinstance(getattr(self._material.reference, name), type):
            return self._spelling(name)
        is_under_test = name in {other.partition(".")[0] for other in self._attempt.functions}
        return f"{name}.{method or '__init__'}" if is_under_test else name

    def _substitute(self, worker: Worker, path: str) -> tuple[Any, ...]:
        name, _, method = path.partition(".")
        original = {self._spelling(function.name): function.name for function in self._material.question.functions}
        target = getattr(self._material.reference, original.get(name, name))
        exports = worker.connection.exports
        if not isinstance(target, type):
            keywords = [(name,) for name in inspect.signature(target).parameters]
            return astuple(exports.add(Callback(target, keywords, argument_bytes=limit.SUBSTITUTE_BYTES)))
        served = ServedClass(target, tuple(target.__annotations__))
        methods = [method] if method else [each for each, value in vars(target).items() if callable(value)]
        return astuple(exports.add_class(served, methods, is_whole=not method))
