"""Declaration: the records of what `assignment.toml` declares: questions, and policies on late work and limits.

A function may rely on the functions before it in assignment.toml, on no later one, so that no two functions can each be
right only beside the grader's version of the other. Outside of its own tests a class counts as one function.

They are plain dataclasses, which load fast: every start imports this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Function:
    """One graded function; `Class.method` is a method and the bare class name its constructor.

    `also_in`: files of the submission that may hold it if the question's own file does not define it, in order of
    preference. `placeholders`: names that starter code leaves undefined; a NameError or AttributeError about such a
    name means "not written yet".
    """

    name: str
    also_in: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()


class Prerequisite(NamedTuple):
    """A function or a whole class, by the name that students read; `functions`: those whose tests decide about it."""

    name: str
    functions: tuple[str, ...]


def find_owner(name: str) -> str:
    """Return the class of a method; the name itself of a function or class."""
    return name.partition(".")[0]


@dataclass(frozen=True)
class Variant:
    """Another year's spelling of a question: a file that defines a name in `tells` is of this variant.

    `names` maps the names used here to the variant's; `dropped_arguments` holds the positions of arguments that the
    variant does not have.
    """

    id: str
    tells: tuple[str, ...]
    names: Mapping[str, str]
    dropped_arguments: Mapping[str, tuple[int, ...]]


class AnswerKind(str, Enum):
    """The kind of an answer in an answer file."""

    FORMULA = "formula"  # evaluated with values for `names`
    COUNT = "count"  # a formula in which 2n is a product
    CHOICE = "choice"  # one of `choices`
    TABLE = "table"  # rows of `columns`
    TEXT = "text"  # read by a person, never judged here
    SETTING = "setting"  # one of `choices`, by which other answers are read; the first where it is left out


@dataclass(frozen=True)
class Answer:
    """An answer in an answer file; `key` is the name of its table, a dot and its own name, such as "layers.linear".

    `words`: the names, choices or columns, depending on the kind. `title`, `number` and `points_by_hand` belong to a
    text, which is listed and graded by hand beside the question's points. `data`: a table for the question's own tests,
    unchanged.
    """

    key: str
    kind: AnswerKind
    words: tuple[str, ...] = ()
    title: str = ""
    number: str = ""
    points_by_hand: float = 0.0
    data: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """The key as a Python name: the name of the answer's function, in the reference too."""
        return self.key.replace(".", "_")


@dataclass(frozen=True)
class Question:
    """A question, identified by its stem. `files` are the accepted names of its file, in order of preference.

    `borrowed_files` belong to other questions: such a file is taken if none of `files` exists and it defines one of the
    functions. `shared_files` may hold the functions of any question. A question with `answers` has a TOML file, and its
    `functions` are the answers that tests judge. `advice_points`: what each test that gives advice is worth; 0 if
    advice gives no points.
    """

    stem: str
    title: str
    points: float
    files: tuple[str, ...]
    functions: tuple[Function, ...]
    variants: tuple[Variant, ...] = ()
    borrowed_files: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    shared_files: tuple[str, ...] = ()
    advice_points: float = 0.0

    @property
    def texts(self) -> tuple[Answer, ...]:
        """The answers that are graded by hand."""
        return tuple(answer for answer in self.answers if answer.kind is AnswerKind.TEXT)

    def find_position(self, functions: Iterable[str]) -> int:
        """Return the position of the last of these functions; tests are judged in this order."""
        names = [function.name for function in self.functions]
        return max(map(names.index, functions), default=0)

    def list_prerequisites(self, functions: Sequence[str]) -> tuple[Prerequisite, ...]:
        """List what the functions under test may rely on: all that stands before the last of them."""
        if self.answers:  # no answer calls another
            return ()
        owners = {find_owner(name) for name in functions}
        groups: dict[str, list[str]] = {}
        for name in (function.name for function in self.functions[: self.find_position(functions)]):
            if name not in functions:
                groups.setdefault(name if find_owner(name) in owners else find_owner(name), []).append(name)
        return tuple(Prerequisite(name, tuple(group)) for name, group in groups.items())


@dataclass(frozen=True)
class LatePolicy:
    """Penalty for each begun day after the due date, at most `most_percent`, after `grace_minutes` without one.

    The first `free_days` days cost nothing; `days_left` has another number of them for single students, by email in
    lower case, such as those who used some in earlier assignments.
    """

    percent_per_day: float
    most_percent: float
    grace_minutes: float
    free_days: int = 0
    days_left: Mapping[str, int] = field(default_factory=dict)

    def count_free_days(self, emails: Iterable[str]) -> int:
        """Return the free days of a group: those of the member who has the most."""
        return max((self.days_left.get(email.lower(), self.free_days) for email in emails), default=self.free_days)


@dataclass(frozen=True)
class WorkerLimits:
    """Computing time and memory of one worker of student code; None: what the grader gives if none is declared."""

    cpu_seconds: int | None = None
    memory_mib: int | None = None
