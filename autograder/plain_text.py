"""Plain text: turns untrusted text into text that is safe to show on a terminal, in JSON and on a web page.

File names, printed output and exception messages come from students. Escaped are control characters (a terminal obeys
them), lone surrogates (invalid in JSON written as UTF-8), and characters that reorder or hide the text around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

CUT = " [... cut ...] "
# C0 except newline and tab, DEL, C1; direction marks, line separators, BOM, marks of annotations, what XML refuses;
# lone surrogates; characters without a width: soft hyphen, joiners, fillers, variation selectors, tags.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_DIGITS = re.compile("([0-9]+)")
_LINE_BREAKS = {"\n": "\\n", "\t": "\\t"}


def clean(text: str, limit: int) -> str:
    """Escape unsafe characters, and replace the middle by a marker if the text is longer than `limit`.

    Newlines and tabs stay; CRLF becomes a newline. The work is bounded by `limit`, not by the length of the text.
    """
    half = max(0, limit - len(CUT)) // 2
    if len(text) <= limit:
        text = _escape_text(text)
        if len(text) <= limit:
            return text
    if not half:
        return _escape_text(text[:limit])[:limit]
    start, end = _escape_text(text[:half]), _escape_text(text[-half:])
    return start[:half] + CUT + end[-half:]


def clean_line(text: str, limit: int) -> str:
    """Clean a text to one line, like `clean`: newlines and tabs are escaped too."""
    shown = clean(text, limit)
    for character, escape in _LINE_BREAKS.items():
        shown = shown.replace(character, escape)
    return shown[:limit]


def count(number: float, what: str) -> str:
    """Return a number of things in words, such as "2 tests" or "1 test"."""
    return f"{number:g} {what}" if number == 1 else f"{number:g} {what}s"


def join_words(words: Sequence[str]) -> str:
    """Join words by commas, and the last by "and"."""
    first = ", ".join(words[:-1])
    return f"{first} and {words[-1]}" if first else words[-1]


def list_some(names: Sequence[str], most: int) -> str:
    """Join the first names by commas, and count the others."""
    left = len(names) - most
    return ", ".join(names[:most]) + (f" and {left} more" if left > 0 else "")


def find_near(word: str, names: Iterable[str], likeness: float = 0.6) -> str:
    """Find the name that may be meant by a misspelt word; empty if there is none. `likeness`: 1 for equal ones."""
    import difflib  # noqa: PLC0415  (slow to load, and only for messages)

    near = difflib.get_close_matches(word, list(names), 1, likeness)
    return near[0] if near else ""


def cut_lines(lines: Sequence[str], most: int, rest: str) -> list[str]:
    """Return the first lines, and after them `rest`, with the number of the others in place of {}."""
    left = len(lines) - most
    return [*lines[:most], rest.format(left)] if left > 0 else list(lines)


def order_naturally(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers in a text by their size: 5.9 before 5.10."""
    key = []
    for part in _DIGITS.split(text):
        key.append((1, int(part), "") if part.isdecimal() else (0, 0, part))
    return tuple(key)


def _escape_text(text: str) -> str:
    return _UNSAFE.sub(_escape, text.replace("\r\n", "\n"))


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
