"""Price reasons: turns `tests/mistakes/prices.toml` into the reasons why mistakes cost other shares than they should.

Each section is a question's id, each key in it the id of one of its mistakes, each value a text.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from autograder import UserError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class PriceReasonsError(UserError):
    """The file cannot be used; the text names it, what was found there, and what is allowed."""


def read_sections(path: Path, stems: Sequence[str]) -> dict[str, dict[str, str]]:
    """Read the reasons by question and mistake; none if there is no file, PriceReasonsError for an unknown question."""
    try:
        sections = tomllib.loads(path.read_bytes().decode()) if path.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PriceReasonsError(f"{path}: is not valid TOML: {error}") from error
    for stem, section in sections.items():
        if stem not in stems:
            found = f"[{stem}] is no question" if isinstance(section, dict) else f"{stem!r} is in no section"
            raise PriceReasonsError(f"{path}: {found}; a section is one of {', '.join(stems)}")
        _require_texts(path, stem, section)
    return sections


def require_mistakes(path: Path, stem: str, found: Collection[str], ids: Sequence[str]) -> None:
    """Raise PriceReasonsError if a section names a mistake that the question does not have."""
    for name in found:
        if name not in ids:
            allowed = f"its mistakes are {', '.join(ids)}" if ids else "it has no mistakes"
            raise PriceReasonsError(f"{path}: [{stem}] has {name!r}, which is no mistake of the question; {allowed}")


def _require_texts(path: Path, stem: str, section: Any) -> None:
    if not isinstance(section, dict):
        raise PriceReasonsError(f"{path}: {stem!r} is {section!r}; write a section [{stem}] with a text for a mistake")
    for name, reason in section.items():
        if not isinstance(reason, str) or not reason.strip():
            raise PriceReasonsError(f"{path}: [{stem}] {name} is {reason!r}; write the reason as a text")
