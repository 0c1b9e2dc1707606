"""Question finder: which of a submission's paths is a question's file, and what to tell the student where none is.

The file nearest to the top is taken, as a student's hand-in has its own work there and older work in folders; among files equally
near, the assignment's order of preference decides; the same name twice at that depth is left undecided. So `a3/word2vec.py` beside
`old/q3_word2vec.py` is taken for its name, and `q3_word2vec.py` beside `backup/word2vec.py` for its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.file_tree import shown

_SHOWN_PATHS = 3
_NOT_LETTERS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Found:
    """The path taken, None where there is none or `is_ambiguous`, and notes for the student."""

    path: str | None
    notes: tuple[str, ...] = ()
    is_ambiguous: bool = False


def find(paths: Sequence[str], names: Sequence[str]) -> Found:
    """The path whose file name is one of `names`, which are in order of preference; another case counts where nothing else is found."""
    exact = _candidates(paths, {name: place for place, name in enumerate(names)})
    if exact:
        return _nearest(exact)
    lowered = {name.lower(): place for place, name in enumerate(names)}
    found = _nearest(_candidates([path.lower() for path in paths], lowered)) if paths else Found(None)
    return _in_other_case(found, paths, names)


def explain_missing(paths: Sequence[str], names: Sequence[str]) -> str:
    """The note about a question without a file, with files that look as if they were meant."""
    close = [path for path in paths if any(_is_near(path, name) for name in names)]
    note = f"no file of this question was found; looked for {', '.join(names)} in every folder"
    if not close:
        return note
    return f"{note}; found {_listed(close)}: if that is your answer, rename it to {names[0]}"


def _candidates(paths: Sequence[str], places: dict[str, int]) -> list[tuple[int, int, str]]:
    return sorted((path.count("/"), places[name], path) for path in paths if (name := _name(path)) in places)


def _nearest(candidates: list[tuple[int, int, str]]) -> Found:
    if not candidates:
        return Found(None)
    depth, place, path = candidates[0]
    equal = [other for other_depth, other_place, other in candidates if (other_depth, other_place) == (depth, place)]
    if len(equal) > 1:
        return Found(None, (f"two files may be meant, {_listed(equal)}: hand in one of them",), is_ambiguous=True)
    others = [other for _, _, other in candidates[1:]]
    return Found(path, (f"{shown(path)} was graded, {_listed(others)} was not",) if others else ())
