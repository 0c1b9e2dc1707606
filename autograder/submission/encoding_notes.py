"""Encoding notes: merges the notes on files that are not UTF-8 text, one for each file and question, into one line."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.submission.question_files import list_paths
from autograder.submission.source_text import READ_AS_LATIN_1


def merge_encoding_notes(notes: Sequence[Sequence[str]]) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Return the notes of each question without those on encodings, and one note on all of these files.

    A note that stands at one question alone stays there.
    """
    found = [note for each in notes for note in each if note.endswith(READ_AS_LATIN_1)]
    if len(found) < 2:
        return [tuple(each) for each in notes], ()
    paths = list(dict.fromkeys(note.rpartition(" is not ")[0] for note in found))
    line = f"{len(paths)} files are not UTF-8 text and were read as Latin-1: {list_paths(paths)}; save them as UTF-8"
    if len(paths) == 1:
        line = f"{paths[0]} is not UTF-8 text; {READ_AS_LATIN_1}"
    return [tuple(note for note in each if note not in found) for each in notes], (line,)
