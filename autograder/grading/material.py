"""Material: what workers need of one question of a submission."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from autograder.assignment import Question
from autograder.submission import QuestionFiles

Sources = dict[str, tuple[str, str, bool]]  # module name -> path shown, text, whether it is a package


@dataclass(frozen=True)
class Material:
    """One question: the submission's files as module sources (`own`), the grader's (`support`), and the reference.

    `preload`: the library modules that the sources name, which a worker imports while it may still read files.
    """

    question: Question
    files: QuestionFiles
    own: Sources
    support: Sources
    preload: tuple[str, ...]
    reference: ModuleType
