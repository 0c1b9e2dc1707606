"""Question module: what answers a test's requests about one question, wherever the functions run.

Run by the grader. Trusts nothing of what answers.
"""

from __future__ import annotations

from typing import Any, NoReturn, Protocol

from autograder.sandbox.protocol.wire import Handle


class QuestionModule(Protocol):
    """Answers requests about one question: a student's module in a worker, or functions of this process in a replay."""

    @property
    def methods(self) -> frozenset[str]:
        """The names of the methods of the question's classes."""

    def is_class(self, name: str) -> bool:
        """Whether the question asks for a class of that name."""

    def function(self, name: str) -> Handle:
        """What stands for a function in requests; `CallFailed` where it is not written."""

    def request(self, kind: str, *arguments: object) -> Any:
        """The value of a request; `CallFailed` where there is none."""

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments that the function takes."""

    def end_as_garbled(self, detail: str) -> NoReturn:
        """Have this and every later request fail."""
