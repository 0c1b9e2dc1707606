"""Material: what workers need of one question of a submission."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

from autograder.assignment import Question
from autograder.submission import QuestionFiles, find_defined_names

Sources = dict[str, tuple[str, str, bool]]  # module name -> path shown, text, whether it is a package


@dataclass(frozen=True)
class Material:
    """One question: the submission's files as module sources (`own`), the grader's (`support`), and the reference.

    `preload`: the library modules that the sources name, which a worker imports while it may still read files.
    """

    question: Question
    files: QuestionFiles
    own: Sources
    support: Sources
    preload: tuple[str, ...]
    reference: ModuleType

    @property
    def paths(self) -> frozenset[str]:
        """The paths of the submission's files, as tracebacks show them."""
        return frozenset(path for path, _, _ in self.own.values())

    def find_supplied(self, functions: Iterable[str]) -> tuple[str, ...]:
        """Return those of the functions that a module of the grader's contains, and so earns no points for."""
        return tuple(name for name in functions if name in self._supplied_names)

    @cached_property
    def _supplied_names(self) -> frozenset[str]:
        return frozenset(name for _, text, _ in self.support.values() for name in find_defined_names(text))


def find_classes(reference: ModuleType) -> dict[str, frozenset[str]]:
    """Return, by the name of each class of a reference, the names of its methods."""
    classes = {name: value for name, value in vars(reference).items() if isinstance(value, type)}
    return {
        name: frozenset(method for method, value in vars(each).items() if callable(value))
        for name, each in classes.items()
    }
