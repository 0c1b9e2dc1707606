"""Comparison log: keeps what the checks of a hidden test compared, for staff who look at one attempt.

Nothing is kept unless somebody asked for it around the run of the test's body.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Comparison(NamedTuple):
    """The value `what` of a student's beside the right one; `holds`: the check was satisfied."""

    what: str
    found: object
    right: object
    holds: bool


_LOG: ContextVar[list[Comparison] | None] = ContextVar("comparisons", default=None)


@contextmanager
def keep_comparisons() -> Iterator[list[Comparison]]:
    """Yield a list to which the comparisons in the block are added; at its end, a block around it has them too."""
    kept: list[Comparison] = []
    outer = _LOG.get()
    token = _LOG.set(kept)
    try:
        yield kept
    finally:
        _LOG.reset(token)
        if outer is not None:
            outer += kept


@contextmanager
def log_comparison(what: str, found: object, right: object) -> Iterator[None]:
    """Keep what the block compares, which holds if no error ends it."""
    kept = _LOG.get()
    if kept is None or (kept and not kept[-1].holds):  # a failure may be put off; what follows explains it
        yield
        return
    holds = False
    try:
        yield
        holds = True
    finally:
        kept.append(Comparison(what, found, right, holds))
