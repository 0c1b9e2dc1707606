"""Statement load: loads files that failed as a whole statement by statement, and records those left out and why.

Run by the grader, before any input of a test crosses, so that nothing here can depend on one. A statement that raises
is left out by the worker; one that ends the worker, or does not end, is left out of every later worker's load.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from autograder.grading.explain import clean_student_text
from autograder.plain_text import clean_line
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind, is_name

# The ends of a load after which another worker can load more of the file; all but the first end the worker.
_RAISED = frozenset({OutcomeKind.RAISED, OutcomeKind.NOT_WRITTEN, OutcomeKind.OUT_OF_MEMORY})
_ENDED = {
    OutcomeKind.TIMED_OUT: "it did not end within a second",
    OutcomeKind.OUTPUT_LIMIT: "it printed without end",
    OutcomeKind.DIED: "it ended the whole Python process",
}
_REASONS = {
    "SystemExit": "it ended the program",
    "EOFError": "it asked for input, and nobody answers in the grader",
    "KeyboardInterrupt": "it raised a KeyboardInterrupt",
}
_OF_TERMINALS = {
    "name 'exit' is not defined": "it ended the program",
    "name 'quit' is not defined": "it ended the program",
    "name 'get_ipython' is not defined": "only a notebook has get_ipython",
}
_NO_DATA = "the grader supplies no data files"
_SHOWN = 5
_MOST_LINES = 10**6  # a worker that names a line with a million digits, which would be sent to the other pass
_REASON_CHARACTERS = 200


class LeftOut(NamedTuple):
    """A statement that was left out: the file and first line, safe to show, and the reason."""

    path: str
    line: int
    reason: str


class LateLoad(NamedTuple):
    """What the visible pass found of a file that does not load soon, for the hidden pass, which need not find it again.

    `late`: the number and the line of each statement that did not end. `failure`: why no more of it is loaded, empty
    where it is loaded without them.
    """

    loads: int
    late_loads: int
    late: tuple[tuple[int, int], ...]
    failure: str


@dataclass
class StatementLoad:
    """What workers of one pass reported of a question's files that are loaded statement by statement.

    `ended`: by path and number of the statement, those that ended a worker. `raised`: by path of the file that was
    loaded, those that raised in its last load. `killed`: those during which a worker ended, perhaps by a signal of the
    machine's, and only the second time counts. `loads`: the number of workers that were spent on it; `late_loads`:
    those whose time was up.
    """

    ended: dict[tuple[str, int], LeftOut] = field(default_factory=dict)
    raised: dict[str, tuple[LeftOut, ...]] = field(default_factory=dict)
    killed: set[tuple[str, int]] = field(default_factory=set)
    loads: int = 0
    late_loads: int = 0

    @property
    def left_out(self) -> list[LeftOut]:
        """The statements left out, by file and line."""
        return sorted({*self.ended.values(), *(each for raised in self.raised.values() for each in raised)})

    def run(self, exchange: Callable[[tuple[object, ...]], Any], module: str, path: str) -> None:
        """Load a module in a fresh worker; CallFailed if it does not compile, or if a statement ends the worker."""
        raised: list[LeftOut] = []
        for index, line in enumerate(_read_lines(exchange((messages.BEGIN_STATEMENTS, module)))):
            key = (path, index)
            if key in self.ended:
                continue
            try:
                raised += _read_left_out(exchange((messages.RUN_STATEMENT, index)))
            except CallFailed as error:
                is_by_chance = error.outcome.was_killed and key not in self.killed
                self.killed.add(key)
                if error.outcome.kind in _ENDED and not is_by_chance:
                    self.leave_out(path, index, line, error.outcome.kind)
                raise
        self.raised[path] = tuple(raised[: limit.LEFT_OUT])

    def leave_out(self, path: str, index: int, line: int, kind: OutcomeKind) -> None:
        """Leave a statement, whose number in the file is `index`, out of later loads: it ended a process."""
        self.ended[path, index] = LeftOut(path, line, _ENDED[kind])

    def describe_late(self, path: str, failure: str) -> LateLoad | None:
        """Describe the statements of a file that did not end; None where something else is left out, too."""
        late = tuple((index, each.line) for (_, index), each in self.ended.items())
        is_late_alone = {each.reason for each in self.ended.values()} == {_ENDED[OutcomeKind.TIMED_OUT]}
        is_known = {each for each, _ in self.ended} == {path} and max(line for _, line in late) <= _MOST_LINES
        return LateLoad(self.loads, self.late_loads, late, failure) if is_late_alone and is_known else None

    @classmethod
    def continue_from(cls, known: LateLoad, path: str) -> StatementLoad:
        """Return the record of a pass that begins where another one ended."""
        made = cls(loads=known.loads, late_loads=known.late_loads)
        for index, line in known.late:
            made.leave_out(path, index, line, OutcomeKind.TIMED_OUT)
        return made

    def write_notes(self) -> list[str]:
        """Write a note for the student on each of the first statements left out."""
        left_out = self.left_out
        notes = [f"{each.path} line {each.line} was left out: {each.reason}" for each in left_out[:_SHOWN]]
        more = len(left_out) - len(notes)
        return [*notes, *([f"{more} more statements were left out"] if more else [])]

    def describe_gap(self) -> str:
        """Write which lines were left out, for a message about a name that the file does not define."""
        lines = [f"{each.path} line {each.line}" for each in self.left_out]
        return f"; left out, because it failed: {', '.join(lines[:_SHOWN])}" if lines else ""


def may_load_more(outcome: Outcome, *, by_statements: bool) -> bool:
    """Whether another worker can load more of a file after this end of a load, of the whole or by statements."""
    return outcome.kind in _ENDED or (outcome.kind in _RAISED and not by_statements)


def _read_lines(reply: object) -> list[int]:
    if not isinstance(reply, list) or any(type(line) is not int for line in reply):
        raise CallFailed(Outcome(OutcomeKind.GARBLED, detail="the worker did not say which statements the file has"))
    if len(reply) > limit.STATEMENTS:
        detail = f"the file has more than {limit.STATEMENTS} statements at its top level"
        raise CallFailed(Outcome(OutcomeKind.RAISED, detail=detail))
    return reply


def _read_left_out(reply: object) -> list[LeftOut]:
    if not isinstance(reply, list) or not all(map(_is_left_out, reply)):
        raise CallFailed(Outcome(OutcomeKind.GARBLED, detail="the worker did not say how a statement ended"))
    return [LeftOut(clean_line(path, _REASON_CHARACTERS), line, explain_statement(*why)) for path, line, *why in reply]


def _is_left_out(item: object) -> bool:
    return isinstance(item, tuple) and [type(part) for part in item] == [str, int, str, str]


def explain_statement(error_type: str, text: str) -> str:
    """Write why a statement was left out: `error_type` and `text` are those of its exception."""
    if error_type in _REASONS:
        return _REASONS[error_type]
    if text in _OF_TERMINALS:
        return _OF_TERMINALS[text]
    named = error_type if is_name(error_type) else "an exception without a proper name"
    shown = clean_student_text(text, _REASON_CHARACTERS).rstrip(".")
    reason = clean_line(f"it raised {named}" + (f": {shown}" if shown else ""), _REASON_CHARACTERS)
    return f"{reason}; {_NO_DATA}" if error_type == "FileNotFoundError" else reason
