"""Question finder: which of a submission's paths is a question's file, and what to tell the student where none is.

The file nearest to the top is taken, as a student's hand-in has its own work there and older work in folders; among
files equally near, the assignment's order of preference decides; the same name twice at that depth is left undecided.
So `a3/word2vec.py` beside `old/q3_word2vec.py` is taken for its name, and `q3_word2vec.py` beside
`backup/word2vec.py` for its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.submission.file_tree import clean_path

_SHOWN_PATHS = 3
_NOT_LETTERS = re.compile(r"[^a-z0-9]+")

_Candidate = tuple[int, int, str]  # depth, place in the order of preference, path


@dataclass(frozen=True)
class Found:
    """The path taken, None where there is none or `is_ambiguous`, and notes for the student."""

    path: str | None
    notes: tuple[str, ...] = ()
    is_ambiguous: bool = False


def find_file(paths: Sequence[str], names: Sequence[str]) -> Found:
    """The path whose file name is one of `names`, in order of preference; in another case if nothing else is found."""
    found = _choose_nearest(_find_candidates(paths, {name: place for place, name in enumerate(names)}))
    if found.path is not None or found.is_ambiguous:
        return found
    lowered = {name.lower(): place for place, name in enumerate(names)}
    found = _choose_nearest([each for path in paths for each in _find_candidates([path.lower()], lowered, real=path)])
    if found.path is None:
        return found
    wanted = names[lowered[_get_file_name(found.path).lower()]]
    return Found(found.path, (f"{clean_path(found.path)} was taken; the name asked for is {wanted}", *found.notes))


def explain_missing(paths: Sequence[str], names: Sequence[str]) -> str:
    """The note about a question without a file, with files that look as if they were meant."""
    note = f"no file of this question was found; looked for {', '.join(names)} in every folder"
    near = [path for path in paths if any(_is_near(_get_file_name(path), name) for name in names)]
    if not near:
        return note
    return f"{note}; found {list_paths(near)}: if that is your answer, rename it to {names[0]}"


def list_paths(paths: Sequence[str]) -> str:
    """The first few paths in words."""
    first = [clean_path(path) for path in paths[:_SHOWN_PATHS]]
    rest = len(paths) - len(first)
    return ", ".join(first) + (f" and {rest} more" if rest else "")


def _find_candidates(paths: Sequence[str], places: dict[str, int], real: str = "") -> list[_Candidate]:
    return [
        (path.count("/"), places[_get_file_name(path)], real or path)
        for path in paths
        if _get_file_name(path) in places
    ]


def _choose_nearest(candidates: list[_Candidate]) -> Found:
    if not candidates:
        return Found(None)
    candidates.sort()
    depth, place, path = candidates[0]
    equal = [other for other_depth, other_place, other in candidates if (other_depth, other_place) == (depth, place)]
    if len(equal) > 1:
        return Found(
            None, (f"more than one file may be meant, {list_paths(equal)}: submit one of them",), is_ambiguous=True
        )
    others = [other for _, _, other in candidates[1:]]
    return Found(path, (f"{clean_path(path)} was graded; {list_paths(others)} was not",) if others else ())


def _get_file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_near(name: str, wanted: str) -> bool:
    stem, _, endings = name.lower().partition(".")
    letters, meant = _NOT_LETTERS.sub("", stem), _NOT_LETTERS.sub("", wanted.rpartition(".")[0].lower())
    is_text = endings in ("", "ipynb", "txt") or not {"py", "toml"}.isdisjoint(endings.split("."))
    return is_text and (letters.startswith(meant) or letters.endswith(meant))
