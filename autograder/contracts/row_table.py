"""Row table: turns what a file of hidden tests says of a contract's rows into hidden tests, or refuses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from autograder import UserError
from autograder.contracts.body import Check, DerivesChecks
from autograder.contracts.case import EVERYWHERE, GRADIENT_CHECK, ORDINARY, Named
from autograder.contracts.signature import ContractError
from autograder.results import Visibility, is_check_number, is_points

# By the name of a row: what its test has behind the contract's name, what its title has before the words, and when
# students see it.
ROWS: Mapping[str, tuple[str, str, Visibility]] = {
    ORDINARY: ("", "", Visibility.VISIBLE),
    GRADIENT_CHECK: ("_gradient_check", "gradient check, ", Visibility.VISIBLE),
    EVERYWHERE: ("_everywhere", "", Visibility.AFTER_DUE_DATE),
}
_EXAMPLE = '("1.2", 1.5, "the loss and its gradient")'


class RowError(UserError):
    """A table of rows is not in order; the text has the file, the line, and what to write."""


class TableRow(NamedTuple):
    """A row of a table, which is a hidden test; `name`: of the test."""

    name: str
    check: Check
    number: str
    points: float
    title: str
    visibility: Visibility


class RowTable(NamedTuple):
    """The rows of a contract, and where they are written."""

    file: str
    line: int
    rows: tuple[TableRow, ...]

    @property
    def place(self) -> str:
        """The file and the line, for messages."""
        return f"{Path(self.file).name}:{self.line}"


def make_table(contract: DerivesChecks, entries: Named, frame: FrameType) -> RowTable:
    """Make the table of a contract; RowError where it is not in order.

    `entries`: by the name of a row, its number, points and words. `frame`: of the file that has the table.
    """
    table = RowTable(frame.f_code.co_filename, frame.f_lineno, ())
    try:
        name = _find_name(contract, frame.f_globals)
        rows = [_make_row(contract, name, *entry) for entry in entries.items()]
    except ContractError as error:
        raise RowError(f"{table.place}: {error}") from error
    return table._replace(rows=tuple(rows))


def require_first(earlier: RowTable | None, table: RowTable) -> None:
    """Raise RowError where the contract has another table; a file that is loaded again has the same one."""
    if earlier is not None and earlier[:2] != table[:2]:
        raise RowError(f"{table.place}: the contract has its rows in {earlier.place} already; write all of them there")


def _find_name(contract: DerivesChecks, names: Named) -> str:
    """Find the contract's name in the file that has the table."""
    for name, value in names.items():
        if value is contract:
            return name
    raise ContractError(f"the contract of {contract.name} has no name here; write x = Contract(...), then x.rows(...)")


def _make_row(contract: DerivesChecks, name: str, row: str, entry: Any) -> TableRow:
    if row not in ROWS:
        raise ContractError(f"there is no row {row}; write one of {', '.join(ROWS)}")
    if not isinstance(entry, tuple) or len(entry) != 3:
        raise ContractError(f"{row} has a number, points and words; write {row}={_EXAMPLE}")
    number, points, words = entry
    if not is_check_number(number):
        raise ContractError(f'{row} has the number {number!r}; write one like "1.2"')
    if not is_points(points):
        raise ContractError(f"{row} gives {points!r} points; write a number like 1.5 behind {number!r}")
    if not isinstance(words, str) or words.strip().splitlines() != [words]:
        raise ContractError(f"{row} has the words {words!r}; write one line that students read, {row}={_EXAMPLE}")
    ending, kind, visibility = ROWS[row]
    check = getattr(contract, row)()
    title = f"{contract.name}: {kind}{words}"
    return TableRow(f"test_{name}{ending}", check, number, float(points), title, visibility)


def require_distinct(tables: Iterable[RowTable], functions: Mapping[str, str]) -> None:
    """Raise RowError for a row that has the name or the number of another test of its file.

    `functions`: by name, the numbers of tests that are functions.
    """
    names = set(functions)
    numbers = {number: name for name, number in functions.items()}
    for table in tables:
        for row in table.rows:
            if row.name in names:
                advice = "give the contract or the function another name"
                raise RowError(f"{table.place}: two tests of this file are named {row.name}; {advice}")
            if row.number in numbers:
                problem = f"{row.name} has the number {row.number} of {numbers[row.number]}"
                raise RowError(f"{table.place}: {problem}; write another")
            names.add(row.name)
            numbers[row.number] = row.name
