"""Roster: turns a path (a folder of submissions, a zip or a Gradescope export) into the submissions of a class.

An entry's name is that of its folder or file; it stays the same from run to run, and is untrusted text. A submission is
not read before its turn.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from autograder import UserError
from autograder.assignment import Assignment
from autograder.machine_paths import hide_paths
from autograder.plain_text import clean_line
from autograder.regression.class_archive import ClassArchive
from autograder.regression.gradescope_export import (
    METADATA,
    METADATA_BYTES,
    ExportedSubmission,
    MetadataError,
    read_export_metadata,
)
from autograder.regression.packed_submission import PackedSubmission, pack_tree
from autograder.regression.scores import Scores
from autograder.regression.summary import Person, label_people
from autograder.submission import SubmissionError, open_tree
from autograder.submission.file_tree import FileTree, clean_path, is_ignored_name, is_notebook, is_source
from autograder.submission.folder import open_regular
from autograder.submission.zip_archive import is_archive

_NAME_CHARACTERS = 4_000  # longer than any fully escaped file name, so that different names stay different
_EXPORTED = re.compile(r"submission_\d+")


FilesOpener = Callable[[], AbstractContextManager[FileTree]]


class RosterError(UserError):
    """The path holds no class of submissions; the text says what was found and what is expected."""


@dataclass(frozen=True)
class Entry:
    """One submission of the class. `open_files` opens its files, or raises a `SubmissionError`."""

    name: str
    open_files: FilesOpener
    people: tuple[Person, ...] = ()
    published: Scores | None = None
    attempts: int = 0
    submitted: datetime | None = None

    @property
    def label(self) -> str:
        """The names of its submitters, or else of its folder."""
        return label_people(self.people) or self.name

    def pack(self) -> PackedSubmission:
        """Pack the submission; `SubmissionError` if it cannot be read."""
        with self.open_files() as tree:
            return pack_tree(tree)


@dataclass(frozen=True)
class Roster:
    """The submissions in the order of their names, and one-line notes for staff about skipped files."""

    entries: tuple[Entry, ...]
    notes: tuple[str, ...]
    close: Callable[[], None]

    def __enter__(self) -> Roster:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def read_roster(path: Path, assignment: Assignment) -> Roster:
    """Read the class at `path`; RosterError if there is none, SubmissionError if a zip cannot be opened."""
    name = clean_path(str(path))
    if is_archive(path) and path.is_file():
        roster = _read_zip(ClassArchive(path))
    elif path.is_dir():
        roster = _read_folder(_find_exported_folder(path))
    else:
        raise RosterError(
            f"{name}: is neither a folder nor a .zip; give a folder of submissions, or a Gradescope export"
        )
    if not roster.entries:
        roster.close()
        raise RosterError(f"{name}: holds no submission; each has to be a folder, a .zip or a .py file in it")
    files = {name for question in assignment.questions for name in question.files}
    if _is_one_submission([entry.name for entry in roster.entries], files):
        roster.close()
        raise RosterError(
            f"{name}: looks like one submission; give the folder that contains the submissions, "
            f"or grade it by `grade {name}`"
        )
    return roster


def _is_one_submission(names: Collection[str], files: Collection[str]) -> bool:
    """Whether these are the files of one submission: plain files, some of which are named like those of questions."""
    asked = [name for name in names if name.lower() in {file.lower() for file in files}]
    are_plain = all(is_source(name) or is_notebook(name) for name in names)
    return bool(asked) and (are_plain or len(asked) * 2 >= len(names))


def _find_exported_folder(path: Path) -> Path:
    """Find the folder with the metadata, which an unpacked export has one level down."""
    if (path / METADATA).exists():
        return path
    inner = [each.parent for each in path.glob(f"*/{METADATA}") if not is_ignored_name(each.parent.name)]
    return inner[0] if len(inner) == 1 else path


def _read_folder(folder: Path) -> Roster:
    with os.scandir(folder) as found:
        names = sorted(entry.name for entry in found if _may_be_one(entry.name, entry.is_dir(follow_symlinks=False)))
        listed = set(os.listdir(folder))
    metadata = None
    if METADATA in listed:
        limit, name = METADATA_BYTES, str(folder / METADATA)
        with open(open_regular(name, limit, place=METADATA, is_link_refused=False), "rb") as file:
            metadata = file.read(limit)
    opened = {name: partial(_open_entry, folder, name) for name in names}
    return _build_roster(opened, metadata, listed, lambda: None)


def _open_entry(folder: Path, name: str) -> AbstractContextManager[FileTree]:
    """Open a submission; SubmissionError, with a text that does not say where on this machine the class is."""
    try:
        return open_tree(folder / name, refuse_hard_links=True)
    except SubmissionError as error:
        raise SubmissionError(hide_paths(str(error), {clean_path(str(folder / name)): clean_path(name)})) from error


def _read_zip(archive: ClassArchive) -> Roster:
    try:
        metadata = archive.read(METADATA, limit=METADATA_BYTES)
        names = [name for name in archive.names if _may_be_one(name, archive.is_folder(name))]
        opened = {name: partial(_open_member, archive, name) for name in names}
        roster = _build_roster(opened, metadata, archive.names, archive.close)
    except BaseException:
        archive.close()
        raise
    skipped = f"{archive.skipped} files were skipped: their names lead out of the zip"
    return Roster(roster.entries, (*roster.notes, *([skipped] if archive.skipped else [])), roster.close)


def _open_member(archive: ClassArchive, name: str) -> AbstractContextManager[FileTree]:
    return nullcontext(archive.open_submission(name))


def _may_be_one(name: str, is_folder: bool) -> bool:
    return not is_ignored_name(name) and (is_folder or is_source(name) or is_notebook(name) or is_archive(Path(name)))


def _build_roster(
    opened: Mapping[str, FilesOpener],
    metadata: bytes | None,
    listed: Collection[str],
    close: Callable[[], None],
) -> Roster:
    people: dict[str, ExportedSubmission] = {}
    notes = []
    if metadata is not None:
        try:
            people = read_export_metadata(metadata)
        except MetadataError as error:
            notes.append(f"{error}; names and published scores are missing")
        opened = {name: each for name, each in opened.items() if name in people or _EXPORTED.fullmatch(name)}
        notes += _describe_mismatches(people, opened)
    ignored = [name for name in listed if name not in opened and name != METADATA and not is_ignored_name(name)]
    if ignored:
        notes.append(f"skipped, because they are not submissions: {_list_some(ignored)}")
    entries = [_build_entry(name, opened[name], people.get(name)) for name in sorted(opened)]
    return Roster(tuple(entries), tuple(notes), close)


def _build_entry(file: str, open_files: FilesOpener, submitted: ExportedSubmission | None) -> Entry:
    name = clean_line(file, _NAME_CHARACTERS)
    if submitted is None:
        return Entry(name, open_files)
    return Entry(name, open_files, submitted.people, submitted.published, submitted.attempts, submitted.submitted)


def _describe_mismatches(people: dict[str, ExportedSubmission], opened: Collection[str]) -> Iterable[str]:
    without_files = sorted(set(people).difference(opened))
    without_people = sorted(set(opened).difference(people)) if people else []
    if without_files:
        yield f"in {METADATA} but without a folder, so not graded: {_list_some(without_files)}"
    if without_people:
        yield f"not in {METADATA}, so graded without a name: {_list_some(without_people)}"


def _list_some(names: Collection[str]) -> str:
    first = [clean_path(name) for name in sorted(names)[:5]]
    return ", ".join(first) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
