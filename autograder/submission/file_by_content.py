"""File by content: finds the file of a question by the functions that it defines, where none has an accepted name."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from autograder.assignment import Question
from autograder.submission.file_tree import clean_path
from autograder.submission.question_files import Found, list_paths
from autograder.submission.source_reader import SourceReader
from autograder.submission.source_scan import find_defined_names

_SCANNED = 200  # files: a submission of thousands, which would all be read


def find_shared_file(question: Question, reader: SourceReader) -> Found:
    """Find the file that may hold the functions of any question, if it defines one of this question."""
    found = reader.find_source(question.shared_files)
    if found.path is None or _count_defined(question, find_defined_names(reader.read_text(found.path))):
        return found
    return Found(None)


def find_by_content(question: Question, reader: SourceReader) -> Found:
    """Find the one file of any name that defines more than half of the functions; no module of starter code counts."""
    wanted = len(_list_tops(question, {}))
    starters = reader.assignment.starter_modules
    paths = [path for path in reader.sources if not _is_starter(path, starters)]
    nearest = sorted(paths, key=lambda path: (path.count("/"), path))[:_SCANNED]
    counts = {path: _count_defined(question, reader.find_names(path)) for path in nearest}
    fitting = [path for path, count in counts.items() if 2 * count > wanted]
    if len(fitting) == 1:
        (path,) = fitting
        functions = f"{counts[path]} of the {wanted} functions" if wanted > 1 else "the function"
        note = f"{clean_path(path)} was taken, as it defines {functions}; the name asked for is {question.files[0]}"
        return Found(path, (note,))
    if not fitting:
        return Found(None)
    return Found(None, (f"{list_paths(fitting)} define functions of this question: name one {question.files[0]}",))


def _count_defined(question: Question, defined: frozenset[str]) -> int:
    """Count the functions that a file defines, by the names of one year."""
    spellings = [{}, *(variant.names for variant in question.variants)]
    return max(len(_list_tops(question, names) & defined) for names in spellings)


def _list_tops(question: Question, names: Mapping[str, str]) -> set[str]:
    tops = {function.name.partition(".")[0] for function in question.functions}
    return {names.get(name, name) for name in tops}


def _is_starter(path: str, starters: Collection[str]) -> bool:
    """Whether a module of starter code has that name, or is in a package of that name."""
    *folders, name = path[: -len(".py")].split("/")
    modules = {each.rpartition(".")[2] for each in starters}
    packages = {each.partition(".")[0] for each in starters if "." in each}
    return name in modules or not packages.isdisjoint(folders)
