"""Row: records a row of the result as a contract describes it, before its data is derived."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.contracts.case import ORDINARY
from autograder.contracts.check import CaseCheck
from autograder.contracts.gradient_row import GradientCheck
from autograder.contracts.object_check import ObjectCheck

DerivedCheck = CaseCheck | GradientCheck | ObjectCheck


class DerivesChecks(ABC):
    """The contract of one function, constructor or method; `name`: of the function."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._derived: dict[tuple[str, str], DerivedCheck] = {}

    def ordinary(self) -> Check:
        """A few generic calls, all sizes different: the row that students see."""
        return Check(self, ORDINARY)

    def everywhere(self) -> Check:
        """All kinds of input, one at a time."""
        return Check(self, "everywhere")

    def derive(self, purpose: str, seed: str) -> DerivedCheck:
        """Derive the data of a check, once for each seed."""
        if (purpose, seed) not in self._derived:
            self._derived[purpose, seed] = self._derive(purpose, seed)
        return self._derived[purpose, seed]

    @abstractmethod
    def _derive(self, purpose: str, seed: str) -> DerivedCheck:
        """Derive the data of a check."""

    @abstractmethod
    def draw_checks(self, seed: str, count: int) -> Iterator[DerivedCheck]:
        """Draw checks of random cases, which judge other functions."""


@dataclass(frozen=True)
class Check:
    """A row of the result, as a contract describes it; `derive` makes the data. `purpose`: the method that made it."""

    contract: DerivesChecks
    purpose: str

    @property
    def function(self) -> str:
        """The function under test."""
        return self.contract.name

    def derive(self, seed: str) -> DerivedCheck:
        """Derive requests, right values and shares; ContractError where the contract cannot be kept.

        `seed`: the private seed of the assignment.
        """
        return self.contract.derive(self.purpose, seed)
