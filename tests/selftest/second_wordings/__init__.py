"""Second wordings: known mistakes as other people write them, with the same misunderstanding; they share the diagnosis.

A file holds plain functions under the decorator `wording`, which names the mistake. The body runs inside a copy of the
reference's text, as a mistake does.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograder.mistakes import Mistake
from tests.selftest.support.grading import load as load_mistakes


@dataclass(frozen=True)
class Wording:
    """A function, and the known mistake that it makes."""

    mistake_id: str
    code: Callable[..., Any]

    @property
    def question_id(self) -> str:
        """The question."""
        return self.code.__module__.rpartition(".")[2]

    def as_mistake(self) -> Mistake:
        """The mistake with this code."""
        (known,) = [each for each in load_mistakes(self.question_id) if each.id == self.mistake_id]
        return replace(known, id=self.code.__name__, wrong=self.code, text="")


def wording(mistake_id: str) -> Callable[[Callable[..., Any]], Wording]:
    """Decorator: says which mistake the function below it makes."""
    return lambda code: Wording(mistake_id, code)


def load(question_id: str) -> list[Wording]:
    """The wordings of one question, in the order of its file; none for a question without a file."""
    if not (Path(__file__).parent / f"{question_id}.py").exists():
        return []
    module = importlib.import_module(f"{__name__}.{question_id}")
    return [value for value in vars(module).values() if isinstance(value, Wording)]
