"""Source text: turns the bytes of a Python file or notebook into text as Python would read it, with notes on oddities.

A notebook is untrusted JSON: it is parsed as data, with plain types only, up to the size of a file of that kind. Lines
that only a notebook runs, such as `%matplotlib inline`, stay; the worker leaves them out where Python cannot read them.
The notes on encodings, one for each file and question, are merged into one line for a submission.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from autograder.submission.file_tree import list_paths

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# The declaration of PEP 263 is searched in the first two lines only, up to this many bytes.
_HEAD_BYTES = 1000
_READ_AS_LATIN_1 = "it was read as Latin-1: save it as UTF-8"  # how the note on such a file ends
_BLANK_OR_COMMENT = re.compile(rb"[ \t\f]*(?:#[^\n]*)?\Z")
_DECLARATION = re.compile(rb"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
# Only text encodings: some of Python's codecs decompress, or take quadratic time.
_ENCODINGS = re.compile(
    r"(?:utf-?8|ascii|us-ascii|latin-?1|iso-?8859-?\d{1,2}|(?:cp|windows-?)\d{3,4}|gbk|gb2312|gb18030|big5|shift-?jis"
    r"|euc-?(?:jp|kr)|koi8-?[ru]|utf-?8-sig)\Z"
)
# Cells that begin with one of these magics hold Python; those of all others hold another language, or files.
_PYTHON_CELLS = frozenset({"%%time", "%%timeit", "%%capture", "%%prun"})


def decode_source(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text of a source file with newlines as line ends, and notes for the student; any bytes are accepted.

    The encoding is that of the byte order mark, else the declared encoding, else UTF-8, else Latin-1, which fits any
    bytes.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], encoding)
    return _decode(data, _read_declared_encoding(data))


def merge_encoding_notes(notes: Sequence[Sequence[str]]) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Return the notes of each question without those on encodings, and one note on all of these files.

    A note that stands at one question alone stays there.
    """
    found = [note for each in notes for note in each if note.endswith(_READ_AS_LATIN_1)]
    if len(found) < 2:
        return [tuple(each) for each in notes], ()
    paths = list(dict.fromkeys(note.rpartition(" is not ")[0] for note in found))
    line = f"{len(paths)} files are not UTF-8 text and were read as Latin-1: {list_paths(paths)}; save them as UTF-8"
    if len(paths) == 1:
        line = f"{paths[0]} is not UTF-8 text; {_READ_AS_LATIN_1}"
    others = []
    for each in notes:
        others.append(tuple(note for note in each if note not in found))
    return others, (line,)


def _decode(data: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    notes: tuple[str, ...] = ()
    if encoding.startswith("utf-16"):
        notes = ("is saved as UTF-16, which Python does not read; save it as UTF-8",)
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        text, notes = _decode_by_guess(data, encoding)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        notes += (f"holds a NUL character in line {line}, which Python does not accept",)
    return text, notes


def _decode_by_guess(data: bytes, refused: str) -> tuple[str, tuple[str, ...]]:
    try:
        return data.decode(), (f"is not {refused} text as it says; it was read as UTF-8",)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"is not {refused} text (line {line}); {_READ_AS_LATIN_1}"
        return data.decode("latin-1"), (problem,)


def _read_declared_encoding(data: bytes) -> str:
    for line in data[:_HEAD_BYTES].splitlines()[:2]:
        found = _DECLARATION.match(line)
        if found:
            name = found.group(1).decode("ascii", "replace").lower().replace("_", "-")
            return name if _ENCODINGS.match(name) else "utf-8"
        if not _BLANK_OR_COMMENT.match(line):
            break
    return "utf-8"


class Notebook(NamedTuple):
    """The source of a notebook's code cells, and their number. `magics`: how other cells begin, as in %%writefile."""

    source: str
    cells: int
    magics: tuple[str, ...]


def convert_notebook(text: str) -> Notebook:
    """Return the source of a notebook; ValueError for anything else."""
    sources = [_read_source(cell) for cell in _list_cells(_parse(text)) if cell.get("cell_type") == "code"]
    words = [(source.split(maxsplit=1)[0], source) for source in sources if source.strip()]
    kept = [source for word, source in words if not _is_foreign(word)]
    magics = dict.fromkeys(word for word, _ in words if _is_foreign(word))
    parts = [f"# code cell {number}\n{source}\n" for number, source in enumerate(kept, 1)]
    return Notebook("\n".join(parts), len(kept), tuple(magics))


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


def _is_foreign(word: str) -> bool:
    """Whether a cell that begins with this word is no Python."""
    return word.startswith("%%") and word not in _PYTHON_CELLS
