"""Random check: splits a row of random cases into checks of one case each, which ask for all that a row may ask for.

They judge whether another function is right: where one of them fails, it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from autograder.contracts.check import CaseCheck
from autograder.contracts.open_check import OpenCheck

_ORDER_SHARE = 0.1  # any share: what counts is whether all is right


def split_row(row: CaseCheck | OpenCheck) -> Iterator[CaseCheck | OpenCheck]:
    """Split a row into a check of each case, and one with the laws of a random function."""
    for number in range(len(row.cases)):
        yield join_cases(row, (number,))
    if isinstance(row, OpenCheck) and row.laws is not None:
        yield row._replace(row=_select(row.row, (0,)))


def join_cases(row: CaseCheck | OpenCheck, numbers: tuple[int, ...]) -> CaseCheck | OpenCheck:
    """Return the check of some of the cases together, without laws."""
    if isinstance(row, OpenCheck):
        return row._replace(row=_select(row.row, numbers), laws=None)
    return _select(row, numbers)


def _select(row: CaseCheck, numbers: tuple[int, ...]) -> CaseCheck:
    """Return the check of some cases: of the order of their parts, and of their arguments as they were."""
    order_share = _ORDER_SHARE * (len(row.returned_parts) > 1)
    return row._replace(
        cases=tuple(row.cases[number] for number in numbers),
        alternatives={words: tuple(each[number] for number in numbers) for words, each in row.alternatives.items()},
        promising=tuple(range(len(numbers))) if row.promise_share else (),
        shares={group: share * (1 - order_share) for group, share in row.shares.items()},
        promise_share=row.promise_share * (1 - order_share),
        order_share=order_share,
        untouched="",
    )
