"""A student's module of a pile and three functions, for programs."""

from collections.abc import Callable
from functools import partial
from typing import Any


class Right:
    """The right module."""

    class Pile:
        """Items on top of each other."""

        def __init__(self, items: list[Any]) -> None:
            self.items = list(items)

        def push(self, item: Any) -> list[Any]:
            """Put an item on top."""
            self.items.append(item)
            return self.items

        def take(self, place: int) -> Any:
            """Take the item at a place."""
            return self.items.pop(place)

    @staticmethod
    def fill(items: list[Any], item: Any) -> list[Any]:
        """Append to the list that is given."""
        items.append(item)
        return items

    @staticmethod
    def count(items: list[Any]) -> int:
        """Count items."""
        return len(items)

    @staticmethod
    def hear(toy: Any) -> list[int]:
        """Ask a toy twice; the argument is changed after that."""
        words: list[Any] = []
        answers = [toy.tell("a"), toy.tell(words)]
        words.append("b")
        return answers


def find_in(module: Any) -> Callable[[str], Any]:
    """Return how names are found."""
    return partial(getattr, module)
