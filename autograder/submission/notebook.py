"""Notebook: turns the JSON text of a notebook into Python source, its code cells in their order.

The text is untrusted: it is parsed as data, with plain types only, up to the size of a file of that kind. Lines that
only a notebook runs, such as `%matplotlib inline`, stay; the worker leaves them out where Python cannot read them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Cells that begin with one of these magics hold Python; those of all others hold another language, or files.
_PYTHON_CELLS = frozenset({"%%time", "%%timeit", "%%capture", "%%prun"})


def convert_notebook(text: str) -> tuple[str, int]:
    """Return the source of a notebook's code cells, and their number; ValueError for anything but a notebook."""
    sources = [_read_source(cell) for cell in _list_cells(_parse(text)) if cell.get("cell_type") == "code"]
    kept = [source for source in sources if _is_python(source)]
    parts = [f"# code cell {number}\n{source}\n" for number, source in enumerate(kept, 1)]
    return "\n".join(parts), len(kept)


def _parse(text: str) -> dict[str, Any]:
    import json  # noqa: PLC0415  (few submissions hold a notebook)

    try:
        parsed = json.loads(text, parse_int=_drop, parse_float=_drop, parse_constant=_drop)
    except (ValueError, RecursionError) as error:
        raise ValueError("is no JSON") from error
    return parsed if isinstance(parsed, dict) else {}


def _drop(_: str) -> None:
    """Stand for a number, which no source holds, and which may have a million digits."""


def _list_cells(parsed: dict[str, Any]) -> list[dict[str, Any]]:
    """List the cells, which the third version of the format keeps in worksheets."""
    sheets = [parsed, *_filter_dicts(parsed.get("worksheets"))]
    cells = [cell for sheet in sheets for cell in _filter_dicts(sheet.get("cells"))]
    if not cells:
        raise ValueError("has no cells")
    return cells


def _filter_dicts(items: object) -> Iterable[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _read_source(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _is_python(source: str) -> bool:
    words = source.split(maxsplit=1)
    return bool(words) and (not words[0].startswith("%%") or words[0] in _PYTHON_CELLS)
