"""Question classes: the classes that a question asks for, by which a call of one is told from a call of a function.

Run by both sides, with the rights of each. Trusts nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping


class QuestionClasses:
    """A question's module, as far as its classes are known; `classes`: by name of each, its methods."""

    def __init__(self, classes: Mapping[str, Collection[str]]) -> None:
        self._classes = classes

    @property
    def methods(self) -> frozenset[str]:
        """The names of the methods of the question's classes."""
        return frozenset(name for methods in self._classes.values() for name in methods)

    def is_class(self, name: str) -> bool:
        """Whether the question asks for a class of that name."""
        return name in self._classes
