"""Submission: turns a folder, a zip or one Python file into each question's source texts, with what is missing said in notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.assignment import Variant


class SubmissionError(Exception):
    """The submission cannot be read; the text tells its owner what was found and what to do."""


@dataclass(frozen=True)
class SourceFile:
    """One source file as text. `path` is its place in the submission, safe to show; `module` the name it is imported by."""

    path: str
    text: str
    module: str
    is_package: bool = False


@dataclass(frozen=True)
class QuestionFiles:
    """What a submission holds of one question.

    `also`: for a function with `also_in`, the files found of those names. `helpers`: by module name, what `main` and `also` may import.
    `is_ambiguous`: two files claim to be the question's, so neither was taken. `notes`: one line each, for the student.
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
