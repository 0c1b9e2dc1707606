"""Table text: turns a table that a student wrote as text or as TOML values into rows, by name of the column.

Loaded by the zygote, run in the worker after its powers are gone. Whatever stands in a cell stays text: what it means
is for the grader to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

ROWS = 200  # a table of a million rows
CELL_CHARACTERS = 500
_RULE = re.compile(r"[|:+\-=\s]*-{2,}[|:+\-=\s]*")
_SHORT = 3  # letters of a word that says little, such as "new"
_NEAR = 0.8  # "dependencies" is "dependency", "action" is no "transition"
_NOT_LETTERS = re.compile(r"[^a-z]+")


class TableProblem(ValueError):
    """There is no table to be read; the text says what to write."""


def read_rows(value: object, columns: Sequence[str]) -> list[dict[str, str]]:
    """The rows in the order in which they stand, each with every column; a missing cell is empty.

    Read are lines of cells with | between them, lists of cells and tables with the columns as keys. A first row of
    names of columns says in which order they stand; columns of other names are passed over.
    """
    rows = _read_cells(value, columns)
    if len(rows) > ROWS:
        raise TableProblem(f"has more than {ROWS} rows")
    if not rows:
        return []
    order = _match_header(rows[0], columns)
    body = rows[1:] if order is not None else rows
    places = list(columns) if order is None else order
    return [_build_row(cells, places, columns) for cells in body]


def _read_cells(value: object, columns: Sequence[str]) -> list[list[str]]:
    if isinstance(value, str):
        lines = [line.strip() for line in value.splitlines()]
        return _split([line for line in lines if line and not _RULE.fullmatch(line)])
    if not isinstance(value, list):
        raise TableProblem("is no table; write one row a line, with | between the columns")
    return [_read_row(row, columns) for row in value]


def _split(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each line; where all begin with |, as in Markdown, that is a frame and no separator."""
    unseparated = [line for line in lines if "|" not in line]
    if unseparated:
        raise TableProblem(f"has no | in the row {unseparated[0][:60]!r}; write | between the columns")
    if all(line.startswith("|") for line in lines):
        lines = [line[1:].removesuffix("|") for line in lines]
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def _read_row(row: object, columns: Sequence[str]) -> list[str]:
    if isinstance(row, Mapping):
        named = {_find_column(str(name), columns): _join_cell(cell) for name, cell in row.items()}
        return [named.get(column, "") for column in columns]
    if isinstance(row, list):
        return [_join_cell(cell) for cell in row]
    if isinstance(row, str):
        return _split([row])[0]
    raise TableProblem("has a row that is neither a line nor a list of cells")


def _join_cell(cell: object) -> str:
    return " ".join(map(_join_cell, cell)) if isinstance(cell, list) else str(cell).strip()


def _match_header(cells: Sequence[str], columns: Sequence[str]) -> list[str | None] | None:
    """The columns in the order of a first row that names them; None where that row is none."""
    order = [_find_column(cell, columns) for cell in cells]
    known = [column for column in order if column is not None]
    if len(known) <= len(columns) / 2 or len(set(known)) < len(known):
        return None
    missing = [column for column in columns if column not in known]
    if missing:
        raise TableProblem(f"names no column {missing[0]!r} in its first row; the columns are {', '.join(columns)}")
    return order


def _find_column(name: str, columns: Sequence[str]) -> str | None:
    """The column whose name, or one word of it, is nearest; None where none is near."""
    spelled = {
        _keep_letters(part): column for column in columns for part in (*column.split(), column) if len(part) > _SHORT
    }
    near = get_close_matches(_keep_letters(name), spelled, 1, cutoff=_NEAR)
    return spelled[near[0]] if near else None


def _keep_letters(name: str) -> str:
    return _NOT_LETTERS.sub("", name.lower())


def _build_row(cells: Sequence[Any], places: Sequence[str | None], columns: Sequence[str]) -> dict[str, str]:
    found = {place: cell[:CELL_CHARACTERS] for place, cell in zip(places, cells, strict=False) if place is not None}
    return {column: found.get(column, "") for column in columns}
