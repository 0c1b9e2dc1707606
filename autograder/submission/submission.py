"""Submission: turns a folder, a zip or one file into each question's source texts and notes on what is missing.

Everything is read as bytes into memory. Nothing is unpacked, imported, parsed or put on `sys.path`: what comes out
are texts.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.assignment import Assignment, Question, Variant
from autograder.submission import file_tree
from autograder.submission.file_tree import FileTree, SubmissionError, is_answers, is_source, shown
from autograder.submission.folder import Folder, SingleFile
from autograder.submission.imports import Module, modules_below, reachable, shadowing_notes, usable
from autograder.submission.question_files import Found, explain_missing, find, listed
from autograder.submission.source_scan import defined_names, looks_like_python2, notes_about
from autograder.submission.source_text import decode_source
from autograder.submission.zip_archive import Archive, is_archive

__all__ = ["QuestionFiles", "SourceFile", "Submission", "SubmissionError", "open_tree", "read_submission", "read_tree"]

_PACKED = (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")


@dataclass(frozen=True)
class SourceFile:
    """One source file as text. `path`: its place in the submission, safe to show; `module`: its name in imports."""

    path: str
    text: str
    module: str
    is_package: bool = False


@dataclass(frozen=True)
class QuestionFiles:
    """What a submission holds of one question.

    `also`: for a function with `also_in`, the files found of those names. `helpers`: by module name, what `main` and
    `also` may import. `is_ambiguous`: two files claim to be the question's, so neither was taken. `notes`: one line
    each, for the student.
    """

    stem: str
    main: SourceFile | None
    also: Mapping[str, tuple[SourceFile, ...]] = field(default_factory=dict)
    helpers: Mapping[str, SourceFile] = field(default_factory=dict)
    variant: Variant | None = None
    notes: tuple[str, ...] = ()
    is_ambiguous: bool = False

    @property
    def sources(self) -> dict[str, tuple[str, str, bool]]:
        """What a worker loads: by module name the path to show, the text, whether it is a package."""
        files = [*self.helpers.values(), *(file for found in self.also.values() for file in found)]
        if self.main is not None:
            files.append(self.main)
        return {file.module: (file.path, file.text, file.is_package) for file in files}


@dataclass(frozen=True)
class Submission:
    """The questions in the assignment's order. `notes`: one-line messages about the submission as a whole.

    `digest`: SHA-256 of the files used, paths and bytes. `ignored_files`: how many files beside them were not read.
    """

    questions: tuple[QuestionFiles, ...]
    notes: tuple[str, ...]
    digest: str
    ignored_files: int


def read_submission(
    path: Path, assignment: Assignment, only: Sequence[str] | None = None, *, refuse_hard_links: bool = False
) -> Submission:
    """The submission at `path`, with the questions of the stems `only` or all; `SubmissionError` if it cannot be read.

    A question without a file is no error: it is in the result with a note. `refuse_hard_links`: for batches, where a
    second name of a file may be another student's.
    """
    questions = wanted_questions(assignment, only)
    with open_tree(path, refuse_hard_links=refuse_hard_links) as tree:
        return read_tree(tree, questions)


def read_tree(tree: FileTree, questions: Sequence[Question]) -> Submission:
    """As `read_submission`, from a tree that is open already."""
    reader = _Reader(tree)
    found = tuple(_question_files(question, reader) for question in questions)
    is_empty = all(files.main is None for files in found)
    notes = (*tree.listing.notes, *(_notes_on_nothing(tree.listing.paths) if is_empty else ()))
    return Submission(found, notes, reader.digest(), tree.listing.ignored + len(tree.listing.paths) - reader.count)


def wanted_questions(assignment: Assignment, only: Sequence[str] | None) -> tuple[Question, ...]:
    """The questions of the stems `only` or all; `SubmissionError` for a stem that no question has."""
    for stem in only or ():
        if stem not in assignment.stems:
            import difflib  # noqa: PLC0415  (slow to load, and only for this message)

            near = difflib.get_close_matches(stem, assignment.stems, 1)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise SubmissionError(
                f"there is no question {shown(stem)!r}; {meant}the questions are {', '.join(assignment.stems)}"
            )
    return tuple(question for question in assignment.questions if only is None or question.stem in only)


def open_tree(path: Path, *, refuse_hard_links: bool = False) -> Folder | Archive | SingleFile:
    """The files at `path`, of which nothing was read yet; `SubmissionError` where they are none of a submission."""
    place = shown(str(path))
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError) as error:
        problem = "does not exist" if isinstance(error, FileNotFoundError) else "cannot be opened"
        raise SubmissionError(
            f"{place}: {problem}; give the path of a folder, a .zip, a .py or a .toml file"
        ) from error
    if stat.S_ISLNK(mode):
        raise SubmissionError(f"{place}: is a symbolic link; give the path that it leads to")
    if stat.S_ISDIR(mode):
        return Folder(path, is_link_refused=refuse_hard_links)
    if is_source(path.name) or is_answers(path.name):
        return SingleFile(path, is_link_refused=refuse_hard_links)
    if is_archive(path):
        return Archive(path, is_link_refused=refuse_hard_links)
    raise SubmissionError(f"{place}: is not a folder, a .zip, a .py or a .toml file; hand in one of these")


class _Reader:
    """The source files of a tree, each read once, and what they are together."""

    def __init__(self, tree: FileTree) -> None:
        self._tree = tree
        self._read: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._hashes: dict[str, bytes] = {}
        self._bytes = 0
        self.paths = tree.listing.paths
        self.is_one_file = isinstance(tree, SingleFile)
        self.sources = [path for path in self.paths if is_source(path)]
        if len(self.sources) > file_tree.SOURCES:
            found = f"the submission holds {len(self.sources)} Python files"
            raise SubmissionError(f"{found}, more than {file_tree.SOURCES}; hand in your own files only")

    @property
    def count(self) -> int:
        """How many files were read."""
        return len(self._read)

    def text(self, path: str) -> str:
        """The text of a source file."""
        return self._file(path)[0]

    def notes(self, path: str) -> tuple[str, ...]:
        """What is to be said of a source file, each with its path."""
        return tuple(f"{shown(path)} {note}" for note in self._file(path)[1])

    def digest(self) -> str:
        """SHA-256 of the paths and bytes read so far, in the order of the paths."""
        lines = [f"{self._hashes[path].hex()} {path}\0" for path in sorted(self._hashes)]
        return hashlib.sha256("".join(lines).encode(errors="surrogateescape")).hexdigest()

    def _file(self, path: str) -> tuple[str, tuple[str, ...]]:
        if path not in self._read:
            data = self._tree.read(path)
            self._bytes += len(data)
            if self._bytes > file_tree.USED_BYTES:
                limit = file_tree.USED_BYTES >> 20
                raise SubmissionError(f"the Python files are together larger than {limit} MiB; leave data out of them")
            self._hashes[path] = hashlib.sha256(data).digest()
            text, notes = decode_source(data)
            self._read[path] = (text, notes if is_answers(path) else (*notes, *_notes_on_text(text)))
        return self._read[path]


def _notes_on_text(text: str) -> tuple[str, ...]:
    line = looks_like_python2(text)
    if line is None:
        return notes_about(text)
    return (f"is written for Python 2 (line {line}), which is not run here; write it for Python 3", *notes_about(text))


def _question_files(question: Question, reader: _Reader) -> QuestionFiles:
    found = _found(question, reader)
    if found.path is None:
        return QuestionFiles(question.stem, None, notes=found.notes, is_ambiguous=found.is_ambiguous)
    if question.answers:
        return _answer_files(question, found, reader)
    folder = found.path.rpartition("/")[0]
    also, below = _also(question, folder, reader), modules_below(folder, reader.sources)
    roots = dict.fromkeys([found.path, *(path for paths in also.values() for path in paths)])
    helpers = reachable(usable(below), map(reader.text, roots), reader.text)
    used = dict.fromkeys([*roots, *(module.path for module in helpers.values())])
    main = _source(found.path, reader)
    return QuestionFiles(
        question.stem,
        main,
        {name: tuple(_source(path, reader) for path in paths) for name, paths in also.items()},
        {name: _helper(name, module, reader) for name, module in helpers.items() if module.path != found.path},
        _variant(question, main.text),
        (*found.notes, *_notes(used, reader), *shadowing_notes(below, main.text)),
    )


def _answer_files(question: Question, found: Found, reader: _Reader) -> QuestionFiles:
    """A file of answers stands alone; its module is called after the question, whatever the file is called."""
    assert found.path is not None  # noqa: S101  (for the type checker)
    main = SourceFile(shown(found.path), reader.text(found.path), question.stem)
    return QuestionFiles(question.stem, main, notes=(*found.notes, *_notes({found.path: None}, reader)))


def _notes(used: Mapping[str, None], reader: _Reader) -> list[str]:
    """What is to be said of the files in use, of which the first is the question's."""
    main = next(iter(used))
    empty = [] if reader.text(main).strip() else [f"{shown(main)} is empty"]
    return empty + [note for path in used for note in reader.notes(path)]


def _found(question: Question, reader: _Reader) -> Found:
    if question.answers:
        return _found_answers(question, reader)
    found = find(reader.sources, question.files)
    if found.path is not None or found.is_ambiguous:
        return found
    borrowed = find(reader.sources, question.borrowed_files)
    if borrowed.path is not None and defined_names(reader.text(borrowed.path)) & _spellings(question):
        return Found(borrowed.path, (f"{shown(borrowed.path)} was taken, as there is no {question.files[0]}",))
    return Found(None, (explain_missing(reader.paths, question.files),))


def _found_answers(question: Question, reader: _Reader) -> Found:
    """The file of answers; one that was handed in alone may have any name."""
    answers = [path for path in reader.paths if is_answers(path)]
    found = find(answers, question.files)
    if found.path is not None or found.is_ambiguous:
        return found
    if reader.is_one_file and answers:
        return Found(answers[0], (f"{shown(answers[0])} was taken; the name asked for is {question.files[0]}",))
    return Found(None, (explain_missing(reader.paths, question.files),))


def _spellings(question: Question) -> set[str]:
    names = {function.name for function in question.functions}
    return names.union(*(variant.names.values() for variant in question.variants))


def _also(question: Question, folder: str, reader: _Reader) -> dict[str, list[str]]:
    """By function the files that may hold it too; those below the question's own folder are nearest."""
    prefix = folder + "/" if folder else ""
    below = [path for path in reader.sources if path.startswith(prefix)]
    also = {}
    for function in question.functions:
        found = (find(below, [name]).path or find(reader.sources, [name]).path for name in function.also_in)
        also[function.name] = [path for path in found if path is not None]
    return {name: paths for name, paths in also.items() if paths}


def _variant(question: Question, text: str) -> Variant | None:
    """The variant that the file's definitions tell; none where it also defines what the variant renames."""
    if not question.variants:
        return None
    names = defined_names(text)
    told = (each for each in question.variants if names.intersection(each.tells) and not names.intersection(each.names))
    return next(told, None)


def _source(path: str, reader: _Reader) -> SourceFile:
    name = path.rpartition("/")[2][: -len(".py")]
    return _helper(name, Module(path, is_package=False), reader)


def _helper(name: str, module: Module, reader: _Reader) -> SourceFile:
    return SourceFile(shown(module.path), reader.text(module.path), name, module.is_package)


def _notes_on_nothing(paths: Sequence[str]) -> tuple[str, ...]:
    packed = [path for path in paths if path.lower().endswith(_PACKED)]
    if packed:
        return (f"the submission holds {listed(packed)}, which is not opened; unpack it and hand in the files",)
    return () if any(map(is_source, paths)) else ("the submission holds no Python file and no answers",)
