"""Cases: keeps every comparison of a hidden test, so that a relation is said only where it holds in all of them.

A failed comparison ends its test. Inside `keep_cases` it is put off: the body goes on as if the value were right, so
that its other cases are compared too, and the first failure ends the test in the end. Nothing is kept without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder.checks.array_pair import NO_NAMES, Names, is_generic
from autograder.checks.array_relation import list_relations
from autograder.checks.check_failed import CheckFailed
from autograder.checks.relation import OF_NUMBERS, Relation, list_relations_of_lists
from autograder.checks.tolerances import choose_tolerance
from autograder.checks.values import Array, NotNumbers, convert_to_numbers, drop_unit_axes, is_listed, is_numeric
from autograder.checks.wording import find_explanation
from autograder.plain_text import join_words

_FEWEST_NUMBERS = 3  # single numbers that a relation between them rests on
_MOST_CASES = 300


@dataclass(frozen=True)
class Case:
    """One comparison of a value `what` with the right one: an array of finite floats, or a list.

    `parts`: of a list of pairs, the names of their parts.
    """

    what: str
    got: object
    right: Any
    names: Names = NO_NAMES
    single: bool = False
    is_wrong: bool = True
    parts: tuple[str, str] | None = None

    @property
    def values(self) -> Array | None:
        """The student's value as numbers, without axes of length 1 that are too many; None if it is no numbers."""
        try:
            values = convert_to_numbers(self.got)
        except NotNumbers:
            return None
        shape = np.shape(self.right)
        if values.ndim != len(shape) and drop_unit_axes(values.shape) == drop_unit_axes(shape):
            return values.reshape(shape)
        return values

    def list_relations(self, *, is_confirmed: bool = False) -> list[Relation]:
        """List the relations of this case; `is_confirmed`: of others too, so that few numbers suffice."""
        if not is_numeric(self.right):
            if is_listed(self.right):
                return list_relations_of_lists(self.got, self.right, parts=self.parts)
            return []
        values = self.values
        if values is None:
            return []
        tolerance = choose_tolerance(values, single=self.single)
        right = np.asarray(self.right)
        return list_relations(values, right, tolerance=tolerance, names=self.names, is_confirmed=is_confirmed)

    @property
    def tells_nothing(self) -> bool:
        """Whether the value is right, and would be so by chance after many changes: it is 0, whole or short."""
        if self.is_wrong or self.is_number:
            return False
        return not np.size(self.right) or not is_generic(self.right)

    @property
    def is_number(self) -> bool:
        """Whether the right value is a single number."""
        return is_numeric(self.right) and np.ndim(self.right) == 0


@dataclass
class CaseKeeper:
    """The comparisons of a test. `failed`: the first that failed, put off because `go_on` returned True."""

    go_on: Callable[[], bool]
    cases: list[Case] = field(default_factory=list)
    failed: CheckFailed | None = None

    def put_off(self, failed: CheckFailed) -> bool:
        """Whether the test goes on after this failure."""
        if len(self.cases) >= _MOST_CASES or not self.go_on():
            return False
        if self.failed is None:
            self.failed = failed
        return True

    def complete(self, failed: CheckFailed) -> CheckFailed:
        """Return the failure that ends the test with what is true of all its cases."""
        alike = [each for each in self.cases if each.what == failed.what]
        has_more = len(alike) > 1 and any(each.is_wrong for each in alike)
        return failed.copy_with(relation=find_relation(alike) or _find_share(alike)) if has_more else failed


_KEEPER: ContextVar[CaseKeeper | None] = ContextVar("keeper", default=None)


@contextmanager
def keep_cases(go_on: Callable[[], bool] = lambda: True) -> Iterator[CaseKeeper]:
    """Keep the comparisons in the block; one that fails does not end it if `go_on` returns True."""
    keeper = CaseKeeper(go_on)
    token = _KEEPER.set(keeper)
    try:
        yield keeper
    finally:
        _KEEPER.reset(token)


def get_put_off() -> CheckFailed | None:
    """Return the failure that was put off, if any."""
    keeper = _KEEPER.get()
    return keeper.failed if keeper is not None else None


@contextmanager
def amend_failure(amend: Callable[[CheckFailed], None]) -> Iterator[None]:
    """Have a failure in the block amended, one that is put off too."""
    before = get_put_off()
    try:
        yield
    except CheckFailed as failed:
        if before is None:
            amend(get_put_off() or failed)
        raise
    put_off = get_put_off()
    if before is None and put_off is not None:
        amend(put_off)


@contextmanager
def keep_case(case: Case) -> Iterator[None]:
    """Keep the comparison in the block; where its failure is put off, the block ends without an error."""
    keeper = _KEEPER.get()
    is_wrong = True
    try:
        yield
        is_wrong = False
    except CheckFailed as failed:
        if keeper is None or not keeper.put_off(failed):
            raise
    finally:
        if keeper is not None:
            keeper.cases.append(replace(case, is_wrong=is_wrong))


def find_relation(cases: Sequence[Case]) -> Relation | None:
    """Find how the values of one name differ from the right ones in all cases; None if that is not clear."""
    wrong = [each for each in cases if each.is_wrong]
    if not wrong:
        return None
    of_numbers = _find_in_numbers(cases)
    if of_numbers:
        return of_numbers[0]
    found = wrong[0].list_relations()
    for case in cases:
        if found and len(cases) > 1 and not case.tells_nothing:
            held = case.list_relations(is_confirmed=True)
            found = [each for each in found if each in held]
    return found[0] if found else None


def _find_in_numbers(cases: Sequence[Case]) -> list[Relation]:
    """Find relations between single numbers, in all cases."""
    values = [each.values for each in cases if each.is_number]
    numbers = [each for each in values if each is not None and not each.shape]
    if len(cases) < _FEWEST_NUMBERS or len(numbers) < len(cases):
        return []
    found = list_relations(np.array(numbers), np.array([each.right for each in cases]))
    each = f"each of the {len(cases)} numbers compared"
    return [one._replace(each=each) for one in found if one.id in OF_NUMBERS]


_SHAPES: dict[str, Callable[[tuple[int, ...]], bool]] = {
    "has one row": lambda shape: len(shape) == 2 and shape[0] == 1,
    "has more than one row": lambda shape: len(shape) == 2 and shape[0] > 1,
    "has one column": lambda shape: len(shape) == 2 and shape[1] == 1,
    "has more than one column": lambda shape: len(shape) == 2 and shape[1] > 1,
    "is square": lambda shape: len(shape) == 2 and shape[0] == shape[1],
    "is not square": lambda shape: len(shape) == 2 and shape[0] != shape[1],
    "has no axis": lambda shape: not shape,
    "has one axis": lambda shape: len(shape) == 1,
    "has two axes": lambda shape: len(shape) == 2,
    "has more than two axes": lambda shape: len(shape) > 2,
    "has one entry": lambda shape: bool(shape) and np.prod(shape) == 1,
}


def _find_share(cases: Sequence[Case]) -> Relation | None:
    """Find in how many cases a value is wrong, and which shape these have; None where it says little."""
    wrong = [number for number, each in enumerate(cases) if each.is_wrong]
    if len(wrong) == len(cases):
        return None
    kinds = []
    for each in cases:
        shape = np.shape(each.right)
        kinds.append([name for name, holds in _SHAPES.items() if holds(shape)])
    where = find_explanation(wrong, kinds)
    verb = "is" if len(wrong) == 1 else "are"
    share = f"{len(wrong)} of the {len(cases)} cases compared {verb} wrong"
    if where:
        return Relation("share", (f"{share}: where the right value {join_words(where)}",))
    return Relation("share", (share,)) if 2 * len(wrong) <= len(cases) else None
