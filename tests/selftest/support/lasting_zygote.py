"""Lasting zygote: serves the judges of many tests, none of which ends it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograder.sandbox.host.client import Zygote


class LastingZygote(Zygote):
    """A zygote that serves the judges of many tests: closing it is left to the end of all."""

    def close(self) -> None:
        """Stay."""


@contextmanager
def open_lasting_zygote() -> Iterator[Zygote]:
    """Yield a zygote that is closed at the end of the block, and not before."""
    lasting = LastingZygote()
    try:
        yield lasting
    finally:
        Zygote.close(lasting)
