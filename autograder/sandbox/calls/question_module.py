"""Question module: answers a test's requests about one question, wherever the question's functions run.

Run by the grader, with its rights.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NoReturn

from autograder.programs.plain_values import Handle
from autograder.programs.program import Program
from autograder.sandbox.protocol import messages


class QuestionModule(ABC):
    """One question: a student's module in a worker, functions of this process, or recorded replies.

    `classes`: by name of each class that the question asks for, its methods. `methods`: the names of all of these.
    """

    def __init__(self, classes: Mapping[str, Collection[str]]) -> None:
        self.classes = classes
        self.methods = frozenset(name for methods in classes.values() for name in methods)

    def is_class(self, name: str) -> bool:
        """Whether the question asks for a class of that name."""
        return name in self.classes

    def choose_find_request(self, name: str) -> str:
        """Return the request by which a worker finds the function, or the class, of that name."""
        return messages.FIND_CLASS if self.is_class(name) else messages.FIND

    def drop_arguments(self, _name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that a function takes: all, where no variant of an assignment is known."""
        return arguments

    @abstractmethod
    def function(self, name: str) -> Handle:
        """Return what stands for a function in requests; `CallFailed` where it is not written."""

    @abstractmethod
    def request(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request; `CallFailed` where there is none."""

    @abstractmethod
    def run(self, programs: Sequence[Program], groups: Sequence[str] = ()) -> list[list[Any]]:
        """Return the reply to each program: a value, or the Outcome of what gave none, for each part.

        `groups`: of each program; those of one group are worth something together alone, by default all.
        """

    @abstractmethod
    def end_as_garbled(self, detail: str) -> NoReturn:
        """Have this and every later request fail."""
