"""Question files: finds the files of a question in a submission, or explains to the student why none was found.

The file nearest to the top is taken, because students leave older work in folders; among files equally near, the
assignment's order of preference decides; the same name twice at that depth is ambiguous. So `a3/layer.py` beside
`old/q3_layer.py` is taken for its name, and `q3_layer.py` beside `backup/layer.py` for its depth. Where no file has an
accepted name, the functions that a file defines decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.assignment import Question
from autograder.submission.file_tree import clean_path, is_answers, is_notebook, list_paths, shorten_notes
from autograder.submission.source_reader import SourceReader

_NOT_LETTERS = re.compile(r"[^a-z0-9]+")
_SCANNED = 200  # files: a submission of thousands, which would all be read


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


def find_main(question: Question, reader: SourceReader) -> Found:
    """Find the file of a question."""
    if question.answers:
        return _find_answers(question, reader)
    found = _find_source(question.files, reader)
    if found.candidates:
        return found
    borrowed = _find_file(reader.sources, question.borrowed_files, reader)
    if borrowed.path is not None and _count_defined(question, borrowed.path, reader):
        return Found(
            borrowed.path, (f"{clean_path(borrowed.path)} was graded, because there is no {question.files[0]}",)
        )
    notes = found.notes
    for find in (_find_shared_file, _find_by_content):
        other = find(question, reader)
        notes += other.notes
        if other.candidates:
            return replace(other, notes=notes)
    return Found(None, (*notes, _explain_missing(reader.paths, question.files)))


def find_also(question: Question, folder: str, reader: SourceReader) -> dict[str, list[str]]:
    """Find by function the other files that may hold it, preferring those below the question's own folder."""
    prefix = folder + "/" if folder else ""
    below = [path for path in reader.sources if path.startswith(prefix)]
    also = {}
    for function in question.functions:
        found = []
        for name in function.also_in:
            path = _find_file(below, [name], reader).path
            found.append(path or _find_file(reader.sources, [name], reader).path)
        also[function.name] = [path for path in found if path is not None]
    return {name: paths for name, paths in also.items() if paths}


def _find_answers(question: Question, reader: SourceReader) -> Found:
    """Find the answer file; a file submitted alone may have any name."""
    answers = [path for path in reader.paths if is_answers(path)]
    found = _find_file(answers, question.files, reader)
    if found.candidates:
        return found
    if reader.is_one_file and answers:
        return Found(answers[0], (f"{clean_path(answers[0])} was graded; its name should be {question.files[0]}",))
    return Found(None, (*found.notes, _explain_missing(reader.paths, question.files)))


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
    obsolete = [path for path in paths[:_SCANNED] if len(paths) > 1 and reader.is_obsolete(path)]
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
    """Find the path whose file name is in `names`, in order of preference; ignore case if nothing else matches."""
    found = _choose_nearest(paths, {name: rank for rank, name in enumerate(names)}, str)
    if found.candidates:
        return found
    lowered = {name.lower(): rank for rank, name in enumerate(names)}
    found = _choose_nearest(paths, lowered, str.lower)
    if found.path is None:
        return found
    wanted = names[lowered[_get_file_name(found.path).lower()]]
    return Found(found.path, (f"{clean_path(found.path)} was graded; its name should be {wanted}", *found.notes))


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


def _explain_missing(paths: Sequence[str], names: Sequence[str]) -> str:
    """Write the note about a question without a file; it names files that may have been meant."""
    note = f"no file of this question was found; looked for {', '.join(names)} in every folder"
    near = []
    for path in paths:
        if any(_is_near(_get_file_name(path), name) for name in names):
            near.append(path)
    if not near:
        return note
    wanted = names[0] if not all(map(is_notebook, near)) else _list_notebook_names(names)[0]
    return f"{note}; found {list_paths(near)}: if that is your answer, rename it to {wanted}"


def _list_notebook_names(names: Sequence[str]) -> list[str]:
    """Return the names that a notebook may have in place of these files."""
    return [f"{name.rpartition('.')[0]}.ipynb" for name in names]


def _get_file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_near(name: str, wanted: str) -> bool:
    stem, _, endings = name.lower().partition(".")
    letters, meant = _NOT_LETTERS.sub("", stem), _NOT_LETTERS.sub("", wanted.rpartition(".")[0].lower())
    is_text = endings in ("", "ipynb", "txt") or not {"py", "toml"}.isdisjoint(endings.split("."))
    return is_text and (letters.startswith(meant) or letters.endswith(meant))


def _find_shared_file(question: Question, reader: SourceReader) -> Found:
    """Find the file that may hold the functions of any question, if it defines one of this question."""
    found = _find_source(question.shared_files, reader)
    return found if found.path is None or _count_defined(question, found.path, reader) else Found(None)


def _find_by_content(question: Question, reader: SourceReader) -> Found:
    """Find the one file of any name that defines more than half of the functions; no module of starter code counts.

    A notebook counts where no other file does, and one that only Python 2 loads where no notebook does either.
    """
    wanted = len(_list_tops(question, {}))
    starters = reader.assignment.starter_modules
    paths = [path for path in (*reader.sources, *reader.notebooks) if not _is_starter(path, starters)]
    nearest = sorted(paths, key=lambda path: (path.count("/"), path))[:_SCANNED]
    counts = {path: _count_defined(question, path, reader) for path in nearest}
    ranked: dict[tuple[bool, bool], list[str]] = {}
    for path, count in counts.items():
        if 2 * count > wanted:
            ranked.setdefault((reader.is_obsolete(path), is_notebook(path)), []).append(path)
    fitting = ranked[min(ranked)] if ranked else []
    if len(fitting) == 1 and reader.is_readable(fitting[0]):
        (path,) = fitting
        functions = f"{counts[path]} of the {wanted} functions" if wanted > 1 else "the function"
        note = f"{clean_path(path)} was graded, because it defines {functions}; its name should be {question.files[0]}"
        return Found(path, (note,))
    if not fitting:
        return Found(None)
    several = f"{list_paths(fitting)} define functions of this question: name one {question.files[0]}"
    problems = reader.describe_problems(fitting)
    return Found(None, problems or (several,))


def _count_defined(question: Question, path: str, reader: SourceReader) -> int:
    """Count the functions that a file defines, by the names of one year."""
    defined = reader.find_names(path)
    spellings = [{}, *(variant.names for variant in question.variants)]
    return max(len(_list_tops(question, names) & defined) for names in spellings)


def _list_tops(question: Question, names: Mapping[str, str]) -> set[str]:
    tops = {function.name.partition(".")[0] for function in question.functions}
    return {names.get(name, name) for name in tops}


def _is_starter(path: str, starters: Collection[str]) -> bool:
    """Whether a module of starter code has that name, or is in a package of that name."""
    *folders, name = path.rpartition(".")[0].split("/")
    modules = {each.rpartition(".")[2] for each in starters}
    packages = {each.partition(".")[0] for each in starters if "." in each}
    return name in modules or not packages.isdisjoint(folders)
