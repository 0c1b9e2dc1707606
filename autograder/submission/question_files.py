"""Question files: finds a question's file among a submission's paths, or explains to the student why none was found.

The file nearest to the top is taken, because students leave older work in folders; among files equally near, the
assignment's order of preference decides; the same name twice at that depth is ambiguous. So `a3/layer.py` beside
`old/q3_layer.py` is taken for its name, and `q3_layer.py` beside `backup/layer.py` for its depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autograder.plain_text import list_some
from autograder.submission.file_tree import clean_path, is_notebook

_SHOWN_PATHS = 3
_NOT_LETTERS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Found:
    """The path taken, None if there is none or several may be meant, and notes for the student.

    `tied`: the paths among which none was taken.
    """

    path: str | None
    notes: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()

    @property
    def candidates(self) -> tuple[str, ...]:
        """The path taken, or those among which none was taken."""
        return self.tied if self.path is None else (self.path,)


def find_file(paths: Sequence[str], names: Sequence[str]) -> Found:
    """Find the path whose file name is in `names`, in order of preference; ignore case if nothing else matches."""
    found = _choose_nearest(paths, {name: rank for rank, name in enumerate(names)}, str)
    if found.candidates:
        return found
    lowered = {name.lower(): rank for rank, name in enumerate(names)}
    found = _choose_nearest(paths, lowered, str.lower)
    if found.path is None:
        return found
    wanted = names[lowered[_get_file_name(found.path).lower()]]
    return Found(found.path, (f"{clean_path(found.path)} was taken; the name asked for is {wanted}", *found.notes))


def explain_missing(paths: Sequence[str], names: Sequence[str]) -> str:
    """Write the note about a question without a file; it names files that may have been meant."""
    note = f"no file of this question was found; looked for {', '.join(names)} in every folder"
    near = [path for path in paths if any(_is_near(_get_file_name(path), name) for name in names)]
    if not near:
        return note
    wanted = names[0] if not all(map(is_notebook, near)) else list_notebook_names(names)[0]
    return f"{note}; found {list_paths(near)}: if that is your answer, rename it to {wanted}"


def list_notebook_names(names: Sequence[str]) -> list[str]:
    """Return the names that a notebook may have in place of these files."""
    return [f"{name.rpartition('.')[0]}.ipynb" for name in names]


def list_paths(paths: Sequence[str]) -> str:
    """Join the first few paths for a message."""
    return list_some([clean_path(path) for path in paths], _SHOWN_PATHS)


def _choose_nearest(paths: Sequence[str], ranks: Mapping[str, int], fold: Callable[[str], str]) -> Found:
    """Choose the path nearest to the top whose folded file name has a rank."""
    named = [(path, fold(_get_file_name(path))) for path in paths]
    candidates = sorted((path.count("/"), ranks[name], path) for path, name in named if name in ranks)
    if not candidates:
        return Found(None)
    depth, rank, path = candidates[0]
    equal = [other for other_depth, other_rank, other in candidates if (other_depth, other_rank) == (depth, rank)]
    if len(equal) > 1:
        return Found(None, (f"more than one file may be meant, {list_paths(equal)}: submit one of them",), tuple(equal))
    others = [other for _, _, other in candidates[1:]]
    return Found(path, (f"{clean_path(path)} was graded; {list_paths(others)} was not",) if others else ())


def _get_file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_near(name: str, wanted: str) -> bool:
    stem, _, endings = name.lower().partition(".")
    letters, meant = _NOT_LETTERS.sub("", stem), _NOT_LETTERS.sub("", wanted.rpartition(".")[0].lower())
    is_text = endings in ("", "ipynb", "txt") or not {"py", "toml"}.isdisjoint(endings.split("."))
    return is_text and (letters.startswith(meant) or letters.endswith(meant))
