"""Worker: loads one student's source and answers the grader's requests about it, in a separate process.

Run as a fork of the zygote, with the rights that `drop_privileges.enter` leaves. Trusts nothing after `load`: from then
on student code may control this process, and the grader trusts no byte from it. Messages are tuples of plain values
(see `wire`); the first item is one of the names in `messages`. No message says how a test ended.
"""

from __future__ import annotations

import importlib
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any, NoReturn

from autograder.programs import recipes, source
from autograder.programs.program import Program, run_program
from autograder.sandbox import limits as limit
from autograder.sandbox.module_code import LeftOut, Source
from autograder.sandbox.preload import LateImports, load_named
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.layers import LayerReport
from autograder.sandbox.protocol.trusted_form import unpack_records
from autograder.sandbox.protocol.wire import Export, FrameReader, WireError, pack_frame
from autograder.sandbox.requests import Requests, Values, describe_exception, seed_generators
from autograder.sandbox.worker.clean_state import CleanState, ScratchFiles
from autograder.sandbox.worker.importer import StudentModules
from autograder.sandbox.worker.substitutes import Substitutes

_RECEIVE_BYTES = 65536
_OF_RECORDS = (recipes, source)  # the modules of their classes, which cannot be imported once student code runs
Places = Mapping[str, Sequence[tuple[str, str]]]  # modules and spellings, by name


def prepare_worker(libraries: Sequence[str] = ()) -> Worker:
    """Prepare the worker that forks of this process become, in the state that student code expects.

    Done before the fork, because after it each page that is written to is copied. `libraries`: the declared packages.
    """
    seed_generators()
    sys.argv = [""]
    files = ScratchFiles()
    files.install()
    return Worker(files, libraries)


def serve(worker: Worker, connection: socket.socket, *, enter: Callable[[], list[LayerReport]]) -> None:
    """Import the modules of the first message with full rights, enter the sandbox, then answer requests for ever."""
    worker.connection = connection
    _, names, modules = worker.receive()
    load_named(names)
    layers = enter()
    LateImports(names, worker.request_module, worker.libraries).install()
    if modules:
        worker.load(*decode(modules))
    worker.reply((messages.READY, layers))
    while True:
        worker.answer_request(worker.receive())


class _Missing(Exception):
    """No file defines a name."""


class Worker:
    """One connection to the grader: answers requests, and sends callbacks to the grader during a request."""

    connection: socket.socket  # set after the fork

    def __init__(self, files: ScratchFiles, libraries: Sequence[str] = ()) -> None:
        self.libraries = tuple(libraries)
        self._files = files
        self._reader = FrameReader()
        self._waiting: list[bytes] = []
        self._values = Values(self._exchange)
        self._modules = StudentModules({}, {}, support_wins=False)
        self._clock = (0.0, 0.0)
        self._clean_state: CleanState | None = None
        self._handlers: dict[str, Callable[..., object]] = {
            messages.LOAD: self.load,
            messages.IMPORT: self._import,
            # Not the methods themselves: `load` replaces the object.
            messages.BEGIN_STATEMENTS: lambda name: self._modules.begin_statements(name),  # noqa: PLW0108  (see above)
            messages.RUN_STATEMENT: self._run_statement,
            messages.FIND: self._find,
            messages.FIND_CLASS: self._find_class,
            **Requests(self._values, self._start_call).handlers,
            messages.SUBSTITUTE: self._substitute,
            messages.SET_CLOCK: self._set_clock,
            messages.RESET: self._reset,
            messages.ALL_PROGRAMS: self._run_all,
        }

    def receive(self) -> tuple[Any, ...]:
        """Receive the grader's next message; exit if the grader has closed the socket."""
        while not self._waiting:
            data = self.connection.recv(_RECEIVE_BYTES)
            if not data:
                os._exit(0)
            self._waiting.extend(self._reader.feed(data))
        message: tuple[Any, ...] = self._values.unpack(self._waiting.pop(0))
        return message

    def reply(self, message: tuple[object, ...]) -> None:
        """Flush the output and send a message; after the reply the grader may kill this process."""
        payload = self._values.pack(message)
        _flush_output()
        self.connection.sendall(pack_frame(payload))

    def request_module(self, module: str) -> NoReturn:
        """Request a worker with this module preloaded, then exit."""
        self.reply((messages.WANTS_LIBRARY, module))
        os._exit(0)

    def answer_request(self, request: tuple[Any, ...]) -> None:
        """Run one request, or each program of a message, and reply with its return value or exception."""
        kind, *arguments = request
        if kind == messages.PROGRAMS:
            for run in self._list_runs(*arguments):  # the grader waits for as many replies
                self._answer(run)
        else:
            self._answer(self._handlers[kind], *arguments)

    def _answer(self, handle: Callable[..., object], *arguments: Any) -> None:
        self._start_call()
        try:
            value = handle(*arguments)
            self._end_request((messages.RETURNED, value))
        except BaseException as error:  # noqa: BLE001  (student code may raise anything, SystemExit included)
            self._end_request(self._describe(error))

    def _end_request(self, message: tuple[object, ...]) -> None:
        self._stop_clock()
        called = self._modules.called  # of withheld functions, even where the student caught the error
        self.reply((messages.USED_SUPPLIED, called[0]) if called else message)

    def _exchange(
        self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[str, Any]:
        """Send a callback; return the message that answers it: its value or a refusal."""
        self._stop_clock()
        payload = self._values.pack((arguments, keywords), snapshot=export.snapshot)
        self.reply((messages.CALLBACK, export.id, method, payload))
        kind, value = self.receive()
        self._start_call()  # callbacks are counted, and what each of them costs here is no computing of the student's
        return kind, value

    def load(self, own: dict[str, Any], support: dict[str, Any], support_wins: bool) -> None:
        """Make these modules importable; run none of their code."""
        own = {name: Source(*fields) for name, fields in own.items()}
        support = {name: Source(*fields) for name, fields in support.items()}
        self._modules = StudentModules(own, support, support_wins=support_wins)
        self._modules.install()

    def _reset(self, names: tuple[str, ...], modules: bytes, main: str, cpu_s: float, step_s: float) -> list[str]:
        """Load files afresh, in a process that earlier checks left clean; return the names that `main` defines.

        `names`: the library modules that the files name, which are watched. `modules`: the files; empty: as before.
        `cpu_s`: the computing time of each program that is asked next; `step_s`: the time by the clock of a step.
        """
        if self._clean_state is None:
            self._clean_state = CleanState(names, self._files)
        elif not self._clean_state.restore():
            raise RuntimeError("an earlier check left something behind")
        self._values.forget()
        if modules:
            signal.setitimer(signal.ITIMER_PROF, 0)  # what is compiled is no time of the load
            self.load(*decode(modules))
            self._modules.compile_all()
        self._modules.forget_imports()
        self._modules.install()
        self._clock = cpu_s, step_s
        with self._limit_load(limit.FIRST_CPU_S):
            return self._list_defined(importlib.import_module(main))

    @contextmanager
    def _limit_load(self, seconds: float) -> Iterator[None]:
        """Limit the computing time of a load, during which no call of a withheld function counts."""
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._modules.called.clear()

    def _list_runs(self, places: Places, packed: bytes) -> Iterator[Callable[[], list[object]]]:
        """List the programs of a message, each as a function that returns its reply.

        `places`: by name, where it may be defined. `packed`: the programs.
        """
        for number, program in enumerate(unpack_records(packed)):
            yield partial(self._run_program, places, program, number)

    def _run_all(self, places: Places, packed: bytes) -> list[list[object]]:
        """Return the replies to all programs of a message, each of which has the clock to itself."""
        replies = []
        for run in self._list_runs(places, packed):
            self._start_call()
            replies.append(run())
        return replies

    def _run_program(self, places: Places, program: Program, number: int) -> list[object]:
        """Return the parts of a reply: an encoded value, or the message of how it failed, for each."""

        def know_toy(step: int, made: object) -> None:
            self._values.add_toy(made, messages.name_toy(number, step))

        return run_program(
            program,
            partial(self._find_callable, places),
            keep=self._values.pack,
            describe=self._describe,
            know_toy=know_toy,
            begin_step=self._start_step,
            catch=BaseException,
        )

    def _find_callable(self, places: Places, name: str) -> object:
        for module, spelling in places.get(name, ()):
            defined = vars(sys.modules[module]) if module in sys.modules else {}  # one that does not compile is not
            found = defined.get(spelling)
            if callable(found) and not self._is_supplied(found):
                return found
        raise _Missing(name)

    def _describe(self, error: BaseException) -> tuple[object, ...]:
        if isinstance(error, _Missing):
            return (messages.MISSING, *error.args)
        if isinstance(error, WireError):
            return (messages.UNSENDABLE, str(error)[: limit.MESSAGE_CHARACTERS])
        return (messages.RAISED, *describe_exception(error, self._modules.paths))

    def _set_clock(self, cpu_s: float, step_s: float) -> None:
        self._clock = (cpu_s, step_s)

    def _start_call(self) -> None:
        """Have the kernel end this process after its computing time, or the time of a step by the clock."""
        if self._clock[0]:
            signal.setitimer(signal.ITIMER_PROF, self._clock[0])
            self._start_step()

    def _start_step(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, self._clock[1])

    def _stop_clock(self) -> None:
        """Take no time by the clock while the grader answers, or works by itself."""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _run_statement(self, index: int) -> list[LeftOut]:
        with self._limit_load(limit.LOAD_CPU_S):
            return self._modules.run_statement(index)

    def _import(self, module_name: str) -> list[str]:
        self._modules.compile_one(module_name)  # which is no time of the load
        with self._limit_load(limit.WHOLE_LOAD_CPU_S):
            return self._list_defined(importlib.import_module(module_name))

    def _list_defined(self, module: ModuleType) -> list[str]:
        return [name for name, value in vars(module).items() if callable(value) and not self._is_supplied(value)]

    def _is_supplied(self, value: object) -> bool:
        kind = getattr(type(value), "__module__", None)
        if isinstance(kind, str) and kind.startswith("autograder."):  # of Cython's functions it is no text
            return True
        origin = getattr(value, "__module__", None)
        return isinstance(origin, str) and self._modules.is_support(origin)

    def _find(self, module_name: str, name: str) -> object:
        return self._values.keep(getattr(sys.modules[module_name], name))

    def _find_class(self, module_name: str, name: str) -> object:
        make = self._values.wrap_class(getattr(sys.modules[module_name], name))
        return self._values.keep(make)

    def _substitute(self, module_name: str, path: str, export_fields: tuple[Any, ...], *rules: Any) -> None:
        """Put the grader's function, method or class in the place of the student's; `rules`: see `Substitutes`."""
        export = Export(*export_fields)
        Substitutes(self._exchange, export, *rules).put_in(sys.modules[module_name], path)


def _flush_output() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # noqa: BLE001, S112  (student code may have replaced or closed it; only output is lost)
            continue
