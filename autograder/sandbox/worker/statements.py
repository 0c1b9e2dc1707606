"""Statements: runs the top level of a student's module statement by statement, and leaves out those that fail.

Run in the worker beside student code, so trusted by nobody. The grader asks for each statement of a question's file by
its number, so that it knows which one ended a worker; the statements of the files that it imports run at once.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

from autograder.sandbox import limits as limit
from autograder.sandbox.calls.exceptions import describe_exception
from autograder.sandbox.worker.module_code import Statement

LeftOut = tuple[str, int, str, str]  # path, line, the exception's type and text


@contextmanager
def limit_load() -> Iterator[None]:
    """Have the kernel end this process by SIGPROF after the computing time that a load, or a statement of one, has."""
    signal.setitimer(signal.ITIMER_PROF, limit.LOAD_CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class Statements:
    """The statements of one module, and those left out in it and in the modules that it imports."""

    def __init__(self, module: ModuleType, path: str, statements: Sequence[Statement]) -> None:
        self._module = module
        self._path = path
        self._statements = statements
        self._left_out: list[LeftOut] = []

    @property
    def lines(self) -> list[int]:
        """The first line of each statement."""
        return [statement.line for statement in self._statements]

    def run(self, index: int) -> None:
        """Run one statement; where it raises anything at all, it counts as left out."""
        statement = self._statements[index]
        try:
            exec(statement.code, self._module.__dict__)  # noqa: S102  (the worker's purpose)
        except BaseException as error:  # noqa: BLE001  (student code may raise anything, SystemExit included)
            kind, _, text, *_ = describe_exception(error, ())
            self._left_out.append((self._path, statement.line, str(kind), str(text)))

    def run_all(self, imported: Statements) -> None:
        """Run all statements of a module that this one imports."""
        for index in range(len(imported._statements)):
            imported.run(index)
            self._left_out += imported.take_left_out()
        del self._left_out[limit.LEFT_OUT :]

    def take_left_out(self) -> list[LeftOut]:
        """Return the statements left out since the last time."""
        taken, self._left_out = self._left_out, []
        return taken
