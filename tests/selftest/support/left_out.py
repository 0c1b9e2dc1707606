"""Left out: judges each known mistake with its own entry left out of the bank, and the names that it gets then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import NamedTuple, cast

from autograder.diagnosis.replay import copy_function
from autograder.mistakes import Mistake
from autograder.mistakes.bank import Reader
from autograder.mutation.mutant import Mutant, Reference
from tests.selftest.support.grading import BANK, PROJECT, load
from tests.selftest.support.name_audit import Audited, Wrap, replace_function
from tests.selftest.support.replayed_submission import Judged, find_contracts, judge


class Named(NamedTuple):
    """A name that a mistake has without its own entry; `is_confirmed`: by inputs that no check has."""

    name: str
    is_confirmed: bool


class SmallerBank(NamedTuple):
    """The bank without one mistake."""

    left_out: str

    def load(self, stem: str) -> Sequence[Mistake]:
        """Load the other mistakes of a question."""
        return [each for each in BANK.load(stem) if each.id != self.left_out]

    def make_reader(self, stem: str, function: str) -> Reader:
        """Make the reader of a function's replies."""
        return BANK.make_reader(stem, function)


def list_judged(stem: str) -> list[Mistake]:
    """List the mistakes of a question that are judged: all but those of written answers."""
    return load(stem) if find_contracts(stem) else []


def judge_left_out(mistake: Mistake) -> Iterator[Named]:
    """Judge a mistake that is left out of the bank."""
    bank = SmallerBank(mistake.id)
    code = (mistake.stem, mistake.function, mistake.wrong)
    return audit_names(mistake, judge(*code, bank=bank))


def audit_names(mistake: Mistake, judged: Judged) -> Iterator[Named]:
    """Decide whether each name that a judged mistake got is true of it."""
    contract = find_contracts(mistake.stem)[mistake.function]
    audited = Audited(_make_mutant(mistake), make_reference(mistake.stem), contract)
    for name, each in judged.by_name.items():
        yield Named(name, audited.is_confirmed(each))


def make_reference(stem: str) -> Reference:
    """Return the right solution of a question, whose functions mutants change."""
    return Reference(stem, PROJECT / "reference" / f"{stem}.py")


def _make_mutant(mistake: Mistake) -> Mutant:
    def install(module: ModuleType) -> None:
        code = copy_function(mistake.wrong)  # type: ignore[arg-type]
        replace_function(module, mistake.function, cast("Wrap", lambda _: code))

    return Mutant(mistake.id, install)
