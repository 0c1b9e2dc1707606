"""Case budget: bounds how many cases the diagnosis of one submission compares, so that it ends on any machine alike."""

from __future__ import annotations

from dataclasses import dataclass

_MOST = 20_000


class BudgetSpent(Exception):
    """The diagnosis has compared so many cases that it stops; the text says so."""


@dataclass
class CaseBudget:
    """The cases of known mistakes that were compared with a student's, and how many may be."""

    most: int = _MOST
    used: int = 0

    def require(self) -> None:
        """Raise BudgetSpent where no case is left."""
        if self.used >= self.most:
            raise BudgetSpent(f"the diagnosis stopped after {self.most:,} cases of known mistakes")
