"""Home source: says what a check needs of a student's file when it is called in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol


class OnlyOnGradescope(Exception):
    """The check needs something that the handout has not; the text says what."""


class Source(Protocol):
    """The functions and classes of one question, and the words for their errors."""

    @property
    def module_name(self) -> str:
        """The name under which Python imports the file."""

    def find(self, name: str) -> Any:
        """Return a function or class by its name in the file; CallFailed where it is not written."""

    def adapt(self, name: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
        """Return the name that the file has for a function of the check's, and the arguments that it takes there."""

    def run(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Return the value of a call; CallFailed where there is none."""

    def mute(self) -> None:
        """Show nothing of what the code prints from now on."""
