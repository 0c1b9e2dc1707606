"""Table text: turns a table that a student wrote as text or as TOML values into rows, by column name.

Loaded by the zygote, run in the worker after it has lost its rights. Trusts no text. The content of a cell stays text;
the grader interprets it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

ROWS = 200  # a table of a million rows
CELL_CHARACTERS = 500
_RULE = re.compile(r"[|:+\-=\s]*-{2,}[|:+\-=\s]*")
_SHORT = 3  # letters of a word that is not specific, such as "new"
_NEAR = 0.8  # "dependencies" matches "dependency", "action" does not match "transition"
_NOT_LETTERS = re.compile(r"[^a-z]+")


class TableProblem(ValueError):
    """The value is not a readable table; the text says what to write."""


def read_rows(value: object, columns: Sequence[str]) -> list[dict[str, str]]:
    """Read the rows in their order, each with every column; a missing cell is empty.

    A row is a line of cells with | between them, a list of cells, or a table with the columns as keys. If the first row
    holds column names, it defines the order of the columns; columns with other names are ignored.
    """
    rows = _read_cells(value, columns)
    if len(rows) > ROWS:
        raise TableProblem(f"has more than {ROWS} rows")
    if not rows:
        return []
    order = _match_header(rows[0], columns)
    body = rows[1:] if order is not None else rows
    headings = list(columns) if order is None else order
    return [_build_row(cells, headings, columns) for cells in body]


def _read_cells(value: object, columns: Sequence[str]) -> list[list[str]]:
    if isinstance(value, str):
        lines = [line.strip() for line in value.splitlines()]
        return _split([line for line in lines if line and not _RULE.fullmatch(line)])
    if not isinstance(value, list):
        raise TableProblem("is no table; write one row a line, with | between the columns")
    return [_read_row(row, columns) for row in value]


def _split(lines: Sequence[str]) -> list[list[str]]:
    """Split each line into cells; if all lines begin with |, as in Markdown, it is a frame and no separator."""
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
    """Return the columns in the order of a header row; None if the row is not a header."""
    order = [_find_column(cell, columns) for cell in cells]
    known = [column for column in order if column is not None]
    if len(known) <= len(columns) / 2 or len(set(known)) < len(known):
        return None
    missing = [column for column in columns if column not in known]
    if missing:
        raise TableProblem(f"names no column {missing[0]!r} in its first row; the columns are {', '.join(columns)}")
    return order


def _find_column(name: str, columns: Sequence[str]) -> str | None:
    """Find the column whose name, or a word of it, is most similar; None if none is similar."""
    spelled = {
        _keep_letters(part): column for column in columns for part in (*column.split(), column) if len(part) > _SHORT
    }
    near = get_close_matches(_keep_letters(name), spelled, 1, cutoff=_NEAR)
    return spelled[near[0]] if near else None


def _keep_letters(name: str) -> str:
    return _NOT_LETTERS.sub("", name.lower())


def _build_row(cells: Sequence[Any], headings: Sequence[str | None], columns: Sequence[str]) -> dict[str, str]:
    found = {name: cell[:CELL_CHARACTERS] for name, cell in zip(headings, cells, strict=False) if name is not None}
    return {column: found.get(column, "") for column in columns}
