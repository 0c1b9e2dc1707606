"""Submission: turns a folder, a zip or a single file into each question's source texts, with notes on missing files.

Files are read as bytes into memory. Nothing is unpacked to disk, imported, parsed or put on `sys.path`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.assignment import Assignment, Question, Variant
from autograder.plain_text import find_near
from autograder.submission.file_tree import (
    FileTree,
    OpenTree,
    SubmissionError,
    clean_path,
    is_notebook,
    is_read,
    is_source,
    list_paths,
    open_file,
    open_folder,
)
from autograder.submission.imports import (
    describe_shadowed,
    drop_standard_names,
    find_importable,
    find_modules,
    find_reachable,
    is_package,
)
from autograder.submission.question_files import find_also, find_main
from autograder.submission.source_reader import SourceReader
from autograder.submission.source_scan import find_defined_names
from autograder.submission.zip_archive import is_archive, open_archive

_PACKED = (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")


@dataclass(frozen=True)
class SourceFile:
    """A source file as text. `path`: its path in the submission, safe to show; `module`: its name in imports."""

    path: str
    text: str
    module: str
    is_package: bool = False


@dataclass(frozen=True)
class QuestionFiles:
    """The files of one question in a submission.

    `also`: for a function with `also_in`, the files found of those names. `helpers`: by module name, the modules that
    `main` and `also` may import. `notes`: one line each, for the student.
    """

    question_id: str
    main: SourceFile | None
    also: Mapping[str, tuple[SourceFile, ...]] = field(default_factory=dict)
    helpers: Mapping[str, SourceFile] = field(default_factory=dict)
    variant: Variant | None = None
    notes: tuple[str, ...] = ()

    @property
    def sources(self) -> dict[str, tuple[str, str, bool]]:
        """The modules for a worker, by name: the path to show, the text, and whether it is a package."""
        files = list(self.helpers.values())
        for found in self.also.values():
            files += found
        if self.main is not None:
            files.append(self.main)
        return {file.module: (file.path, file.text, file.is_package) for file in files}


@dataclass(frozen=True)
class Submission:
    """The questions in the assignment's order. `notes`: one-line messages about the submission as a whole."""

    questions: tuple[QuestionFiles, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def build(cls, assignment: Assignment, texts: Mapping[str, str]) -> Submission:
        """Build a submission of these texts by question id, each in a file of the name that is asked for."""
        questions = []
        for each in assignment.questions:
            if each.question_id in texts:
                name = each.files[0]
                questions.append(
                    QuestionFiles(each.question_id, SourceFile(name, texts[each.question_id], Path(name).stem))
                )
        return cls(tuple(questions))


def read_submission(path: Path, assignment: Assignment, only: Sequence[str] | None = None) -> Submission:
    """Read the submission at `path`, all questions or those with ids in `only`; `SubmissionError` if unreadable.

    A question without a file is no error, nor is a file that cannot be read: both are in the result as notes.
    """
    with open_tree(path) as tree:
        return read_tree(tree, assignment, only)


def read_tree(tree: FileTree, assignment: Assignment, only: Sequence[str] | None) -> Submission:
    """Read a submission from an open tree, all questions or those with ids in `only`."""
    questions, reader = select_questions(assignment, only), SourceReader(tree, assignment)
    others = (each for each in assignment.questions if each not in questions)  # whose files may be imported, too
    mains = {}
    # First, so that no module of one question uses up the total size that all may have.
    for each in (*questions, *others):
        path = find_main(each, reader).path
        if path is not None and not each.answers:
            mains[each.question_id] = path
    found = tuple(_read_question(question, reader, mains) for question in questions)
    is_empty = all(files.main is None for files in found)
    unused = _describe_unused(tree.listing.paths, is_empty=is_empty)
    return Submission(found, (*tree.listing.notes, *unused))


def select_questions(assignment: Assignment, only: Sequence[str] | None) -> tuple[Question, ...]:
    """Select the questions with ids in `only`, or all; `SubmissionError` for an unknown id."""
    for question_id in only or ():
        if question_id not in assignment.question_ids:
            near = find_near(question_id, assignment.question_ids)
            meant = f"did you mean {near!r}? " if near else ""
            known = f"{meant}the questions are {', '.join(assignment.question_ids)}"
            raise SubmissionError(f"there is no question {clean_path(question_id)!r}; {known}")
    if only is None:
        return assignment.questions
    return tuple(question for question in assignment.questions if question.question_id in only)


def open_tree(path: Path, *, refuse_hard_links: bool = False) -> OpenTree:
    """Open the folder or zip at `path`, or read the one file; `SubmissionError` if they are no submission.

    `refuse_hard_links`: for batches, in which a second name of a file may be another student's.
    """
    place = clean_path(str(path))
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError) as error:
        problem = "does not exist" if isinstance(error, FileNotFoundError) else "cannot be opened"
        raise SubmissionError(
            f"{place}: {problem}; give the path of a folder, a .zip, a .py, .ipynb or .toml file"
        ) from error
    if stat.S_ISLNK(mode):
        raise SubmissionError(f"{place}: is a symbolic link; give the path that it leads to")
    if stat.S_ISDIR(mode):
        tree = open_folder(path, is_link_refused=refuse_hard_links)
        names = tree.listing.paths
        if len(names) != 1 or not is_archive(path / names[0]):
            return tree
        tree.close()
        path /= names[0]  # as in a folder for each student, with what each has uploaded
    if is_read(path.name):
        return open_file(path, is_link_refused=refuse_hard_links)
    if is_archive(path):
        return open_archive(path, is_link_refused=refuse_hard_links)
    raise SubmissionError(f"{place}: is not a folder, a .zip, a .py, .ipynb or .toml file; submit one of these")


def _read_question(question: Question, reader: SourceReader, mains: Mapping[str, str]) -> QuestionFiles:
    """Read the files of a question; `mains`: by id of the question, which a neighbouring file may import."""
    found = find_main(question, reader)
    if found.path is None:
        return QuestionFiles(question.question_id, None, notes=found.notes)
    if question.answers:  # it has no helpers, and its module is named after the question, not after the file
        main = _read_source(found.path, question.question_id, reader)
        return QuestionFiles(question.question_id, main, notes=(*found.notes, *_collect_notes([found.path], reader)))
    main = _read_source(found.path, _choose_module_name(question, found.path), reader)
    folder = found.path.rpartition("/")[0]
    used, also = [found.path], {}
    for name, paths in find_also(question, folder, reader).items():
        used += paths
        also[name] = tuple(_read_source(path, Path(path).stem, reader) for path in paths)
    neighbours = {question_id: path for question_id, path in mains.items() if path.rpartition("/")[0] == folder}
    importable = drop_standard_names(neighbours | find_importable(folder, main.text, reader.sources))
    reachable = find_reachable(importable, map(reader.read_text, used), reader.read_text)
    helpers = {}
    for name, path in reachable.items():
        if reader.is_readable(path) and path != found.path:
            used.append(path)
            helpers[name] = replace(_read_source(path, name, reader), is_package=is_package(path))
    notes = (
        *found.notes,
        *reader.describe_problems(reachable.values()),
        *_collect_notes(used, reader),
        *describe_shadowed(find_modules(folder, reader.sources), main.text),
    )
    return QuestionFiles(question.question_id, main, also, helpers, _recognise_variant(question, main.text), notes)


def _collect_notes(used: Sequence[str], reader: SourceReader) -> list[str]:
    """Collect the notes on the files used, of which the first is the question's."""
    notes: list[str] = []
    if not reader.read_text(used[0]).strip():
        notes.append(f"{clean_path(used[0])} is empty")
    for path in dict.fromkeys(used):
        notes += reader.get_notes(path)
    return notes


def _recognise_variant(question: Question, text: str) -> Variant | None:
    """Return the variant that the file's definitions show; None if it also defines a name that the variant renames."""
    names = find_defined_names(text) if question.variants else frozenset()
    for variant in question.variants:
        if names.intersection(variant.tells) and not names.intersection(variant.names):
            return variant
    return None


def _choose_module_name(question: Question, path: str) -> str:
    """Return the name of the file without its ending; the question's where Python could not import that."""
    name = Path(path).stem
    is_importable = name.isidentifier() and drop_standard_names({name: path})
    return name if is_importable else question.question_id


def _read_source(path: str, module: str, reader: SourceReader) -> SourceFile:
    return SourceFile(clean_path(path), reader.read_text(path), module)


def _describe_unused(paths: Sequence[str], *, is_empty: bool) -> tuple[str, ...]:
    """Describe what is not looked into, and all files of a submission in which no question has a file."""
    packed = [path for path in paths if path.lower().endswith(_PACKED)]
    if packed:
        return (f"packed files are not opened: {list_paths(packed)}; unpack them and submit what they hold",)
    if not is_empty:
        return ()
    has_code = any(is_source(path) or is_notebook(path) for path in paths)
    found = "no file of a question" if has_code else "no Python file and no answers"
    if paths:
        found += f"; its files are {list_paths(paths)}"
    return (f"the submission holds {found}",)
