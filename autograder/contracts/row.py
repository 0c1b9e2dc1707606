"""Row: records a row of the result as a contract describes it, before its data is derived."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from autograder.contracts.check import CaseCheck
from autograder.contracts.gradient_row import GradientCheck
from autograder.contracts.object_check import ObjectCheck
from autograder.contracts.open_check import OpenCheck

DerivedCheck = CaseCheck | GradientCheck | ObjectCheck | OpenCheck


class DerivesChecks(Protocol):
    """The contract of one function, constructor or method."""

    @property
    def name(self) -> str:
        """The name of the function."""

    def derive(self, purpose: str, seed: str) -> DerivedCheck:
        """Derive the data of a check."""

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
