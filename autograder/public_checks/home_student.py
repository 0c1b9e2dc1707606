"""Home student: answers the requests of a check with the functions of a file in this process, as a worker would.

Nothing is isolated, because everything here is the student's own. No time is limited here: `check.py` does that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from autograder.checks.cases import Comparison
from autograder.grading.expression import find_identity_texts
from autograder.grading.reproducer import Spelling, drop_silent, find_refused, write_reproducer
from autograder.grading.transcript import RecordedRequest
from autograder.public_checks.expected import OnlyOnGradescope
from autograder.public_checks.student_file import StudentFile
from autograder.sandbox.calls.by_position import NONE_BY_NAME, ByName, take_by_position
from autograder.sandbox.calls.question_module import InProcessModule
from autograder.sandbox.host.exports import Exports
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.sandbox.protocol.tensors import find_tensor
from autograder.sandbox.protocol.wire import Handle, WireError
from autograder.student import RunningAttempt

_NOT_PLAIN = "it returned something that cannot be handed over"


class HomeAttempt(RunningAttempt):
    """One attempt at a check on a student's file."""

    def __init__(self, file: StudentFile) -> None:
        super().__init__()
        self._file = file
        self._module = HomeModule(file)

    def module(self, _stem: str) -> HomeModule:
        """Return the functions of the file."""
        return self._module

    def begin_probing(self) -> bool:
        """Keep later calls, which only explain a failure, out of the lines to run, and their prints out of sight."""
        self._module.is_probing = True
        self._file.mute()
        return True

    def write_lines(
        self,
        tested: Sequence[str],
        *,
        compared: Sequence[Comparison] = (),
        remarks: Sequence[str] = (),
        ending: Outcome | None = None,
    ) -> str:
        """Write lines that repeat the call whose value the check refused, or that had none, with the remarks."""
        refused, asked, spellings = find_refused(compared), self._module.asked, self._module.spellings
        fresh_texts = find_identity_texts([self._file.text])
        lines = write_reproducer(asked, spellings, remarks, fresh_texts=fresh_texts, refused=refused, tested=tested)
        return drop_silent(lines._replace(ending=ending), refused).text


class HomeModule(InProcessModule):
    """The functions and classes of a student's file.

    `asked`, `spellings`: what the check requested until it failed, and the functions by the numbers of their handles.
    """

    def __init__(self, file: StudentFile) -> None:
        exports = _UnlimitedExports()
        super().__init__(file.question["classes"], exports.convert, exports.answer_callback)
        self._file = file
        self.is_probing = False
        self.asked: list[RecordedRequest] = []
        self.spellings: dict[int, Spelling] = {}

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that this variant of the assignment's function takes."""
        return self._file.adapt(name, arguments)[1]

    def function(self, name: str) -> Handle:
        """Return the handle of a function, or of a function that makes an object of a class."""
        spelling, parameters = self._file.adapt(name, tuple(self._file.question["parameters"].get(name, ())))
        first, names = self._file.question["by_name"].get(name, NONE_BY_NAME)
        by_name = ByName(first, tuple(names))
        handle = self.keep(name, take_by_position(self._file.find(spelling), by_name))
        self.spellings[handle.id] = Spelling(self._file.module_name, spelling, parameters, name, by_name)
        return handle

    def request(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request; CallFailed where there is none."""
        if kind == messages.CALL_WITH_GRADIENTS:
            raise OnlyOnGradescope("it needs PyTorch")
        reply = self._answer(kind, arguments)
        if not self.is_probing:
            self.asked.append(RecordedRequest(kind, arguments, reply))
        if isinstance(reply, Outcome):
            raise CallFailed(reply)
        return reply

    def _answer(self, kind: str, arguments: tuple[object, ...]) -> Any:
        try:
            value = self._file.run(self._handlers[kind], self.copy_arguments(arguments))
            return decode(self._values.pack(value), allow_handles=True, allow_exports=False)
        except CallFailed as error:
            return error.outcome
        except WireError as error:
            return Outcome(OutcomeKind.RAISED, detail=_NOT_PLAIN, message=str(error))


class _UnlimitedExports(Exports):
    """The functions and objects that a check gives, without limits on time and memory."""

    @cached_property
    def address_space_bytes(self) -> int:
        """No limit."""
        return 0

    def convert(self, value: object) -> object:
        """Convert an argument as the grader does, but for tensors: the handout needs no PyTorch."""
        if find_tensor(value) is not None:
            raise OnlyOnGradescope("it needs PyTorch")
        return super().convert(value)

    @contextmanager
    def _limit_callbacks(self) -> Iterator[None]:
        with np.errstate(all="ignore"):  # odd arguments must not print warnings of the check's own functions
            yield
