"""Source text: turns the bytes of a Python file, from any editor, into the text that Python would read."""

from __future__ import annotations

import codecs
import re

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# The declaration of PEP 263 is searched in the first two lines only, up to this many bytes.
_HEAD_BYTES = 1000
_DECLARATION = re.compile(rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))??[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
# Only text encodings: some of Python's codecs decompress, or take quadratic time.
_ENCODINGS = re.compile(
    r"(?:utf-?8|ascii|us-ascii|latin-?1|iso-?8859-?\d{1,2}|(?:cp|windows-?)\d{3,4}|gbk|gb2312|gb18030|big5|shift-?jis"
    r"|euc-?(?:jp|kr)|koi8-?[ru]|utf-?8-sig)\Z"
)


def decode_source(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text of a source file with newlines as line ends, and notes for the student; any bytes are accepted.

    The encoding is given by the byte order mark, else the declared encoding, else UTF-8, else Latin-1, which fits any
    bytes.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], encoding)
    return _decode(data, _read_declared_encoding(data))


def _decode(data: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    notes: tuple[str, ...] = ()
    if encoding.startswith("utf-16"):
        notes = ("is saved as UTF-16, which Python does not read; save it as UTF-8",)
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        text, notes = _decode_by_guess(data, encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def _decode_by_guess(data: bytes, refused: str) -> tuple[str, tuple[str, ...]]:
    try:
        return data.decode(), (f"is not {refused} text as it says; it was read as UTF-8",)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        note = f"is not {refused} text (line {line}); it was read as Latin-1: save it as UTF-8"
        return data.decode("latin-1"), (note,)


def _read_declared_encoding(data: bytes) -> str:
    found = _DECLARATION.match(data[:_HEAD_BYTES])
    declared = found.group(1).decode("ascii", "replace") if found else ""
    name = declared.lower().replace("_", "-")
    return name if _ENCODINGS.match(name) else "utf-8"
