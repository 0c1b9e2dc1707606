"""Question classes: the classes that a question asks for, by which a call of one is told from a call of a function.

Run by both sides, with the rights of each. Trusts nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from autograder.sandbox.protocol import messages


class QuestionClasses:
    """A question's module, as far as its classes are known.

    `classes`: by name of each, the names of its methods. `methods`: all of these names.
    """

    def __init__(self, classes: Mapping[str, Collection[str]]) -> None:
        self._classes = classes
        self.methods = frozenset(name for methods in classes.values() for name in methods)

    def is_class(self, name: str) -> bool:
        """Whether the question asks for a class of that name."""
        return name in self._classes

    def choose_find_request(self, name: str) -> str:
        """Return the request by which a worker finds a function, or a class, of that name."""
        return messages.FIND_CLASS if self.is_class(name) else messages.FIND
