"""Question files: finds the files of a question in a submission, or explains to the student why none was found.

The file nearest to the top is taken, because students leave older work in folders; among files equally near, the
assignment's order of preference decides; the same name twice at that depth is ambiguous. So `a3/layer.py` next to
`old/q3_layer.py` is taken for its name, and `q3_layer.py` next to `backup/layer.py` for its depth. Where no file has an
accepted name, the functions that a file defines decide.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from autograder.assignment import Question
from autograder.submission.file_tree import clean_path, is_answers, is_notebook, list_paths, shorten_notes
from autograder.submission.source_reader import SourceReader

_NOT_LETTERS = re.compile(r"[^a-z0-9]+")
_PART_LETTERS = 4  # of a name that is cut short, as answers.toml
_SCANNED = 200  # files: a submission of thousands, which would all be read


@dataclass(frozen=True)
class Found:
    """The path taken, or several that may be meant, of which none is taken; and notes for the student."""

    candidates: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def path(self) -> str | None:
        """The path taken; None if there is none."""
        return self.candidates[0] if len(self.candidates) == 1 else None


def find_main(question: Question, reader: SourceReader) -> Found:
    """Find the file of a question."""
    ways = (_find_own_file, _find_borrowed_file, _find_shared_file, _find_by_content)
    notes: tuple[str, ...] = ()
    for find in (_find_answers,) if question.answers else ways:
        found = find(question, reader)
        notes += found.notes
        if found.candidates:
            return replace(found, notes=notes)
    return Found((), (*notes, _explain_missing(reader.paths, question.files)))


def find_also(question: Question, folder: str, reader: SourceReader) -> dict[str, list[str]]:
    """Find by function the other files that may hold it, preferring those below the question's own folder."""
    prefix = folder + "/" if folder else ""
    below = [path for path in reader.sources if path.startswith(prefix)]
    also: dict[str, list[str]] = {}
    for function in question.functions:
        for name in function.also_in:
            path = _find_file(below, [name], reader).path
            if path is None:
                path = _find_file(reader.sources, [name], reader).path
            if path is not None:
                also.setdefault(function.name, []).append(path)
    return also


def _find_answers(question: Question, reader: SourceReader) -> Found:
    """Find the answer file; a file submitted alone may have any name."""
    answers = [path for path in reader.paths if is_answers(path)]
    found = _find_file(answers, question.files, reader)
    if found.candidates or not reader.is_one_file or not answers:
        return found
    path = answers[0]
    note = f"{clean_path(path)} was graded; its name should be {question.files[0]}"
    return Found((path,), (note,))


def _find_own_file(question: Question, reader: SourceReader) -> Found:
    return _find_source(question.files, reader)


def _find_borrowed_file(question: Question, reader: SourceReader) -> Found:
    path = _find_file(reader.sources, question.borrowed_files, reader).path
    if path is None or not _count_defined(question, path, reader):
        return Found()
    return Found((path,), (f"{clean_path(path)} was graded, because there is no {question.files[0]}",))


def _find_source(names: Sequence[str], reader: SourceReader) -> Found:
    """Find a Python file of one of these names, or else a notebook."""
    found = _find_file(reader.sources, names, reader)
    if found.candidates:
        return found
    notebook = _find_file(reader.notebooks, _list_notebook_names(names), reader)
    return replace(notebook, notes=(*found.notes, *notebook.notes))


def _find_file(paths: Sequence[str], names: Sequence[str], reader: SourceReader) -> Found:
    """Find a file by its name, as if those that cannot be read were missing; its notes name them.

    One that only Python 2 loads is taken where there is no other.
    """
    problems: list[str] = []
    accepted = {name.lower() for name in names}
    paths = [path for path in paths if _get_file_name(path).lower() in accepted]
    if len(paths) > 1:
        obsolete = list(filter(reader.is_obsolete, paths[:_SCANNED]))
        if len(obsolete) < len(paths):
            paths = [path for path in paths if path not in obsolete]
            problems += [f"{clean_path(path)} is written for Python 2 and was not graded" for path in obsolete]
    while True:
        found = _find_by_name(paths, names)
        unreadable = [path for path in found.candidates if not reader.is_readable(path)]
        if not unreadable:
            return replace(found, notes=(*shorten_notes(problems), *found.notes))
        problems += [reader.problems[path] for path in unreadable]
        paths = [path for path in paths if path not in unreadable]


def _find_by_name(paths: Sequence[str], names: Sequence[str]) -> Found:
    """Find the nearest path whose file name is in `names`, in order of preference; with other case if there is none."""
    lowered = [name.lower() for name in names]
    ranked = []
    for path in paths:
        name = _get_file_name(path)
        if name.lower() in lowered:
            rank = lowered.index(name.lower())
            ranked.append((name not in names, path.count("/"), rank, path))
    if not ranked:
        return Found()
    ranked.sort()
    has_other_case, _, rank, path = ranked[0]
    equal = [each[-1] for each in ranked if each[:-1] == ranked[0][:-1]]
    if len(equal) > 1:
        note = f"more than one file may be meant, {list_paths(equal)}: submit one of them"
        return Found(tuple(equal), (note,))
    notes = [f"{clean_path(path)} was graded; its name should be {names[rank]}"] if has_other_case else []
    others = [each[-1] for each in ranked[1:] if each[0] == has_other_case]
    if others:
        notes.append(f"{clean_path(path)} was graded; {list_paths(others)} was not")
    return Found((path,), tuple(notes))


def _explain_missing(paths: Sequence[str], names: Sequence[str]) -> str:
    """Write the note about a question without a file; it names files that may have been meant."""
    note = f"no file of this question was found; looked for {', '.join(names)} in every folder"
    near = [path for path in paths if any(map(partial(_is_near, path), names))]
    if not near:
        return note
    are_notebooks = all(map(is_notebook, near))
    wanted = _list_notebook_names(names)[0] if are_notebooks else names[0]
    return f"{note}; found {list_paths(near)}: if that is your answer, rename it to {wanted}"


def _list_notebook_names(names: Sequence[str]) -> list[str]:
    """Return the names that a notebook may have in place of these files."""
    return [f"{name.rpartition('.')[0]}.ipynb" for name in names]


def _get_file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_near(path: str, wanted: str) -> bool:
    stem, _, endings = _get_file_name(path).lower().partition(".")
    letters = _NOT_LETTERS.sub("", stem)
    meant = _NOT_LETTERS.sub("", wanted.rpartition(".")[0].lower())
    is_text = endings in ("", "ipynb", "txt") or not {"py", "toml"}.isdisjoint(endings.split("."))
    has_name = letters.startswith(meant) or letters.endswith(meant)
    is_part = len(letters) >= _PART_LETTERS and (meant.startswith(letters) or meant.endswith(letters))
    return is_text and (has_name or is_part)


def _find_shared_file(question: Question, reader: SourceReader) -> Found:
    """Find the file that may hold the functions of any question, if it defines one of this question."""
    found = _find_source(question.shared_files, reader)
    is_other = found.path is not None and not _count_defined(question, found.path, reader)
    return Found() if is_other else found


def _find_by_content(question: Question, reader: SourceReader) -> Found:
    """Find the one file of any name that defines more than half of the functions; no module of starter code counts.

    A notebook counts where no other file does, and one that only Python 2 loads where no notebook does either.
    """
    wanted = len(_list_tops(question))
    starters = reader.assignment.starter_modules
    paths = [path for path in reader.sources + reader.notebooks if not _is_starter(path, starters)]
    paths.sort(key=lambda path: (path.count("/"), path))
    ranked: dict[tuple[bool, bool], list[str]] = {}
    for path in paths[:_SCANNED]:
        if 2 * _count_defined(question, path, reader) > wanted:
            rank = (reader.is_obsolete(path), is_notebook(path))
            ranked.setdefault(rank, []).append(path)
    fitting = ranked[min(ranked)] if ranked else []
    if len(fitting) == 1 and reader.is_readable(fitting[0]):
        (path,) = fitting
        count = _count_defined(question, path, reader)
        functions = f"{count} of the {wanted} functions" if wanted > 1 else "the function"
        note = f"{clean_path(path)} was graded, because it defines {functions}; its name should be {question.files[0]}"
        return Found((path,), (note,))
    if not fitting:
        return Found()
    several = f"{list_paths(fitting)} define functions of this question: name one {question.files[0]}"
    return Found((), reader.describe_problems(fitting) or (several,))


def _count_defined(question: Question, path: str, reader: SourceReader) -> int:
    """Count the functions that a file defines, by the names of one year."""
    defined = reader.find_names(path)
    wanted = _list_tops(question)
    counts = [len(wanted & defined)]
    for variant in question.variants:
        counts.append(sum(variant.names.get(name, name) in defined for name in wanted))
    return max(counts)


def _list_tops(question: Question) -> set[str]:
    return {function.name.partition(".")[0] for function in question.functions}


def _is_starter(path: str, starters: Collection[str]) -> bool:
    """Whether a module of starter code has that name, or is in a package of that name."""
    *folders, name = path.rpartition(".")[0].split("/")
    for starter in starters:
        package, dot, _ = starter.partition(".")
        if name == starter.rpartition(".")[2] or (dot and package in folders):
            return True
    return False
