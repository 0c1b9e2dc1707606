"""Cases: keeps every comparison of a hidden test, so that a relation is said only where it holds in all of them.

A failed comparison ends its test. Inside `keep_cases` it is put off: the body goes on as if the value were right, so
that its other cases are compared too, and the first failure ends the test in the end. Nothing is kept without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

import numpy as np

from autograder.checks.array_pair import NO_NAMES, Names, is_generic
from autograder.checks.array_relation import list_relations
from autograder.checks.check_failed import CheckFailed
from autograder.checks.tolerances import choose_tolerance
from autograder.checks.values import Array, NotNumbers, convert_to_numbers, drop_unit_axes

_FEWEST_NUMBERS = 3  # single numbers that a relation between them rests on
_MOST_CASES = 300


@dataclass(frozen=True)
class Case:
    """One comparison of a value `what` with the right one, which is an array of finite floats."""

    what: str
    got: object
    right: Array
    names: Names = NO_NAMES
    single: bool = False
    is_wrong: bool = True

    @property
    def values(self) -> Array | None:
        """The student's value as numbers, without axes of length 1 that are too many; None if it is no numbers."""
        try:
            values = convert_to_numbers(self.got)
        except NotNumbers:
            return None
        if values.ndim != self.right.ndim and drop_unit_axes(values.shape) == drop_unit_axes(self.right.shape):
            return values.reshape(self.right.shape)
        return values

    def describe(self) -> str:
        """Describe how the value differs from the right one; empty if that is not clear."""
        return next(self.list_relations(), "")

    def list_relations(self, *, is_confirmed: bool = False) -> Iterator[str]:
        """List the sentences that are true of this case; `is_confirmed`: of others too, so that few numbers suffice."""
        values = self.values
        if values is not None:
            tolerance = choose_tolerance(values, single=self.single)
            yield from list_relations(
                values, self.right, tolerance=tolerance, names=self.names, is_confirmed=is_confirmed
            )

    @property
    def tells_nothing(self) -> bool:
        """Whether the value is right, and would be so by chance after many changes: it is 0, whole or short."""
        return not self.is_wrong and not (self.right.size and is_generic(self.right))


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
        return failed.copy_with(relation=describe_cases(alike)) if has_more else failed


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


def describe_cases(cases: Sequence[Case], *, says_share: bool = True) -> str:
    """Describe how the values of one name differ from the right ones in all cases; empty if that is not clear.

    Where no relation holds in all of them, say in how many they are wrong, and which shape these have, if `says_share`.
    """
    wrong = [each for each in cases if each.is_wrong]
    if not wrong:
        return ""
    sentences = list(_find_in_numbers(cases)) or list(wrong[0].list_relations())
    for case in cases:
        if sentences and not case.tells_nothing and case.right.ndim:
            held = {*case.list_relations(is_confirmed=True)}
            sentences = [each for each in sentences if each in held]
    return next(iter(sentences), "") or (_describe_share(cases, wrong) if says_share else "")


def _find_in_numbers(cases: Sequence[Case]) -> Iterator[str]:
    """Find a relation between single numbers, in all cases."""
    values = [each.values for each in cases]
    has_axes = any(each.right.shape for each in cases)
    if len(cases) < _FEWEST_NUMBERS or has_axes or any(each is None or each.shape for each in values):
        return
    for sentence in list_relations(np.array(values), np.array([each.right for each in cases])):
        if sentence.startswith("every entry") and "number of" not in sentence:
            yield sentence.replace("every entry", f"each of the {len(cases)} numbers compared", 1)


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


def _describe_share(cases: Sequence[Case], wrong: Sequence[Case]) -> str:
    right = [each for each in cases if not each.is_wrong]
    if not right:
        return ""
    wrong_shapes = [each.right.shape for each in wrong]
    right_shapes = [each.right.shape for each in right]
    where = ""
    for name, holds in _SHAPES.items():
        if all(map(holds, wrong_shapes)) and not any(map(holds, right_shapes)):
            where = f": where the right value {name}"
            break
    if not where and len(wrong) > len(right):
        return ""
    return f"{len(wrong)} of the {len(cases)} cases compared {'is' if len(wrong) == 1 else 'are'} wrong{where}"
